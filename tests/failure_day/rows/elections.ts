import { delay } from "../../../src/base/mod.ts";
import { LeaderElector, Sharding } from "../../../src/operator/mod.ts";
import { Leases } from "../../../src/types/mod.ts";
import { namespace } from "../day.ts";
import type { Row } from "../row.ts";
import { NO_FIELD } from "./_reasons.ts";

/** How long a stop may take: a renewal that is under way, 5 s, and the requests that give a Lease back, 10 s. */
const STOP_MS = 15_500;

/** Leader election and sharding without a manager. */
export const elections: readonly Row[] = [
  {
    name: "LeaderElector.run()",
    covers: ["LeaderElector.run", "LeaderElector.run(lead)"],
    start: async (day) => {
      const { client, clock, signal } = day;
      const elector = day.part(
        "elector",
        () => new LeaderElector(client, { name: "l", namespace }),
      );
      const lead = day.user("lead", async (signal: AbortSignal) => {
        day.part("led", () => true);
        await delay(3_600_000, { clock, signal }).catch(() => {});
      });
      await elector.run(lead, { signal });
    },
    isDone: (day) => {
      const { misbehaviour, time } = day;
      return misbehaviour === undefined && day.has("led") && time.now() > 30_000;
    },
    limitMs: 200_000,
    stopMs: STOP_MS,
    ending: ["lead"],
    inOrder: ["lead"],
    object: { resource: Leases, name: "l" },
    not: NO_FIELD,
  },
  {
    name: "Sharding.run()",
    covers: ["Sharding.run", "ShardHandler.acquired", "ShardHandler.drain", "ShardHandler.lost"],
    start: async (day) => {
      const { client, signal } = day;
      const sharding = day.part(
        "sharding",
        () => new Sharding(client, { name: "s", namespace, shards: 2 }),
      );
      await sharding.run({
        acquired: day.user("acquired", (shard: number) => void day.part(`shard ${shard}`, () => 1)),
        drain: day.user("drain", async () => {}, (shard) => shard === 0),
        lost: day.user("lost", () => {}),
      }, { signal });
    },
    isDone: (day) =>
      day.time.now() > 12_000 &&
      (day.misbehaviour !== undefined || [0, 1].every((shard) => day.has(`shard ${shard}`))),
    limitMs: 200_000,
    stopMs: STOP_MS,
    inOrder: ["drain"],
    waits: /shard 0 (?:could not be|is not) drained/,
    object: { resource: Leases, name: "s-shards" },
    not: NO_FIELD,
  },
];
