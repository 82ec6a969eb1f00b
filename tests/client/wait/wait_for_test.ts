import { assert, assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { Client, complete, condition, deleted, rolledOut } from "@kubeloop/controller/client";
import {
  ConfigMaps,
  defineResource,
  Deployments,
  isForbidden,
  isNotFound,
  isUnauthorized,
  type Stored,
} from "@kubeloop/controller/types";
import type { ConfigMap, Deployment } from "@kubeloop/controller/types";
import { silentLogger, TerminalError } from "@kubeloop/controller/base";
import { VirtualClock } from "@kubeloop/testing";
import { namespace, ROLLED_OUT, Waiting } from "./_waiting.ts";

/** Asserts that a wait has left nothing behind. */
async function assertQuiet({ clock, server, requests }: Waiting): Promise<void> {
  const before = requests.length;
  await clock.settle();
  assertEquals([clock.pendingTimers, server.openWatches], [0, 0]);
  await clock.advance(600_000);
  assertEquals(requests.length, before);
}

Deno.test("Client.waitFor() returns an object that meets the predicate, after one list", async () => {
  await using waiting = new Waiting();
  await waiting.deployment(ROLLED_OUT);
  const found: Stored<Deployment> = await waiting.clock.run(
    waiting.client.waitFor(Deployments, "web", rolledOut, { namespace, timeoutMs: 1_000 }),
  );
  assertEquals(found.status?.availableReplicas, 3);
  assertEquals(waiting.verbs, ["list"]);
  await assertQuiet(waiting);
});

Deno.test("Client.waitFor() waits for an object that does not exist yet, and for each change of it", async () => {
  await using waiting = new Waiting();
  const seen: (string | undefined)[] = [];
  const call = waiting.client.waitFor(Deployments, "web", (found) => {
    seen.push(found && `${found.status?.availableReplicas ?? 0}`);
    return found?.status?.availableReplicas === 3;
  }, { namespace });
  await waiting.clock.advance(10);
  await waiting.clock.run(
    waiting.client.create(ConfigMaps, { metadata: { name: "web", namespace } }),
  );
  await waiting.deployment({
    observedGeneration: 1,
    replicas: 2,
    readyReplicas: 2,
    availableReplicas: 2,
  });
  await waiting.status(ROLLED_OUT);
  const found = await waiting.clock.run(call);
  assertEquals(found?.metadata.name, "web");
  assertEquals(seen, [undefined, "0", "2", "3"]);
  assertEquals(waiting.verbs, ["list", "watch"]);
  await assertQuiet(waiting);
});

Deno.test("Client.waitFor() passes undefined after a deletion, and returns it if the predicate accepts it", async () => {
  await using waiting = new Waiting();
  const { metadata } = await waiting.deployment();
  const call = waiting.client.waitFor(Deployments, "web", deleted(metadata.uid), { namespace });
  await waiting.clock.advance(10);
  await waiting.clock.run(waiting.client.delete(Deployments, "web", { namespace }));
  assertEquals(await waiting.clock.run(call), undefined);
  assertEquals(
    await waiting.clock.run(
      waiting.client.waitFor(Deployments, "web", (found) => found === undefined, { namespace }),
    ),
    undefined,
  );
  await assertQuiet(waiting);
});

Deno.test("Client.waitFor() resumes a watch after its end, from the last version, without a list", async () => {
  await using waiting = new Waiting();
  const { metadata: { resourceVersion } } = await waiting.deployment();
  waiting.server.faults.watchText("", { times: 2 });
  const call = waiting.client.waitFor(Deployments, "web", rolledOut, { namespace });
  await waiting.clock.advance(10_000);
  const next = (await waiting.status({ observedGeneration: 1 })).metadata.resourceVersion;
  waiting.server.faults.watchText("", { times: 1 });
  waiting.server.closeWatches();
  await waiting.clock.advance(10_000);
  await waiting.status(ROLLED_OUT);
  await waiting.clock.run(call);
  const from = `watch from ${resourceVersion}`;
  assertEquals(waiting.requests.map(([, request]) => request), [
    "list",
    from,
    from,
    from,
    `watch from ${next}`,
    `watch from ${next}`,
  ]);
  await assertQuiet(waiting);
});

Deno.test("Client.waitFor() replaces a silent watch, and lists after five of them", async () => {
  await using waiting = new Waiting();
  await waiting.deployment();
  const stop = new AbortController();
  const call = waiting.client.waitFor(Deployments, "web", rolledOut, {
    namespace,
    signal: stop.signal,
  });
  const ended = assertRejects(() => call);
  waiting.server.faults.silence();
  await waiting.clock.advance(400_000);
  stop.abort();
  await ended;
  assertEquals(
    waiting.verbs.slice(0, 8).join(" "),
    "list watch watch watch watch watch list watch",
  );
  await assertQuiet(waiting);
});

const isRead = ({ verb }: { readonly verb: string }) => verb === "list" || verb === "watch";

const FAILURES: Record<string, (waiting: Waiting) => void> = {
  "a list that fails with 500": ({ server }) =>
    void server.faults.fail(500, { times: 2, when: ({ verb }) => verb === "list" }),
  "a watch that fails with 503": ({ server }) =>
    void server.faults.fail(503, { times: 2, when: ({ verb }) => verb === "watch" }),
  "refused connections": ({ server }) =>
    void server.faults.drop("refused", { times: 3, when: isRead }),
  "reset connections": ({ server }) => void server.faults.drop("reset", { times: 3, when: isRead }),
  "a watch that is cut": ({ server }) =>
    void server.faults.cut({ afterLines: 0, times: 2, when: ({ verb }) => verb === "watch" }),
  "a list that is cut": ({ server }) =>
    void server.faults.truncate({ afterBytes: 10, times: 1, when: ({ verb }) => verb === "list" }),
  "an expired version, as an event": ({ server }) =>
    void server.faults.expire({ times: 1, when: ({ verb }) => verb === "watch" }),
  "an expired version, as a status": ({ server }) =>
    void server.faults.expire({ times: 1, asStatus: true, when: ({ verb }) => verb === "watch" }),
  "an answer that is not JSON": ({ server }) =>
    void server.faults.respond({ headers: { "content-type": "text/html" }, body: "<html>" }, {
      times: 1,
      when: isRead,
    }),
  "a watch that sends no events": ({ server }) =>
    void server.faults.watchText("not JSON\n", { times: 1 }),
  "a silent watch": ({ server }) =>
    void server.faults.silence({ times: 1, when: ({ verb }) => verb === "watch" }),
  "a list without an answer": ({ server }) =>
    void server.faults.delay(10_000_000, { times: 1, when: ({ verb }) => verb === "list" }),
  "a watch without an answer": ({ server }) =>
    void server.faults.delay(10_000_000, { times: 1, when: ({ verb }) => verb === "watch" }),
};

for (const [what, fail] of Object.entries(FAILURES)) {
  Deno.test(`Client.waitFor() survives ${what}`, async () => {
    await using waiting = new Waiting();
    await waiting.deployment();
    fail(waiting);
    const call = waiting.client.waitFor(Deployments, "web", rolledOut, { namespace });
    await waiting.clock.advance(5);
    await waiting.clock.settle();
    waiting.clock.setTimer(() => {
      void waiting.client.patchStatus(Deployments, "web", { status: ROLLED_OUT }, { namespace });
    }, 200);
    const found = await waiting.clock.run(call, 120_000);
    assertEquals(found.status?.updatedReplicas, 3);
    assert(waiting.requests.length > 1, waiting.verbs.join());
    await assertQuiet(waiting);
  });
}

Deno.test("Client.waitFor() waits as long as Retry-After says", async () => {
  await using waiting = new Waiting();
  await waiting.deployment(ROLLED_OUT);
  waiting.server.faults.throttle(20, { times: 1 });
  await waiting.clock.run(waiting.client.waitFor(Deployments, "web", rolledOut, { namespace }));
  assertEquals(waiting.requests, [[0, "list"], [20_000, "list"]]);
  assertEquals(waiting.logger.lines.length, 1);
  assertStringIncludes(
    waiting.logger.lines[0] as string,
    "warn Waiting for Deployment default/web",
  );
});

for (const text of ["", '{"type":"BOOKMARK","object":{"metadata":{"resourceVersion":"9"}}}\n']) {
  Deno.test(`Client.waitFor() does not flood a server that ends watches at once ${text && "after a bookmark"}`, async () => {
    await using waiting = new Waiting();
    await waiting.deployment();
    waiting.server.faults.watchText(text);
    const stop = new AbortController();
    const call = waiting.client.waitFor(Deployments, "web", rolledOut, {
      namespace,
      signal: stop.signal,
    });
    const ended = assertRejects(() => call);
    await waiting.clock.advance(60_000);
    const limit = text === "" ? 12 : 80;
    assert(waiting.requests.length < limit, `${waiting.requests.length} requests in a minute`);
    stop.abort();
    await ended;
    await assertQuiet(waiting);
  });
}

Deno.test("Client.waitFor() does not flood a server that refuses connections", async () => {
  await using waiting = new Waiting();
  waiting.server.faults.drop("refused");
  const call = waiting.client.waitFor(Deployments, "web", rolledOut, {
    namespace,
    timeoutMs: 100_000,
  });
  const error = await assertRejects(() => waiting.clock.run(call), DOMException);
  assertEquals(error.name, "TimeoutError");
  assertStringIncludes(
    error.message,
    "Deployment default/web was not rolled out within 100000 ms: the server has not answered yet; " +
      "the last request failed: GET ",
  );
  assert(waiting.requests.length <= 10, `${waiting.requests.length}`);
  await assertQuiet(waiting);
});

for (
  const [code, is] of [[401, isUnauthorized], [403, isForbidden], [404, isNotFound]] as const
) {
  for (const verb of ["list", "watch"]) {
    Deno.test(`Client.waitFor() fails at once on a ${verb} that answers ${code}`, async () => {
      await using waiting = new Waiting();
      await waiting.deployment();
      waiting.server.faults.fail(code, { when: (request) => request.verb === verb });
      const call = waiting.client.waitFor(Deployments, "web", rolledOut, { namespace });
      const startMs = waiting.clock.now();
      const error = await assertRejects(() => waiting.clock.run(call));
      assert(is(error), `${error}`);
      assertEquals(waiting.clock.now(), startMs);
      await assertQuiet(waiting);
    });
  }
}

Deno.test("Client.waitFor() fails at once if the server does not know the resource", async () => {
  await using waiting = new Waiting();
  const widgets = defineResource({
    group: "acme.io",
    version: "v1",
    plural: "widgets",
    kind: "Widget",
    namespaced: true,
  });
  const call = waiting.client.waitFor(widgets, "a", () => true, { namespace });
  assert(isNotFound(await assertRejects(() => waiting.clock.run(call))));
});

Deno.test("Client.waitFor() ends with the error of the predicate, in a list and in a watch", async () => {
  await using waiting = new Waiting();
  const thrown = new Error("it will never be");
  const never = (found: Stored<Deployment> | undefined) => {
    if (found !== undefined) throw thrown;
    return false;
  };
  const watching = waiting.client.waitFor(Deployments, "web", never, { namespace });
  const watched = assertRejects(() => watching);
  await waiting.clock.advance(10);
  await waiting.deployment();
  assertEquals(await waiting.clock.run(watched), thrown);
  const listing = waiting.client.waitFor(Deployments, "web", never, { namespace });
  assertEquals(await assertRejects(() => waiting.clock.run(listing)), thrown);
  assertEquals(waiting.logger.lines, []);
  await assertQuiet(waiting);
});

Deno.test("Client.waitFor() rejects with the reason of the signal, at any time", async () => {
  const reason = new Error("enough");
  for (const afterMs of [0, 1, 50, 1_000, 70_000, 400_000]) {
    await using waiting = new Waiting();
    await waiting.deployment();
    if (afterMs === 1_000) waiting.server.faults.fail(500);
    if (afterMs === 1) waiting.server.faults.delay(1_000);
    const stop = new AbortController();
    const startMs = waiting.clock.now();
    waiting.clock.setTimer(() => stop.abort(reason), afterMs);
    const call = waiting.client.waitFor(Deployments, "web", rolledOut, {
      namespace,
      signal: stop.signal,
    });
    assertEquals(await assertRejects(() => waiting.clock.run(call)), reason);
    assertEquals(waiting.clock.now() - startMs, afterMs);
    await assertQuiet(waiting);
  }
  await using waiting = new Waiting();
  const signal = AbortSignal.abort(reason);
  const call = waiting.client.waitFor(Deployments, "web", rolledOut, { namespace, signal });
  assertEquals(await assertRejects(() => call), reason);
  assertEquals(waiting.requests, []);
});

Deno.test("Client.waitFor() ends with its client, and with the signal of an observed client", async () => {
  await using waiting = new Waiting();
  await waiting.deployment();
  const stop = new AbortController();
  const observed = waiting.client.observed({}, { signal: stop.signal });
  const bound = observed.waitFor(Deployments, "web", rolledOut, { namespace });
  const boundEnd = assertRejects(() => bound, Error, "the lease is lost");
  const call = waiting.client.waitFor(Deployments, "web", rolledOut, { namespace });
  const ended = assertRejects(() => call, TerminalError, "Client is closed");
  await waiting.clock.advance(100);
  stop.abort(new Error("the lease is lost"));
  await waiting.clock.run(boundEnd);
  await waiting.client.close();
  await waiting.clock.run(ended);
  await assertQuiet(waiting);
});

Deno.test("Client.waitFor() says after its time-out what was missing", async () => {
  await using waiting = new Waiting();
  const messageOf = async (call: Promise<unknown>) => {
    const error = await assertRejects(() => waiting.clock.run(call), DOMException);
    assertEquals(error.name, "TimeoutError");
    return error.message;
  };
  const options = { namespace, timeoutMs: 30_000 };
  const { client } = waiting;
  assertEquals(
    await messageOf(client.waitFor(Deployments, "web", rolledOut, options)),
    "Deployment default/web was not rolled out within 30000 ms: it does not exist",
  );
  const { metadata } = await waiting.deployment({
    observedGeneration: 1,
    replicas: 1,
    updatedReplicas: 1,
  });
  assertEquals(
    await messageOf(client.waitFor(Deployments, "web", rolledOut, options)),
    "Deployment default/web was not rolled out within 30000 ms: 1 of 3 replicas are updated",
  );
  assertEquals(
    await messageOf(client.waitFor(Deployments, "web", condition("Available"), options)),
    "Deployment default/web did not have the condition Available=True within 30000 ms: " +
      "it has no condition Available",
  );
  assertEquals(
    await messageOf(client.waitFor(Deployments, "web", deleted(), options)),
    "Deployment default/web was not deleted within 30000 ms: it exists, and nobody has deleted it",
  );
  assertEquals(
    await messageOf(client.waitFor(Deployments, "web", function isBlue() {
      return false;
    }, options)),
    "Deployment default/web did not meet the predicate isBlue within 30000 ms: " +
      `the predicate does not hold for resource version ${metadata.resourceVersion}, generation 1`,
  );
  assertEquals(
    await messageOf(client.waitFor(Deployments, "web", () => "\x1b[2J\nsee", options)),
    "Deployment default/web did not meet the predicate within 30000 ms: \\u001b[2J\\nsee",
  );
  await assertQuiet(waiting);
});

Deno.test("Client.waitFor() refuses misuse before any request", async () => {
  await using waiting = new Waiting();
  const { client, clock } = waiting;
  const isNothing = undefined as unknown as () => boolean;
  await assertRejects(
    () => client.waitFor(Deployments, "web", isNothing, { namespace }),
    TypeError,
    'waitFor() needs a predicate, such as rolledOut or condition("Ready"): received undefined',
  );
  await assertRejects(() => client.waitFor(Deployments, "", rolledOut, { namespace }), TypeError);
  await assertRejects(() => client.waitFor(Deployments, "web", rolledOut), TypeError, "namespace");
  await assertRejects(
    () => client.waitFor(Deployments, "web", rolledOut, { namespace, timeoutMs: NaN }),
    RangeError,
    "timeoutMs",
  );
  assertEquals(waiting.requests, []);
  const wrong: [unknown, string][] = [
    [deleted, "received a function"],
    [() => Promise.reject(new Error("late")), "received a promise"],
    [() => 3, "received 3"],
    [() => null, "received null"],
  ];
  for (const [predicate, text] of wrong) {
    await assertRejects(
      () => clock.run(client.waitFor(ConfigMaps, "a", predicate as () => boolean, { namespace })),
      TypeError,
      text,
    );
  }
  await assertQuiet(waiting);
});

Deno.test("Client.waitFor() ignores what a broken server sends besides the object", async () => {
  const map = (name: string, resourceVersion: unknown) => ({
    metadata: { name, namespace, resourceVersion },
  });
  const lines = [
    { type: "ADDED", object: {} },
    { type: "ADDED", object: map("other", "5") },
    { type: "MODIFIED", object: { metadata: null } },
    { type: "ADDED", object: map("a", 6) },
  ].map((event) => JSON.stringify(event)).join("\n");
  const versions: (string | null)[] = [];
  const client = new Client({
    fetch: ({ url }) => {
      const query = new URL(url).searchParams;
      if (query.get("watch") === null) {
        return Promise.resolve(Response.json({
          metadata: { resourceVersion: "4" },
          items: [{ metadata: null }, map("other", "3")],
        }));
      }
      versions.push(query.get("resourceVersion"));
      return Promise.resolve(new Response(`${lines}\n`));
    },
  });
  const found: Stored<ConfigMap> | undefined = await client.waitFor(
    ConfigMaps,
    "a",
    (object) => object !== undefined,
    { namespace },
  );
  assertEquals([found?.metadata.name, versions], ["a", ["4"]]);
  await client.close();
});

Deno.test("Client.waitFor() shows no credentials that a condition repeats", async () => {
  const token = "secret-token-0123456789";
  const clock = new VirtualClock();
  const job = {
    apiVersion: "batch/v1",
    kind: "Job",
    metadata: { name: "a", namespace, uid: "u", resourceVersion: "1" },
    status: { conditions: [{ type: "Failed", status: "True", message: `no: ${token}` }] },
  };
  const list = { kind: "JobList", metadata: { resourceVersion: "1" }, items: [job] };
  await using client = new Client({
    clock,
    token,
    logger: silentLogger,
    fetch: () => Promise.resolve(Response.json(list)),
  });
  const Jobs = defineResource({
    group: "batch",
    version: "v1",
    plural: "jobs",
    kind: "Job",
    namespaced: true,
  });
  const options = { namespace, timeoutMs: 5_000 };
  for (
    const [predicate, shown] of [
      [complete, "Job default/a has failed: no: (hidden)"],
      [condition("Failed", "False"), "its condition Failed is True: no: (hidden)"],
    ] as const
  ) {
    const { message } = await assertRejects(
      () => clock.run(client.waitFor(Jobs, "a", predicate, options)),
      Error,
    );
    assertStringIncludes(message, shown);
  }
});
