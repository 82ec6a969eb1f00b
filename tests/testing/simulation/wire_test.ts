import { assertEquals, assertMatch, assertRejects } from "@std/assert";
import { keptBody } from "../../../src/base/mod.ts";
import { ApiServer, VirtualClock } from "../../../src/testing/mod.ts";
import {
  givenObjects,
  Journal,
  type SentWrite,
} from "../../../src/testing/simulation/record/mod.ts";
import { Life, Wire, type WireRun } from "../../../src/testing/simulation/world/mod.ts";
import type { PlanFault } from "../../../src/testing/simulation/plans/mod.ts";

const MAPS = "http://cluster/api/v1/namespaces/default/configmaps";

interface Given {
  readonly faults?: readonly PlanFault[];
  readonly isOld?: boolean;
  readonly answer?: () => Response | Promise<Response>;
  readonly interfere?: () => void;
  readonly outage?: ReturnType<WireRun["outages"]["of"]>;
  readonly definition?: ReturnType<WireRun["outages"]["ofDefinition"]>;
}

/** A wire to a scripted server, which records the requests. */
function wire(
  { faults = [], isOld = false, answer, outage, definition, interfere = () => {} }: Given = {},
) {
  const clock = new VirtualClock();
  const life = new Life(clock);
  const journal = new Journal(() => clock.now(), new Set(), []);
  const log: string[] = [];
  const answered: SentWrite[] = [];
  const { fetch } = new Wire(
    {
      server: {
        fetch: (input) => {
          const { method, url } = input as Request;
          const body = new TextDecoder().decode(keptBody(input as Request));
          const sent = body === "" ? "" : ` ${JSON.stringify(body)}`;
          log.push(`${method} ${new URL(url).pathname}${sent}`);
          return Promise.resolve().then(answer ?? (() => new Response("{}")));
        },
      },
      journal,
      faultsOf: () => faults,
      takeEffect: ({ fault }) => void log.push(`took ${fault}`),
      interfere: ({ fault }, { name }, { id }) => {
        log.push(`${fault} of ${name} before ${id}`);
        interfere();
        return Promise.resolve();
      },
      disturbServer: ({ fault }) => void log.push(`after ${fault}`),
      kill: (process) => {
        log.push(`kill ${process}`);
        life.kill();
      },
      pause: (process, forMs) => {
        log.push(`pause ${process}`);
        life.pause();
        clock.setTimer(() => life.resume(), forMs);
      },
      stop: (process, graceMs) => void log.push(`stop ${process} within ${graceMs} ms`),
      outages: {
        begin: (process, { how }) => void log.push(`${how} of ${process}`),
        beginDefinition: ({ how }) => void log.push(`${how} definition`),
        ofDefinition: () => definition,
        of: () => outage,
        onCut: () => () => {},
      },
      count: (process, what) => void log.push(`count ${process}: ${what}`),
      answered: (write) => void answered.push({ ...write }),
      isOld: () => isOld,
    },
    "op",
    life,
  );
  const send = (method: string, url: string, body?: unknown, signal?: AbortSignal) =>
    fetch(
      new Request(url, {
        method,
        ...(body !== undefined && { body: JSON.stringify(body) }),
        ...(signal !== undefined && { signal }),
      }),
    );
  const { history } = journal;
  return { answered, clock, history, journal, life, send, taken: () => log.splice(0) };
}

Deno.test("Wire passes protobuf on unchanged, and the story knows the objects in it", async () => {
  const clock = new VirtualClock();
  await using server = new ApiServer({ clock });
  const protobuf = "application/vnd.kubernetes.protobuf";
  let asked: [string, RequestInit] = [MAPS, {}];
  const { answered, history, send } = wire({
    answer: () => {
      const [path, init] = asked;
      const headers = { accept: protobuf, "content-type": "application/json" };
      return server.fetch(path, { ...init, headers });
    },
  });
  const body = JSON.stringify({ metadata: { name: "a" } });
  asked = [MAPS, { method: "POST", body }];
  const created = await send("POST", MAPS, {});
  assertEquals([created.status, created.headers.get("content-type")], [201, protobuf]);
  await created.body!.cancel();
  assertEquals(answered[0]!.version > 0, true);
  asked = [MAPS, {}];
  const list = await (await send("GET", MAPS)).bytes();
  const direct = await server.fetch(MAPS, { headers: { accept: protobuf } });
  assertEquals(list, await direct.bytes());
  const url = `${MAPS}?watch=1`;
  asked = [url, {}];
  const reader = (await send("GET", url)).body!.getReader();
  await reader.read();
  await reader.cancel();
  history.add({ kind: "seen", process: "op", resource: "configmaps", bytes: list.slice(0, 9) });
  const given = history.moments.flatMap(givenObjects);
  assertEquals(given.map(({ type, object }) => [type, object.metadata.name]), [
    ["READ", "a"],
    ["ADDED", "a"],
  ]);
});

Deno.test("Wire counts reads, and puts into the story what a process reads of a resource", async () => {
  const { history, send, taken } = wire();
  const answer = await send("GET", MAPS);
  assertEquals([answer.status, await answer.text()], [200, "{}"]);
  await send("GET", "http://cluster/apis/apps/v1/deployments");
  await send("GET", "http://cluster/version");
  // It changes no object.
  await send("DELETE", "http://cluster/healthz");
  await send("POST", "http://cluster/apis/authorization.k8s.io/v1/selfsubjectaccessreviews", {});
  assertEquals(taken().filter((line) => line.startsWith("count")), [
    "count op: list configmaps default/",
    "count op: list deployments.apps ",
    "count op: get  ",
    "count op: delete  ",
    "count op: create selfsubjectaccessreviews.authorization.k8s.io ",
  ]);
  const { moments } = history;
  assertEquals(moments.length, 3);
  assertEquals(moments[0], {
    atMs: 0,
    kind: "read",
    process: "op",
    id: "op list configmaps default/ #1",
    verb: "list",
    resource: "configmaps",
    status: 200,
    text: "{}",
  });
  assertEquals(moments.map((one) => one.kind === "read" && one.resource), [
    "configmaps",
    "deployments.apps",
    "selfsubjectaccessreviews.authorization.k8s.io",
  ]);
});

Deno.test("Wire streams a watch, and puts what is read of it into the story", async () => {
  const { history, send } = wire({ answer: () => new Response("line\n", { status: 202 }) });
  const answer = await send("GET", `${MAPS}?watch=true`);
  assertEquals([answer.status, history.moments.length], [202, 1]);
  assertEquals(await answer.text(), "line\n");
  assertEquals(history.moments, [
    {
      atMs: 0,
      kind: "asked",
      process: "op",
      id: "op watch configmaps default/ #1",
      resource: "configmaps",
      status: 202,
    },
    {
      atMs: 0,
      kind: "seen",
      process: "op",
      resource: "configmaps",
      bytes: new TextEncoder().encode("line\n"),
    },
  ]);
  const refused = wire({ answer: () => new Response("gone", { status: 410 }) });
  assertEquals(await (await refused.send("GET", `${MAPS}?watch=true`)).text(), "gone");
  assertEquals(refused.history.moments.map(({ kind }) => kind), ["read"]);
  const none = wire({ answer: () => new Response(null, { status: 204 }) });
  assertEquals((await none.send("GET", `${MAPS}?watch=true`)).body, null);
});

Deno.test("Wire refuses streaming lists on behalf of a server that is too old", async () => {
  const stream = "watch=true&sendInitialEvents=true";
  const { send, taken } = wire({ isOld: true });
  const refused = await send("GET", `${MAPS}?${stream}`);
  assertEquals([refused.status, await refused.json()], [422, {
    kind: "Status",
    apiVersion: "v1",
    metadata: {},
    status: "Failure",
    message: "sendInitialEvents is forbidden: this server is too old",
    reason: "Invalid",
    code: 422,
  }]);
  assertEquals(taken(), ["count op: watch configmaps default/"]);
  assertEquals((await send("GET", `${MAPS}?watch=true`)).status, 200);
  assertEquals((await send("GET", `${MAPS}?watch=true&sendInitialEvents=false`)).status, 200);
  assertEquals((await send("GET", `${MAPS}?sendInitialEvents=true`)).status, 200);
  assertEquals((await wire().send("GET", `${MAPS}?${stream}`)).status, 200);
});

Deno.test("Wire names a write, and notes its answer and its version", async () => {
  const { answered, history, send, taken } = wire({
    answer: () => Response.json({ metadata: { resourceVersion: "7" } }, { status: 201 }),
  });
  const body = { metadata: { name: "a" } };
  const answer = await send("POST", MAPS, body);
  assertEquals([answer.status, await answer.json()], [201, { metadata: { resourceVersion: "7" } }]);
  const write = {
    id: "op create configmaps default/a #1",
    process: "op",
    verb: "create",
    resource: "configmaps",
    subresource: "",
    namespace: "default",
    name: "a",
    body: JSON.stringify(body),
    status: 201,
    version: 7,
  };
  assertEquals(answered, [write]);
  assertEquals(history.moments.map(({ kind }) => kind), ["sent", "answered"]);
  assertEquals(taken(), [
    "count op: op create configmaps default/a #1",
    `POST /api/v1/namespaces/default/configmaps ${JSON.stringify(JSON.stringify(body))}`,
  ]);
  await send("POST", MAPS, { metadata: { generateName: "b-" } });
  await send("POST", MAPS, { metadata: {} });
  await send("POST", MAPS, {});
  await send("POST", MAPS);
  await send("PUT", `${MAPS}/a`, body);
  await send("PATCH", `${MAPS}/a/status`, {});
  await send("DELETE", `${MAPS}/a`);
  await send("DELETE", MAPS);
  const lines = taken();
  assertEquals(lines.filter((line) => line.startsWith("count")), [
    "count op: op create configmaps default/b-* #1",
    "count op: op create configmaps default/ #1",
    "count op: op create configmaps default/ #2",
    "count op: op create configmaps default/ #3",
    "count op: op update configmaps default/a #1",
    "count op: op patch configmaps/status default/a #1",
    "count op: op delete configmaps default/a #1",
    "count op: op deletecollection configmaps default/ #1",
  ]);
  assertEquals(lines.at(-1), "DELETE /api/v1/namespaces/default/configmaps");
});

Deno.test("Wire notes a write that the server refuses, and one whose answer is empty", async () => {
  const refused = wire({
    answer: () => Response.json({ metadata: { resourceVersion: "7" } }, { status: 409 }),
  });
  assertEquals((await refused.send("DELETE", `${MAPS}/a`)).status, 409);
  assertEquals(refused.answered.map(({ status, version }) => [status, version]), [[409, 0]]);
  assertEquals(refused.journal.writers.size, 0);
  const empty = wire({ answer: () => new Response(null, { status: 204 }) });
  assertEquals((await empty.send("DELETE", `${MAPS}/a`)).body, null);
});

Deno.test("Wire passes failures of the network on", async () => {
  const { answered, send } = wire({
    answer: () => {
      throw new TypeError("no network");
    },
  });
  await assertRejects(() => send("GET", MAPS), TypeError, "no network");
  await assertRejects(() => send("PUT", `${MAPS}/a`, {}), TypeError, "no network");
  assertEquals(answered, []);
});

Deno.test("Wire carries nothing to or from a process that stands still", async () => {
  for (const [method, query] of [["GET", ""], ["GET", "?watch=true"], ["DELETE", ""]] as const) {
    const gate = Promise.withResolvers<void>();
    const { clock, life, send, taken } = wire({
      answer: () => {
        gate.resolve();
        life.pause();
        return new Response("x");
      },
    });
    let isAnswered = false;
    life.pause();
    const answer = send(method, MAPS + query).then(() => isAnswered = true);
    await clock.settle();
    assertEquals([isAnswered, taken()], [false, []]);
    life.resume();
    await clock.settle();
    await gate.promise;
    await clock.settle();
    assertEquals([isAnswered, taken().length], [false, 2]);
    life.resume();
    await clock.settle();
    assertEquals(await answer, true);
  }
});

const id = "op update configmaps default/a #1";

/** Sends a write that faults hit, and returns what becomes of it. */
async function hit(fault: PlanFault, given: Given = {}) {
  const { answered, clock, history, send, taken } = wire({ faults: [fault], ...given });
  let outcome: unknown = "never answered";
  send("PUT", `${MAPS}/a`, {}).then(async (response) => {
    outcome = [response.status, response.headers.get("retry-after"), await response.json()];
  }, (error) => outcome = error);
  await clock.advance(4999);
  const early = taken().slice(1);
  await clock.advance(1);
  const log = early.concat(taken().map((line) => `later: ${line}`));
  const [sent] = history.moments;
  const { injected, status } = (sent as { readonly write: SentWrite }).write;
  return {
    answered: answered.length,
    injected,
    log,
    moments: history.moments.length,
    outcome,
    status,
  };
}

const PUT = 'PUT /api/v1/namespaces/default/configmaps/a "{}"';

Deno.test("Wire kills the process before it sends, or after the server has answered", async () => {
  assertEquals(await hit({ fault: "crash", when: "before", write: id }), {
    answered: 0,
    injected: "not sent: the process is killed",
    log: ["took crash", "kill op"],
    moments: 1,
    outcome: "never answered",
    status: 0,
  });
  assertEquals(await hit({ fault: "crash", when: "after", write: id }), {
    answered: 1,
    injected: "the process is killed before it gets the answer",
    log: [PUT, "took crash", "kill op"],
    moments: 2,
    outcome: "never answered",
    status: 200,
  });
});

Deno.test("Wire answers instead of the server", async () => {
  const reasons = [
    [409, "Conflict"],
    [429, "TooManyRequests"],
    [500, "InternalError"],
    [504, "Timeout"],
  ] as const;
  for (const [code, reason] of reasons) {
    const isBusy = code === 429;
    assertEquals(await hit({ fault: "answer", code, write: id }), {
      answered: 1,
      injected: `answered with ${code}`,
      log: ["took answer"],
      moments: 2,
      outcome: [code, isBusy ? "1" : null, {
        kind: "Status",
        apiVersion: "v1",
        metadata: {},
        status: "Failure",
        message: `Injected failure ${code}`,
        reason,
        ...(isBusy && { details: { retryAfterSeconds: 1 } }),
        code,
      }],
      status: code,
    });
  }
  const { answered, history, send } = wire({ faults: [{ fault: "answer", code: 500, write: id }] });
  const { headers } = await send("PUT", `${MAPS}/a`, {});
  assertEquals(headers.get("content-type"), "application/json");
  const [, last] = history.moments;
  assertEquals([last?.kind, answered[0]?.status], ["answered", 500]);
});

Deno.test("Wire loses an answer", async () => {
  const { outcome, ...rest } = await hit({ fault: "lose", write: id });
  assertEquals(rest, {
    answered: 1,
    injected: "the answer is lost",
    log: [PUT, "took lose"],
    moments: 2,
    status: 200,
  });
  const { cause, message } = outcome as TypeError & { cause: Error & { code: string } };
  assertEquals([outcome instanceof TypeError, message, cause.message, cause.code], [
    true,
    "Failed to fetch",
    "Connection reset by an injected fault",
    "ECONNRESET",
  ]);
});

const ok = {
  answered: 1,
  injected: undefined,
  moments: 2,
  outcome: [200, null, {}],
  status: 200,
};

Deno.test("Wire pauses the process, and lets another client act, before a write", async () => {
  assertEquals(await hit({ fault: "pause", write: id, forMs: 5000 }), {
    ...ok,
    log: ["took pause", "pause op", `later: ${PUT}`],
  });
  assertEquals(
    (await hit({ fault: "pause", write: id, forMs: 5001 })).outcome,
    "never answered",
  );
  assertEquals(await hit({ fault: "edit", edit: "label", write: id }), {
    ...ok,
    log: [`edit of a before ${id}`, PUT],
  });
  assertEquals(await hit({ fault: "revert", step: 0, when: id }), {
    ...ok,
    log: [`revert of a before ${id}`, PUT],
  });
  const stop = new AbortController();
  const edit: PlanFault = { fault: "edit", edit: "label", write: id };
  const { send, taken } = wire({
    faults: [edit],
    interfere: () => stop.abort(new Error("given up")),
  });
  await assertRejects(() => send("PUT", `${MAPS}/a`, {}, stop.signal), Error, "given up");
  assertEquals(taken().includes(PUT), false);
});

Deno.test("Wire does something to the server after a write, and nothing for other faults", async () => {
  assertEquals(await hit({ fault: "server", how: "restart", write: id }), {
    ...ok,
    log: [PUT, "took server", "after server"],
  });
  assertEquals(await hit({ fault: "late" }), { ...ok, log: [PUT] });
});

Deno.test("Wire answers reads with injected errors, as often as the plan says, and pages by themselves", async () => {
  const fault: PlanFault = { fault: "read", code: 500, read: "op list configmaps default/ #1" };
  const { history, send, taken } = wire({ faults: [fault] });
  const refused = await send("GET", MAPS);
  assertEquals([refused.status, (await refused.json()).reason], [500, "InternalError"]);
  assertEquals(taken(), ["count op: list configmaps default/", "took read"]);
  await send("GET", `${MAPS}?limit=1&continue=x`);
  await send("GET", `${MAPS}?watch=1`);
  assertEquals(history.moments.map((one) => one.kind === "asked" && one.id), [
    "op list configmaps default/ #1",
    "op list configmaps default/ page #1",
    "op watch configmaps default/ #1",
  ]);
});

Deno.test("Wire lets nothing through while the process is cut off or refused", async () => {
  const send = async (outage: Given["outage"], method: string, url = `${MAPS}/a`) => {
    const world = wire({ outage });
    const sending = world.send(method, url, method === "GET" ? undefined : {}).then(
      async (answer) => {
        const text = await answer.text();
        return `${answer.status} ${text === "{}" ? "" : JSON.parse(text).message}`.trim();
      },
      ({ cause }) => (cause as Error).message,
    );
    await world.clock.advance(9999);
    const early = world.taken().length;
    await world.clock.advance(1);
    return [await sending, early < 2 || outage !== "slow"];
  };
  const refused = "Connection refused by an injected fault";
  const unauthorized = "401 Injected failure 401";
  assertEquals(await send("partition", "GET"), [refused, true]);
  assertEquals(await send("partition", "PATCH"), [refused, true]);
  assertEquals(await send("unauthorized", "GET"), [unauthorized, true]);
  assertEquals(await send("unauthorized", "PUT"), [unauthorized, true]);
  assertEquals(await send("slow", "PUT"), ["200", true]);
  assertEquals(await send("webhook", "GET"), ["200", true]);
  const [down] = await send("webhook", "DELETE");
  assertMatch(String(down), /^500 Internal error occurred: failed calling webhook/);
  const leases = "http://cluster/apis/coordination.k8s.io/v1/namespaces/default/leases/l";
  assertEquals(await send("webhook", "PUT", leases), ["200", true]);
});

Deno.test("Wire refuses all that concerns a resource whose definition fails", async () => {
  const send = async (definition: Given["definition"], method: string) => {
    const answer = await wire({ definition }).send(method, `${MAPS}/a`);
    return `${answer.status} ${await answer.text()}`.trim();
  };
  for (const method of ["GET", "DELETE"]) {
    assertEquals(await send("unserved", method), "404 404 page not found");
    const down = await send("unconverted", method);
    assertMatch(down, /^500 .*"conversion webhook for configmaps failed: Post /);
  }
});

Deno.test("Wire begins outages at a write, which they concern, and asks the process to stop", async () => {
  const write = "op update configmaps default/a #1";
  const outage: PlanFault = { fault: "outage", how: "slow", write, forMs: 5 };
  const stop: PlanFault = { fault: "stop", write, graceMs: 7 };
  const definition: PlanFault = {
    fault: "definition",
    how: "unserved",
    resource: "configmaps",
    write,
    forMs: 5,
  };
  const { send, taken } = wire({ faults: [outage, definition, stop] });
  await send("PUT", `${MAPS}/a`, {});
  assertEquals(taken().slice(1, -1), [
    "slow of op",
    "unserved definition",
    "took stop",
    "stop op within 7 ms",
  ]);
});
