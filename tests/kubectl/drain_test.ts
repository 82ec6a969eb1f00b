import { assert, assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { Client } from "@kubeloop/controller/client";
import { drain, type DrainProgress, evict } from "@kubeloop/kubectl";
import { Nodes, type Pod, Pods, type Stored } from "@kubeloop/controller/types";
import { RecordingLogger } from "../support/recording_logger.ts";
import { namespace, refusal, World } from "./_world.ts";

async function podOn(world: World, name: string, metadata: object = {}): Promise<Stored<Pod>> {
  const { client } = world;
  await world.run(client.create(Nodes, { metadata: { name: "n1" } }).catch(() => {}));
  return await world.run(client.create(Pods, {
    metadata: { name, namespace, ...metadata },
    spec: { nodeName: "n1", containers: [{ name: "main", image: "nginx" }] },
  }));
}

const isEviction = (line: string) => line.endsWith("/eviction");

/** Answers evictions with a refusal that says how long to wait. */
function refuseEvictions(
  world: World,
  message: string | (() => string),
  retryAfterSeconds?: number,
) {
  world.answer = (line) => {
    if (!isEviction(line)) return undefined;
    const text = typeof message === "string" ? message : message();
    return Response.json({
      kind: "Status",
      code: 429,
      reason: "TooManyRequests",
      message: text,
      details: retryAfterSeconds === undefined ? {} : { retryAfterSeconds },
    }, { status: 429 });
  };
}

Deno.test("evict() never tries again faster than every five seconds, and at least once a minute", async () => {
  for (
    const [asked, tries] of [
      [0.001, 13],
      [0, 13],
      [-5, 13],
      [7, 9],
      [1e9, 2],
      [Infinity, 13],
      ["1" as never, 13],
    ] as const
  ) {
    await using world = new World();
    const pod = await podOn(world, "a");
    refuseEvictions(world, "no", asked);
    const late = evict(world.client, pod, { timeoutMs: 60_001 });
    await assertRejects(() => world.run(late), DOMException, "not evicted within 60001 ms: no");
    assertEquals(world.requests.filter(isEviction).length, tries, `asked for ${asked} s`);
  }
});

Deno.test("drain() reports refusals while it waits: a new message at once, the same message every minute", async () => {
  await using world = new World();
  await podOn(world, "a");
  let budget = "one";
  refuseEvictions(world, () => `the budget ${budget} forbids it`);
  const told: (readonly [number, DrainProgress])[] = [];
  const start = world.clock.now();
  const onProgress = (step: DrainProgress) => void told.push([world.clock.now() - start, step]);
  const draining = drain(world.client, "n1", { force: true, timeoutMs: 300_000, onProgress });
  const late = assertRejects(() => draining, AggregateError);
  await world.clock.advance(130_000);
  budget = "two";
  await world.clock.advance(170_000);
  const { errors } = await late;
  const refused = { name: "a", namespace, status: "refused" } as const;
  const one = { ...refused, message: "the budget one forbids it (429 TooManyRequests)" };
  const two = { ...refused, message: "the budget two forbids it (429 TooManyRequests)" };
  assertEquals(told.map(([, step]) => step), [one, one, one, two, two, two]);
  assertEquals(told.slice(0, 3).map(([atMs]) => Math.round(atMs / 10_000)), [0, 6, 12]);
  assertEquals(
    errors.map((error: Error) => error.message),
    [
      "Pod default/a: Node n1 was not drained within 300000 ms: the budget two forbids it (429 TooManyRequests)",
    ],
  );
});

Deno.test("drain() logs refusals without onProgress, at most ten in ten seconds", async () => {
  await using world = new World();
  for (let count = 0; count < 30; count++) await podOn(world, `p${count}`);
  refuseEvictions(world, "no");
  const logger = new RecordingLogger();
  await using client = new Client({
    ...world.server.clientOptions,
    fetch: (request) => {
      const line = `${request.method} ${new URL(request.url).pathname}`;
      return Promise.resolve(world.answer(line, request) ?? world.server.fetch(request));
    },
    logger,
  });
  const stop = new AbortController();
  const options = { force: true, concurrency: 30, signal: stop.signal };
  const draining = assertRejects(() => drain(client, "n1", options), Error, "enough");
  await world.clock.advance(9_000);
  const lines = logger.lines.filter((line) => line.includes("is refused"));
  assertEquals(lines.length, 10);
  assertStringIncludes(lines[0]!, "Drain of Node n1: Pod default/p0 is refused: no");
  stop.abort(new Error("enough"));
  await draining;
});

Deno.test("the error of drain() has the reason why a Pod still exists", async () => {
  await using world = new World();
  await podOn(world, "a", { finalizers: ["example.com/hold"] });
  const options = { force: true, timeoutMs: 60_000 };
  const { errors } = await assertRejects(
    () => world.run(drain(world.client, "n1", options)),
    AggregateError,
  );
  assertEquals(errors.map((error: Error) => error.message), [
    "Pod default/a: Node n1 was not drained within 60000 ms: it waits for its finalizers example.com/hold",
  ]);
});

Deno.test("drain() does not wait for a new Pod of the same name", async () => {
  await using world = new World();
  const old = await podOn(world, "a");
  let isNew = false;
  world.answer = (line) => {
    if (!isEviction(line) || isNew) return undefined;
    isNew = true;
    return Response.json({ kind: "Status", status: "Success" }, { status: 201 });
  };
  const draining = drain(world.client, "n1", { force: true });
  await world.clock.advance(1_000);
  await world.run(world.client.delete(Pods, "a", { namespace, gracePeriodSeconds: 0 }));
  await world.run(world.client.create(Pods, {
    metadata: { name: "a", namespace },
    spec: { containers: [{ name: "main", image: "nginx" }] },
  }));
  assertEquals((await world.run(draining)).map(({ metadata }) => metadata.uid), [old.metadata.uid]);
});

Deno.test("drain() and evict() show no credentials that a server repeats, and no control characters", async () => {
  const token = "secret-token-0123456789";
  const name = `web-${token}\u001b[2J`;
  const fetch = (request: Request): Promise<Response> => {
    const { pathname } = new URL(request.url);
    if (request.method === "PATCH") return Promise.resolve(Response.json({ metadata: {} }));
    if (pathname.endsWith("/eviction")) {
      return Promise.resolve(refusal(500, "InternalError", `no: ${token}`));
    }
    return Promise.resolve(Response.json({
      kind: "PodList",
      metadata: {},
      items: [{ metadata: { name, namespace: token, uid: "u" } }],
    }));
  };
  const told: DrainProgress[] = [];
  await using client = new Client({ fetch, token });
  for (const force of [false, true]) {
    const error = await assertRejects(
      () => drain(client, "n1", { force, onProgress: (step) => void told.push(step) }),
      AggregateError,
    );
    for (const { message } of [error, ...error.errors]) {
      assert(!message.includes(token) && !message.includes("\u001b"), message);
      assertStringIncludes(message, "(hidden)");
    }
  }
});

Deno.test("drain() and evict() check their options before any request", async () => {
  await using world = new World();
  const { client } = world;
  for (
    const [call, message] of [
      [() => drain(client, "n1", { timeoutMS: 5 } as never), 'did you mean "timeoutMs"?'],
      [() => drain(client, "n1", { force: "yes" } as never), "force must be true or false"],
      [() => drain(client, "n1", { dryRun: true } as never), 'drain() has no option "dryRun"'],
      [() => drain(client, "n1", null as never), "drain() takes an object with options"],
      [() => drain({} as never, "n1"), "Expected a client as the first argument of drain()"],
      [() => evict(client, { name: "a", namespace }, { force: true } as never), "no option"],
    ] as const
  ) await assertRejects(async () => await call(), TypeError, message);
  assertEquals(world.requests, []);
});
