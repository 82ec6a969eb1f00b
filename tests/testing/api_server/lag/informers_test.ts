/** The informers of the library survive every lag: afterwards their caches show what the server has. */

import { assertEquals } from "@std/assert";
import { type Random, randomInt, silentLogger } from "../../../../src/base/mod.ts";
import { type SharedInformer, SharedInformerFactory } from "../../../../src/cache/mod.ts";
import { Client } from "../../../../src/client/mod.ts";
import { ConfigMaps, type KubeObject, type Resource, Secrets } from "../../../../src/types/mod.ts";
import type { ApiServer, SeededRandom } from "../../../../src/testing/mod.ts";
import { countTried, forEachSeed } from "../../../support/seeded_runs.ts";
import { Cluster } from "../cluster.ts";

/** The fields of an object that the checks read. */
interface Version {
  readonly metadata: {
    readonly name?: string;
    readonly uid?: string;
    readonly resourceVersion?: string;
  };
}

const CALL = { namespace: "default" };
const RESOURCES: readonly Resource<KubeObject>[] = [ConfigMaps, Secrets];

/** Checks that the notifications of an informer are a valid sequence for each object. */
class Sequences {
  /** The problems that were found. */
  readonly problems: string[] = [];
  readonly #present = new Map<string, Version>();
  readonly #gone = new Set<string>();

  readonly #selects: boolean;

  /** Creates a checker. With `selects`, an object may leave the selector of the informer and return. */
  constructor(selects: boolean) {
    this.#selects = selects;
  }

  /** Follows `informer`. */
  follow(informer: SharedInformer<KubeObject>): void {
    informer.addEventHandler({
      onAdd: (object) => this.#add(object),
      onUpdate: (old, object) => {
        const { uid, name } = object.metadata;
        if (this.#present.get(name!) !== old) this.problems.push(`update of unknown ${name}`);
        if (old.metadata.uid !== uid) {
          this.#delete(old);
          this.#add(object);
          return;
        }
        if (Number(old.metadata.resourceVersion) > Number(object.metadata.resourceVersion)) {
          this.problems.push(`${name} goes back in time`);
        }
        this.#present.set(name!, object);
      },
      onDelete: (object) => this.#delete("obj" in object ? object.obj as Version : object),
    });
  }

  #add(object: Version): void {
    const { uid, name } = object.metadata;
    if (this.#present.has(name!)) this.problems.push(`second add of ${name}`);
    if (!this.#selects && this.#gone.has(uid!)) this.problems.push(`${name} comes back`);
    this.#present.set(name!, object);
  }

  #delete(object: Version): void {
    const { uid, name } = object.metadata;
    if (this.#present.get(name!)?.metadata.uid !== uid) {
      this.problems.push(`delete of unknown ${name}`);
    }
    this.#present.delete(name!);
    this.#gone.add(uid!);
  }
}

/** Adds a random lag. */
function addLag(server: ApiServer, random: Random): void {
  const chance = (share: number) => random.next() < share;
  const some = () => chance(0.5);
  const forMs = chance(0.2) ? undefined : 1 + randomInt(random, 90_000);
  switch (randomInt(random, 6)) {
    case 0:
      server.lag.hold({ forMs, when: some });
      return;
    case 1:
      server.lag.hold({ forMs, times: 2, scope: "resource" });
      return;
    case 2:
      server.lag.coalesce({ when: some, withinMs: forMs });
      return;
    case 3: {
      const back = randomInt(random, 10);
      const at = String(Math.max(1, Number(server.resourceVersion) - back));
      try {
        server.lag.freeze({ at, when: some });
      } catch (error) {
        // The version is compacted.
        if (!(error instanceof RangeError)) throw error;
      }
      return;
    }
    case 4:
      server.lag.freeze({
        at: String(Number(server.resourceVersion) + randomInt(random, 5)),
        resource: "configmaps",
      });
      return;
    default:
      server.lag.shuffle({ when: some });
  }
}

/** Makes a random change to the server. */
function disturb(server: ApiServer, random: Random): void {
  switch (randomInt(random, 8)) {
    case 0:
      server.lag.clear();
      return;
    case 1:
      server.closeWatches({ broken: random.next() < 0.5 });
      return;
    case 2:
      server.compact({ watches: random.next() < 0.5 });
      return;
    case 3:
      server.restart();
      return;
    case 4:
      server.faults.fail(500, {
        times: 2,
        when: ({ url }) => url.searchParams.has("sendInitialEvents"),
      });
      return;
    default:
      addLag(server, random);
  }
}

async function write(client: Client, random: Random): Promise<void> {
  const resource = RESOURCES[randomInt(random, RESOURCES.length)]!;
  const name = `a${randomInt(random, 5)}`;
  const labels = random.next() < 0.5 ? { x: "1" } : {};
  const metadata = { name, labels };
  const annotations = { n: String(random.next()) };
  switch (randomInt(random, 3)) {
    case 0:
      await client.create(resource, { metadata }, CALL).catch(() => {});
      return;
    case 1:
      await client.update(resource, { metadata: { ...metadata, annotations } }, CALL)
        .catch(() => {});
      return;
    default:
      await client.delete(resource, name, CALL).catch(() => {});
  }
}

async function run(random: SeededRandom, lag: boolean): Promise<number> {
  await using cluster = new Cluster({ random, lag });
  const { clock, server } = cluster;
  await using client = new Client({ ...server.clientOptions, logger: silentLogger });
  const stop = new AbortController();
  const watched = RESOURCES.flatMap((resource) =>
    [undefined, "x=1"].map((labelSelector) => {
      const factory = new SharedInformerFactory(client);
      const informer = factory.informer(resource, { labelSelector });
      const sequences = new Sequences(labelSelector !== undefined);
      sequences.follow(informer);
      return {
        informer,
        labelSelector,
        resource,
        sequences,
        running: informer.run({ signal: stop.signal }),
      };
    })
  );
  const finish = async () => {
    stop.abort();
    await clock.run(Promise.all(watched.map(({ running }) => running)));
  };
  await using _finished = { [Symbol.asyncDispose]: finish };
  for (let i = 0; i < 60; i++) {
    const pending = write(client, random);
    await clock.advance(randomInt(random, 3) * randomInt(random, 4000));
    await clock.run(pending);
    if (random.next() < 0.4) disturb(server, random);
  }
  server.lag.clear();
  server.faults.clear();
  await clock.advance(900_000);
  for (const { informer, labelSelector, resource, sequences } of watched) {
    const expected = server.objects(resource)
      .filter(({ metadata }) => labelSelector === undefined || metadata.labels?.["x"] === "1")
      .map(({ metadata }) => `${metadata.name} ${metadata.uid} ${metadata.resourceVersion}`);
    const found = informer.indexer.list()
      .map(({ metadata }) => `${metadata.name} ${metadata.uid} ${metadata.resourceVersion}`);
    assertEquals(found.sort(), expected.sort());
    assertEquals(sequences.problems, []);
  }
  return 60;
}

Deno.test("informers survive random lags: their caches equal the server in the end", async () => {
  await forEachSeed(15, async (random) => {
    countTried({ faults: await run(random, false) });
  });
});

Deno.test("informers survive random lags in a realistic world", async () => {
  await forEachSeed(8, async (random) => {
    countTried({ faults: await run(random, true) });
  });
});
