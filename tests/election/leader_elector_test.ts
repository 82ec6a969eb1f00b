import {
  assert,
  assertEquals,
  assertRejects,
  assertStringIncludes,
  assertThrows,
} from "@std/assert";
import { Client, type Clock, Leases } from "@kubeloop/controller";
import { delay } from "@kubeloop/controller/base";
import { LeaderElector, LeadershipLostError } from "@kubeloop/controller/election";
import { VirtualClock } from "@kubeloop/testing";
import { aborted, Cluster, of } from "./_cluster.ts";

const name = "widgets";
const namespace = "default";

/** A replica whose leader records when it led. */
class Replica {
  readonly elector: LeaderElector;
  readonly stop = new AbortController();
  readonly ledAtMs: number[] = [];
  readonly stoppedAtMs: number[] = [];
  readonly reasons: unknown[] = [];
  readonly running: Promise<void>;

  constructor(
    cluster: Cluster,
    identity: string,
    options: {
      readonly stopMs?: number;
      readonly clock?: Clock;
      readonly takeOver?: boolean;
    } = {},
  ) {
    const { clock } = cluster;
    this.elector = new LeaderElector(cluster.client(identity), {
      name,
      identity,
      clock: options.clock ?? clock,
      takeOver: options.takeOver,
    });
    this.running = this.elector.run(async (signal) => {
      this.ledAtMs.push(clock.now());
      await aborted(signal);
      this.reasons.push(signal.reason);
      if (options.stopMs !== undefined) await delay(options.stopMs, { clock });
      this.stoppedAtMs.push(clock.now());
    }, { signal: this.stop.signal });
    this.running.catch(() => {});
  }

  async end(clock: VirtualClock): Promise<void> {
    this.stop.abort();
    await clock.run(this.running);
  }
}

Deno.test("LeaderElector leads at once, and writes the fields of client-go", async () => {
  await using cluster = new Cluster();
  const a = new Replica(cluster, "a");
  await cluster.clock.advance(1_000);
  assertEquals(a.ledAtMs, [0]);
  assert(a.elector.isLeader());
  assertEquals(cluster.metrics.get("leader_election_master_status"), 1);
  const { spec } = await cluster.lease(name);
  assertEquals(spec, {
    holderIdentity: "a",
    leaseDurationSeconds: 15,
    acquireTime: "2026-01-01T00:00:00.000000Z",
    renewTime: "2026-01-01T00:00:00.000000Z",
    leaseTransitions: 0,
  });
  await cluster.clock.advance(5_000);
  const renewed = (await cluster.lease(name)).spec;
  assertEquals(renewed?.acquireTime, "2026-01-01T00:00:00.000000Z");
  assertEquals(renewed?.renewTime, "2026-01-01T00:00:06.000000Z");
  await a.end(cluster.clock);
  assertEquals(cluster.metrics.get("leader_election_master_status"), 0);
  const released = (await cluster.lease(name)).spec;
  assertEquals([released?.holderIdentity, released?.leaseDurationSeconds], ["", 1]);
  assertEquals(a.elector.isLeader(), false);
});

Deno.test("LeaderElector releases the Lease after the work has stopped, and another leads within 2 s", async () => {
  await using cluster = new Cluster();
  const a = new Replica(cluster, "a", { stopMs: 40_000 });
  await cluster.clock.advance(100);
  const b = new Replica(cluster, "b");
  await cluster.clock.advance(60_000);
  assertEquals([b.ledAtMs, b.elector.leader()], [[], "a"]);
  assertStringIncludes(b.elector.whyNotLeader() ?? "", 'held by "a"');
  a.stop.abort();
  // The Lease is renewed while the work stops, which takes longer than the Lease.
  await cluster.clock.advance(39_000);
  assertEquals([b.ledAtMs, a.elector.isLeader()], [[], true]);
  await cluster.clock.run(a.running);
  const [stoppedAtMs = 0] = a.stoppedAtMs;
  await cluster.clock.advance(2_000);
  const [ledAtMs = Infinity] = b.ledAtMs;
  assert(ledAtMs >= stoppedAtMs && ledAtMs - stoppedAtMs <= 2_000, `${stoppedAtMs} ${ledAtMs}`);
  assertEquals((await cluster.lease(name)).spec?.leaseTransitions, 1);
  assertEquals(b.elector.snapshot(), {
    identity: "b",
    isLeader: true,
    leader: "b",
    transitions: 1,
    failures: 0,
    whyNotLeader: undefined,
  });
  await b.end(cluster.clock);
});

Deno.test("LeaderElector: the signal aborts at the deadline of the last renewal that was sent", async () => {
  await using cluster = new Cluster();
  const a = new Replica(cluster, "a");
  await cluster.clock.advance(500);
  const b = new Replica(cluster, "b");
  await cluster.clock.advance(7_000);
  // The last renewal was sent at 6 s. From now on, requests of `a` hang.
  cluster.server.faults.delay(3_600_000, { when: of("a") });
  await cluster.clock.advance(8_499);
  assertEquals([a.elector.isLeader(), a.reasons.length], [true, 0]);
  await cluster.clock.advance(1);
  assertEquals(a.elector.isLeader(), false);
  const [error] = a.reasons;
  assert(LeadershipLostError.is(error));
  assertEquals([error.lease, error.name], ["default/widgets", "LeadershipLostError"]);
  assertStringIncludes(error.message, "could not be renewed within 10000 ms");
  assertEquals(cluster.metrics.get("leader_election_master_status"), 0);
  await cluster.clock.advance(7_500);
  // `b` has seen the renewal of 6 s before 8 s, and has waited for 15 s since.
  const [ledAtMs = 0] = b.ledAtMs;
  assert(ledAtMs >= 21_000 && ledAtMs < 23_000, `b leads at ${ledAtMs}`);
  assertEquals(await assertRejects(() => cluster.clock.run(a.running)), error);
  await b.end(cluster.clock);
});

Deno.test("LeaderElector: an answer that comes late counts from when its request was sent", async () => {
  await using cluster = new Cluster();
  const a = new Replica(cluster, "a");
  await cluster.clock.advance(1_000);
  // Sent at 2 s, answered at 6 s: the deadline is at 12 s.
  cluster.server.faults.delay(4_000, { when: of("a"), times: 1 });
  await cluster.clock.advance(2_500);
  cluster.server.faults.drop("refused", { when: of("a") });
  await cluster.clock.advance(8_499);
  assertEquals(a.elector.isLeader(), true);
  await cluster.clock.advance(1);
  assertEquals(a.elector.isLeader(), false);
  await assertRejects(() => cluster.clock.run(a.running), LeadershipLostError);
});

Deno.test("LeaderElector.isLeader() is false after the deadline although no timer has run", async () => {
  await using cluster = new Cluster();
  let sleptMs = 0;
  const clock: Clock = {
    now: () => cluster.clock.now() + sleptMs,
    wallNow: () => cluster.clock.wallNow() + sleptMs,
    setTimer: (callback, delayMs) => cluster.clock.setTimer(callback, delayMs),
  };
  const a = new Replica(cluster, "a", { clock });
  await cluster.clock.advance(1_000);
  sleptMs = 8_999;
  assert(a.elector.isLeader());
  sleptMs = 9_000;
  assertEquals(a.elector.isLeader(), false);
  // The call has told the leader, too.
  await cluster.clock.advance(0);
  assertEquals(a.reasons.length, 1);
  await assertRejects(() => cluster.clock.run(a.running), LeadershipLostError);
});

Deno.test("LeaderElector: the wall clock may jump", async () => {
  await using cluster = new Cluster();
  let jumpMs = 0;
  const clock: Clock = {
    now: () => cluster.clock.now(),
    wallNow: () => cluster.clock.wallNow() + jumpMs,
    setTimer: (callback, delayMs) => cluster.clock.setTimer(callback, delayMs),
  };
  const a = new Replica(cluster, "a", { clock });
  const b = new Replica(cluster, "b");
  await cluster.clock.advance(1_000);
  for (const ms of [86_400_000, -86_400_000, -1e12, NaN, 1e300]) {
    jumpMs = ms;
    await cluster.clock.advance(20_000);
  }
  assertEquals([a.ledAtMs.length + b.ledAtMs.length, a.reasons, b.reasons], [1, [], []]);
  await a.end(cluster.clock);
  await b.end(cluster.clock);
});

Deno.test("LeaderElector stops at once when another holder is written into the Lease", async () => {
  await using cluster = new Cluster();
  const a = new Replica(cluster, "a");
  await cluster.clock.advance(1_000);
  const client = cluster.client();
  const holderIdentity = "thief\u001b[2J";
  await cluster.clock.run(client.patch(Leases, name, { spec: { holderIdentity } }, { namespace }));
  await cluster.clock.advance(1_100);
  const error = await assertRejects(() => cluster.clock.run(a.running), LeadershipLostError);
  assertStringIncludes(error.message, 'now held by "thief\\u001b[2J"');
  assertEquals(cluster.metrics.get("leader_election_slowpath_total"), 1);
  // The Lease of another holder is not released.
  assertEquals((await cluster.lease(name)).spec?.holderIdentity, holderIdentity);
});

Deno.test("LeaderElector creates a Lease again that was deleted, and standbys wait", async () => {
  await using cluster = new Cluster();
  const a = new Replica(cluster, "a");
  await cluster.clock.advance(1_000);
  const b = new Replica(cluster, "b");
  await cluster.clock.advance(3_500);
  await cluster.clock.run(cluster.client().delete(Leases, name, { namespace }));
  await cluster.clock.advance(1_499);
  assertEquals(b.ledAtMs, []);
  await cluster.clock.advance(30_000);
  assertEquals([a.elector.isLeader(), b.ledAtMs, a.reasons], [true, [], []]);
  assertEquals((await cluster.lease(name)).spec?.holderIdentity, "a");
  await a.end(cluster.clock);
  await b.end(cluster.clock);
});

Deno.test("LeaderElector keeps the fields of other writers in the Lease", async () => {
  await using cluster = new Cluster();
  const a = new Replica(cluster, "a");
  await cluster.clock.advance(1_000);
  const labels = { team: "red" };
  await cluster.clock.run(
    cluster.client().patch(Leases, name, { metadata: { labels } }, { namespace }),
  );
  await cluster.clock.advance(10_000);
  assertEquals((await cluster.lease(name)).metadata.labels, labels);
  assertEquals(a.elector.isLeader(), true);
  await a.end(cluster.clock);
});

Deno.test("LeaderElector takes a Lease with invalid values after a whole lease", async () => {
  for (
    const spec of [
      { holderIdentity: "gone" },
      {
        holderIdentity: "gone",
        leaseDurationSeconds: 15,
        renewTime: "9999-12-31T23:59:59.999999Z",
      },
      { holderIdentity: "gone", leaseDurationSeconds: 15, leaseTransitions: 2 ** 31 - 1 },
    ]
  ) {
    await using cluster = new Cluster();
    const client = cluster.client();
    await cluster.clock.run(client.create(Leases, { metadata: { name, namespace }, spec }));
    const a = new Replica(cluster, "a");
    await cluster.clock.advance(14_900);
    assertEquals(a.ledAtMs, []);
    await cluster.clock.advance(2_000);
    assertEquals(a.elector.isLeader(), true);
    await cluster.clock.advance(10_000);
    assertEquals(a.elector.isLeader(), true);
    await a.end(cluster.clock);
  }
});

Deno.test("LeaderElector waits for a holder whose Lease has an integer beyond 64 bits", async () => {
  await using cluster = new Cluster();
  const spec = { holderIdentity: "gone", leaseDurationSeconds: 15, leaseTransitions: 5 };
  await cluster.clock.run(cluster.client().create(Leases, { metadata: { name, namespace }, spec }));
  const { fetch } = cluster.server.clientOptions;
  await using client = new Client({
    ...cluster.server.clientOptions,
    fetch: async (request) => {
      const response = await fetch(request);
      const text = await response.text();
      const large = text.replace('"leaseTransitions":5', '"leaseTransitions":18446744073709551616');
      return new Response(large, response);
    },
  });
  const elector = new LeaderElector(client, {
    name,
    namespace,
    identity: "a",
    clock: cluster.clock,
  });
  const stop = new AbortController();
  let ledAtMs = 0;
  const running = elector.run(async (signal) => {
    ledAtMs = cluster.clock.now();
    await aborted(signal);
  }, { signal: stop.signal });
  await cluster.clock.advance(14_900);
  assertEquals(ledAtMs, 0);
  await cluster.clock.advance(2_000);
  assert(ledAtMs >= 15_000);
  stop.abort();
  await cluster.clock.run(running);
});

Deno.test("LeaderElector takes a Lease after the duration in the Lease", async () => {
  await using cluster = new Cluster();
  const client = cluster.client();
  const spec = { holderIdentity: "gone", leaseDurationSeconds: 3, leaseTransitions: 7 };
  await cluster.clock.run(client.create(Leases, { metadata: { name, namespace }, spec }));
  const a = new Replica(cluster, "a");
  await cluster.clock.advance(3_100);
  assertEquals([a.elector.isLeader(), a.elector.snapshot().transitions], [true, 8]);
  await a.end(cluster.clock);
});

Deno.test("LeaderElector names a missing right, logs it once, and retries at its pace", async () => {
  await using cluster = new Cluster();
  const forbidden = cluster.server.faults.fail(403, { when: of("a", "get") });
  const a = new Replica(cluster, "a");
  await cluster.clock.advance(60_000);
  assert(forbidden.hits >= 30 && forbidden.hits <= 41, `${forbidden.hits} requests in a minute`);
  assertStringIncludes(
    a.elector.whyNotLeader() ?? "",
    'needed is the verb "get" on leases of coordination.k8s.io',
  );
  assertEquals(a.elector.snapshot().failures, forbidden.hits);
  assertEquals(cluster.logger.of("warn").length, 1);
  forbidden.remove();
  await cluster.clock.advance(2_000);
  assertEquals([a.elector.isLeader(), a.elector.whyNotLeader()], [true, undefined]);
  await a.end(cluster.clock);
});

Deno.test("LeaderElector reports a missing namespace, and leads when it exists", async () => {
  await using cluster = new Cluster();
  const missing = cluster.server.faults.fail(404, { when: of("a", "create") });
  const a = new Replica(cluster, "a");
  await cluster.clock.advance(30_000);
  assertStringIncludes(a.elector.whyNotLeader() ?? "", "does the namespace exist?");
  assert(missing.hits <= 21, `${missing.hits} requests`);
  assertEquals(cluster.logger.of("warn").length, 1);
  missing.remove();
  await cluster.clock.advance(2_000);
  assert(a.elector.isLeader());
  await a.end(cluster.clock);
});

Deno.test("LeaderElector survives lost answers", async () => {
  await using cluster = new Cluster();
  cluster.server.faults.drop("reset", { when: of("a", "create", "update"), times: 3 });
  const a = new Replica(cluster, "a");
  await cluster.clock.advance(20_000);
  assertEquals([a.elector.isLeader(), a.reasons], [true, []]);
  // The Lease that is given back without an answer is free.
  cluster.server.faults.drop("reset", { when: of("a", "update"), times: 1 });
  await a.end(cluster.clock);
  assertEquals((await cluster.lease(name)).spec?.holderIdentity, "");
});

Deno.test("LeaderElector.run() ends with its function, and with its errors", async () => {
  await using cluster = new Cluster();
  const { clock } = cluster;
  const elector = new LeaderElector(cluster.client(), { name });
  let led = 0;
  await clock.run(elector.run(() => Promise.resolve(void led++)));
  assertEquals(led, 1);
  assertEquals((await cluster.lease(name)).spec?.holderIdentity, "");
  await assertRejects(
    () => clock.run(elector.run(() => Promise.reject(new Error("disk full")))),
    Error,
    "disk full",
  );
  const broken = () => {
    throw new RangeError("at once");
  };
  await assertRejects(() => clock.run(elector.run(broken)), RangeError, "at once");
  assertEquals((await cluster.lease(name)).spec?.holderIdentity, "");
  // A leader that rejects with the reason of the abort has stopped gracefully.
  const stop = new AbortController();
  const running = elector.run(async (signal) => {
    await aborted(signal);
    signal.throwIfAborted();
  }, { signal: stop.signal });
  await clock.advance(5_000);
  assert(elector.isLeader());
  await assertRejects(() => elector.run(() => {}), Error, "is running");
  stop.abort();
  await clock.run(running);
  assertEquals(elector.whyNotLeader(), "it is not running");
});

Deno.test("LeaderElector: a standby stops at once, and leaves nothing", async () => {
  await using cluster = new Cluster();
  const a = new Replica(cluster, "a");
  await cluster.clock.advance(1_000);
  const b = new Replica(cluster, "b");
  await cluster.clock.advance(1_000);
  // A read that hangs does not keep a standby.
  cluster.server.faults.delay(3_600_000, { when: of("b") });
  await cluster.clock.advance(2_000);
  b.stop.abort();
  await cluster.clock.advance(0);
  await b.running;
  await a.end(cluster.clock);
  const early = new LeaderElector(cluster.client(), { name });
  await early.run(() => {}, { signal: AbortSignal.abort() });
  assertEquals((await cluster.lease(name)).spec?.holderIdentity, "");
});

Deno.test("LeaderElector that cannot release its Lease ends after the deadline", async () => {
  await using cluster = new Cluster();
  const a = new Replica(cluster, "a");
  await cluster.clock.advance(1_000);
  cluster.server.faults.delay(3_600_000, { when: of("a") });
  a.stop.abort();
  const startMs = cluster.clock.now();
  await cluster.clock.run(a.running);
  assert(cluster.clock.now() - startMs <= 15_000);
});

Deno.test("LeaderElector refuses invalid options", async () => {
  await using cluster = new Cluster();
  const client = cluster.client();
  const make = (options: Record<string, unknown>) => () =>
    new LeaderElector(client, { name, ...options } as never);
  assertThrows(make({ name: "" }), TypeError, "must be a text that is not empty");
  assertThrows(make({ identity: "" }), TypeError, "identity");
  assertThrows(make({ leaseDurationMs: 10_000 }), RangeError, "greater than renewDeadlineMs");
  assertThrows(make({ renewDeadlineMs: 2_400 }), RangeError, "1.2 times retryPeriodMs");
  assertThrows(make({ leaseDurationMs: 15_500 }), RangeError, "whole number of seconds");
  assertThrows(make({ retryPeriodMs: 0 }), RangeError, "above 0");
  assertThrows(make({ retryPeriodMs: NaN }), RangeError, "finite");
  const stub = { get: client.get, create: client.create, update: client.update };
  assertThrows(() => new LeaderElector(stub, { name }), TypeError, "pass namespace");
  assertThrows(() => new LeaderElector({} as never, { name }), TypeError, "without get()");
  assertThrows(
    () => new LeaderElector(client, undefined as never),
    TypeError,
    "takes an object with options",
  );
  const elector = new LeaderElector(client, { name });
  await assertRejects(() => elector.run(undefined as never), TypeError, "lead must be a function");
});

Deno.test("LeaderElector aborts requests of a client that ignores every signal", async () => {
  const clock = new VirtualClock();
  let calls = 0;
  const hang = () => {
    calls++;
    return new Promise<never>(() => {});
  };
  const stub = { get: hang, create: hang, update: hang };
  const elector = new LeaderElector(stub, { name, namespace, clock });
  const stop = new AbortController();
  const running = elector.run(() => {}, { signal: stop.signal });
  await clock.advance(60_000);
  assert(calls >= 10 && calls <= 13, `${calls} calls`);
  stop.abort();
  await clock.run(running);
});

Deno.test("LeaderElector with takeOver takes a held Lease, leads when its holder must have stopped, and gives it back", async () => {
  await using cluster = new Cluster();
  const a = new Replica(cluster, "a");
  await cluster.clock.advance(5_500);
  const developer = new Replica(cluster, "developer", { takeOver: true });
  await cluster.clock.advance(0);
  assertEquals((await cluster.lease(name)).spec?.holderIdentity, "developer");
  assertEquals([a.elector.isLeader(), developer.elector.isLeader()], [true, false]);
  assertStringIncludes(
    developer.elector.whyNotLeader() ?? "",
    "was taken from its holder, which may act for 15 s",
  );
  // The holder notices it at its next renewal.
  await cluster.clock.advance(600);
  assertEquals([a.elector.isLeader(), a.stoppedAtMs], [false, [6_000]]);
  const error = await assertRejects(() => cluster.clock.run(a.running), LeadershipLostError);
  assertStringIncludes(error.message, 'it is now held by "developer"');
  // A Deployment starts it again, as a standby.
  const again = new Replica(cluster, "a-again");
  await cluster.clock.advance(14_000);
  assertEquals(developer.ledAtMs, []);
  await cluster.clock.advance(3_000);
  const [ledAtMs = 0] = developer.ledAtMs;
  assert(ledAtMs >= 20_500 && ledAtMs <= 22_500, `it leads at ${ledAtMs}`);
  assertEquals(again.ledAtMs, []);
  await developer.end(cluster.clock);
  await cluster.clock.advance(2_000);
  assertEquals(again.ledAtMs.length, 1);
  await again.end(cluster.clock);
});

Deno.test("LeaderElector with takeOver waits for the holder if the answer of its write was lost", async () => {
  await using cluster = new Cluster();
  const a = new Replica(cluster, "a");
  await cluster.clock.advance(5_500);
  // The write is carried out, and the answer does not arrive: the next read names the developer.
  cluster.server.faults.drop("reset", { when: of("developer", "update"), times: 1 });
  const developer = new Replica(cluster, "developer", { takeOver: true });
  await cluster.clock.advance(14_000);
  assertEquals((await cluster.lease(name)).spec?.holderIdentity, "developer");
  assertEquals([developer.ledAtMs, a.stoppedAtMs], [[], [6_000]]);
  await cluster.clock.advance(10_000);
  assertEquals(developer.ledAtMs.length, 1);
  await developer.end(cluster.clock);
});

Deno.test("LeaderElector with takeOver leads at once without a holder, and after its own former life", async () => {
  await using cluster = new Cluster();
  const first = new Replica(cluster, "developer", { takeOver: true });
  await cluster.clock.advance(100);
  assertEquals(first.ledAtMs, [0]);
  // It was killed without a release. A replica of the same name takes the Lease at once.
  cluster.server.faults.drop("refused", { when: of("developer") });
  await cluster.clock.advance(11_000);
  await assertRejects(() => cluster.clock.run(first.running), LeadershipLostError);
  cluster.server.faults.clear();
  const startedAtMs = cluster.clock.now();
  const second = new Replica(cluster, "developer", { takeOver: true });
  await cluster.clock.advance(100);
  assertEquals(second.ledAtMs, [startedAtMs]);
  await second.end(cluster.clock);
});

Deno.test("LeaderElector with takeOver fails if another one takes the Lease while it waits", async () => {
  await using cluster = new Cluster();
  const a = new Replica(cluster, "a");
  await cluster.clock.advance(1_000);
  const one = new Replica(cluster, "one", { takeOver: true });
  await cluster.clock.advance(1_000);
  const other = new Replica(cluster, "other", { takeOver: true });
  await cluster.clock.advance(3_000);
  const error = await assertRejects(() => cluster.clock.run(one.running), LeadershipLostError);
  assertStringIncludes(error.message, 'it is now held by "other"');
  assertEquals(one.ledAtMs, []);
  await assertRejects(() => cluster.clock.run(a.running), LeadershipLostError);
  await other.end(cluster.clock);
});

Deno.test("LeaderElector refuses a takeOver that is not a boolean", async () => {
  await using cluster = new Cluster();
  const options = { name, namespace, takeOver: "yes" as unknown as boolean };
  assertThrows(() => new LeaderElector(cluster.client(), options), TypeError, "takeOver");
});
