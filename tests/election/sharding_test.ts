import {
  assert,
  assertEquals,
  assertRejects,
  assertStringIncludes,
  assertThrows,
} from "@std/assert";
import { Leases } from "@kubeloop/controller";
import { delay } from "@kubeloop/controller/base";
import {
  LeadershipLostError,
  Sharding,
  type ShardingOptions,
  shardOf,
} from "@kubeloop/controller/election";
import { Cluster, of } from "./_cluster.ts";

const name = "widgets";
const namespace = "default";

/** A replica that records what happens to its shards. */
class Replica {
  readonly sharding: Sharding;
  readonly stop = new AbortController();
  readonly lost: number[] = [];
  readonly running: Promise<void>;
  drains = 0;

  constructor(
    cluster: Cluster,
    identity: string,
    options: Partial<ShardingOptions> & { readonly drainMs?: number } = {},
  ) {
    const { drainMs = 0, ...rest } = options;
    const { clock } = cluster;
    this.sharding = new Sharding(cluster.client(identity), { name, identity, shards: 8, ...rest });
    this.running = this.sharding.run({
      acquired: () => {},
      drain: async () => {
        this.drains++;
        if (drainMs > 0) await delay(drainMs, { clock });
      },
      lost: (shard) => void this.lost.push(shard),
    }, { signal: this.stop.signal });
  }

  get owned(): readonly number[] {
    return this.sharding.snapshot().owned;
  }

  end(): Promise<void> {
    this.stop.abort();
    return this.running;
  }
}

function end(cluster: Cluster, ...replicas: Replica[]): Promise<void[]> {
  return cluster.clock.run(Promise.all(replicas.map((replica) => replica.end())));
}

function counts(...replicas: Replica[]): number[] {
  return replicas.map(({ owned }) => owned.length).sort();
}

Deno.test("Sharding: the first replica has all shards at once, and leaves nothing but the table", async () => {
  await using cluster = new Cluster();
  const a = new Replica(cluster, "a");
  await cluster.clock.advance(100);
  assertEquals(a.owned, [0, 1, 2, 3, 4, 5, 6, 7]);
  assertEquals(cluster.metrics.get("kubeloop_shards_owned"), 8);
  for (let i = 0; i < 50; i++) {
    assert(a.sharding.owns(`default/web-${i}`));
    assertEquals(a.sharding.signalOf(`default/web-${i}`)?.aborted, false);
  }
  assertEquals(cluster.server.count(Leases, namespace), 2);
  await end(cluster, a);
  assertEquals(a.sharding.owns("default/web"), false);
  assertEquals(a.sharding.signalOf("default/web"), undefined);
  assertEquals(cluster.metrics.get("kubeloop_shards_owned"), 0);
  assertEquals(cluster.server.count(Leases, namespace), 1);
  const { metadata } = await cluster.lease("widgets-shards");
  assertEquals(metadata.annotations?.["kubeloop/shards"], '{"shards":8,"owners":{}}');
});

Deno.test("Sharding: replicas that join and leave get their share, drained, with small gaps", async () => {
  await using cluster = new Cluster();
  const a = new Replica(cluster, "a", { drainMs: 5_000 });
  await cluster.clock.advance(1_000);
  const b = new Replica(cluster, "b", { drainMs: 5_000 });
  await cluster.clock.advance(4_000);
  // `a` hands four shards over, which no longer begin anything, but still have their signals.
  const { draining } = a.sharding.snapshot();
  assertEquals([draining, b.owned], [[4, 5, 6, 7], []]);
  const drained = keyOf(7);
  assertEquals(a.sharding.owns(drained), false);
  assertEquals(a.sharding.signalOf(drained)?.aborted, false);
  await cluster.clock.advance(5_000);
  assertEquals([a.owned, b.owned], [[0, 1, 2, 3], [4, 5, 6, 7]]);
  const c = new Replica(cluster, "c");
  await cluster.clock.advance(15_000);
  assertEquals(counts(a, b, c), [2, 3, 3]);
  assertEquals([a.lost, b.lost, c.lost], [[], [], []]);
  await end(cluster, c);
  await cluster.clock.advance(2_500);
  assertEquals(counts(a, b), [4, 4]);
  await end(cluster, a, b);
});

Deno.test("Sharding: a stopping replica hands over within two seconds", async () => {
  await using cluster = new Cluster();
  const a = new Replica(cluster, "a");
  const b = new Replica(cluster, "b");
  await cluster.clock.advance(20_000);
  assertEquals(counts(a, b), [4, 4]);
  a.stop.abort();
  await cluster.clock.run(a.running);
  await cluster.clock.advance(2_000);
  assertEquals(b.owned.length, 8);
  await end(cluster, b);
});

Deno.test("Sharding: the shards of a replica that is cut off abort in time, and are taken after a lease", async () => {
  await using cluster = new Cluster();
  const a = new Replica(cluster, "a");
  const b = new Replica(cluster, "b");
  await cluster.clock.advance(20_000);
  const [first = 0] = a.owned;
  const signal = a.sharding.signalOf(keyOf(first));
  assert(signal);
  cluster.server.faults.delay(3_600_000, { when: of("a") });
  await cluster.clock.advance(10_000);
  assertEquals([a.owned, a.lost.length, signal.aborted], [[], 4, true]);
  assert(LeadershipLostError.is(signal.reason));
  assertStringIncludes(signal.reason.message, `default/widgets-shards, shard ${first}`);
  assertEquals(b.owned.length, 4);
  assertEquals(a.sharding.owns(keyOf(first)), false);
  await cluster.clock.advance(10_000);
  assertEquals(b.owned.length, 8);
  // It joins again by itself.
  cluster.server.faults.clear();
  await cluster.clock.advance(20_000);
  assertEquals(counts(a, b), [4, 4]);
  assertEquals(cluster.server.count(Leases, namespace), 3);
  await end(cluster, a, b);
});

Deno.test("Sharding makes two requests in each retry period, whatever the number of shards", async () => {
  await using cluster = new Cluster();
  const a = new Replica(cluster, "a", { shards: 512 });
  const b = new Replica(cluster, "b", { shards: 512 });
  await cluster.clock.advance(20_000);
  assertEquals(counts(a, b), [256, 256]);
  const seen = cluster.server.faults.delay(0, { when: of("a") });
  await cluster.clock.advance(60_000);
  assert(seen.hits <= 66, `${seen.hits} requests in a minute`);
  await end(cluster, a, b);
});

Deno.test("Sharding retries at its pace when each update of a Lease is refused", async () => {
  for (const code of [409, 404]) {
    for (const fromMs of [0, 5_000]) {
      await using cluster = new Cluster();
      const { clock, server } = cluster;
      const startMs = clock.now();
      const isLate = () => clock.now() >= startMs + fromMs;
      const seen = server.faults.delay(0, { when: (request) => isLate() && of("a")(request) });
      server.faults.fail(code, { when: (request) => isLate() && of("a", "update")(request) });
      const a = new Replica(cluster, "a");
      await clock.advance(fromMs);
      await cluster.clock.advance(100);
      assert(seen.hits <= 20, `${seen.hits} requests in a moment`);
      await cluster.clock.advance(60_000);
      assert(seen.hits <= 240, `${seen.hits} requests in a minute`);
      await end(cluster, a);
    }
  }
});

Deno.test("Sharding: replicas with another number of shards wait until the others have stopped", async () => {
  await using cluster = new Cluster();
  const a = new Replica(cluster, "a");
  await cluster.clock.advance(1_000);
  const b = new Replica(cluster, "b", { shards: 16 });
  await cluster.clock.advance(60_000);
  assertEquals([a.owned.length, b.owned.length], [8, 0]);
  assertStringIncludes(b.sharding.snapshot().whyNoShards ?? "", "other replicas use 8 shards");
  await end(cluster, a);
  await cluster.clock.advance(2_000);
  assertEquals(b.owned.length, 16);
  await end(cluster, b);
});

Deno.test("Sharding writes a deleted or overwritten table again after a lease", async () => {
  for (const how of ["deleted", "nonsense"]) {
    await using cluster = new Cluster();
    const a = new Replica(cluster, "a");
    const b = new Replica(cluster, "b");
    await cluster.clock.advance(20_000);
    const client = cluster.client();
    const table = "widgets-shards";
    if (how === "deleted") {
      await cluster.clock.run(client.delete(Leases, table, { namespace }));
    } else {
      const metadata = { annotations: { "kubeloop/shards": "{" } };
      await cluster.clock.run(client.patch(Leases, table, { metadata }, { namespace }));
    }
    await cluster.clock.advance(2_100);
    assertEquals([a.owned, b.owned], [[], []]);
    assertStringIncludes(a.sharding.snapshot().whyNoShards ?? "", "deleted or overwritten");
    await cluster.clock.advance(12_000);
    assertEquals([a.owned, b.owned], [[], []]);
    await cluster.clock.advance(8_000);
    assertEquals(counts(a, b), [4, 4]);
    await end(cluster, a, b);
  }
});

Deno.test("Sharding: a member whose Lease was deleted keeps its shards", async () => {
  await using cluster = new Cluster();
  const a = new Replica(cluster, "a");
  const b = new Replica(cluster, "b");
  await cluster.clock.advance(20_000);
  const client = cluster.client();
  const { items } = await cluster.clock.run(client.list(Leases, { namespace }));
  const member = items.find(({ spec }) => spec?.holderIdentity === "a")!.metadata.name;
  await cluster.clock.run(client.delete(Leases, member, { namespace }));
  await cluster.clock.advance(60_000);
  assertEquals([a.lost, b.lost, counts(a, b)], [[], [], [4, 4]]);
  await end(cluster, a, b);
});

Deno.test("Sharding names a missing right, and continues when it is granted", async () => {
  await using cluster = new Cluster();
  const fault = cluster.server.faults.fail(403, { when: of("a", "list") });
  const a = new Replica(cluster, "a");
  await cluster.clock.advance(60_000);
  assert(fault.hits <= 31, `${fault.hits} requests`);
  assertStringIncludes(a.sharding.snapshot().whyNoShards ?? "", 'the verb "list" on leases');
  assertEquals(cluster.logger.of("warn").length, 1);
  fault.remove();
  await cluster.clock.advance(2_000);
  assertEquals(a.owned.length, 8);
  await end(cluster, a);
});

Deno.test("Sharding calls drain() again if it rejects, and survives a handler that throws", async () => {
  await using cluster = new Cluster();
  const { clock } = cluster;
  const sharding = new Sharding(cluster.client(), { name, shards: 1 });
  const stop = new AbortController();
  let drains = 0;
  const running = sharding.run({
    acquired: () => {
      throw new Error("acquired failed");
    },
    drain: () => ++drains < 3 ? Promise.reject(new Error("busy")) : Promise.resolve(),
    lost: () => {},
  }, { signal: stop.signal });
  await clock.advance(1_000);
  assert(sharding.owns("x"));
  await assertRejects(
    () => sharding.run({ acquired() {}, drain: () => Promise.resolve(), lost() {} }),
    Error,
    "is running",
  );
  stop.abort();
  await clock.run(running);
  assertEquals(drains, 3);
  assertStringIncludes(cluster.logger.of("error").join(), "acquired failed");
  assertStringIncludes(cluster.logger.of("error").join(), "could not be drained: busy");
});

Deno.test("Sharding stops even if it cannot reach the server", async () => {
  await using cluster = new Cluster();
  const early = new Replica(cluster, "early");
  early.stop.abort();
  await cluster.clock.run(early.running);
  const a = new Replica(cluster, "a");
  await cluster.clock.advance(1_000);
  cluster.server.faults.delay(3_600_000, { when: of("a") });
  const startMs = cluster.clock.now();
  await end(cluster, a);
  assert(cluster.clock.now() - startMs <= 15_000);
});

Deno.test("Sharding refuses invalid options", async () => {
  await using cluster = new Cluster();
  const client = cluster.client();
  assertThrows(() => new Sharding(client, { name, shards: 0 }), RangeError, "at least 1");
  assertThrows(() => new Sharding(client, { name, shards: 2000 }), RangeError, "at most 1024");
  assertThrows(() => new Sharding(client, { name: "x".repeat(64) }), TypeError, "63 characters");
  assertThrows(() => new Sharding({} as never, { name }), TypeError, "without get()");
  const sharding = new Sharding(client, { name });
  await assertRejects(() => sharding.run({} as never), TypeError, "handler of shards");
  assertEquals(sharding.snapshot().whyNoShards, "it is not running");
});

Deno.test("shardOf() spreads keys evenly, and never changes", () => {
  assertEquals(
    ["", "default/web", "default/web-1", "ns/ünïcode-\u{1f4a9}", "\ud800"].map((key) =>
      shardOf(key, 16)
    ),
    [11, 4, 3, 10, 10],
  );
  for (const shards of [3, 16, 100]) {
    const found = new Array(shards).fill(0);
    for (let i = 0; i < 20_000; i++) found[shardOf(`default/web-${i}`, shards)]++;
    const mean = 20_000 / shards;
    for (const count of found) assert(Math.abs(count - mean) < 6 * Math.sqrt(mean), `${found}`);
  }
});

/** Returns a key of a shard out of eight. */
function keyOf(shard: number): string {
  for (let i = 0;; i++) if (shardOf(`default/web-${i}`, 8) === shard) return `default/web-${i}`;
}
