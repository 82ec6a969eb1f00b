import { assert, assertStringIncludes } from "@std/assert";
import { ConfigMaps } from "@kubeloop/controller";
import { delay } from "@kubeloop/controller/base";
import { LeaderElector, LeadershipLostError } from "@kubeloop/controller/election";
import {
  assertClean,
  create,
  type Plan,
  type ProcessEnv,
  settle,
  type Simulation,
  simulation,
  wait,
} from "@kubeloop/testing/simulation";

const namespace = "default";
const name = "widgets";

/** Hears who works. A leader that has been followed by another must never work again. */
class Workplace {
  readonly #retired = new Set<string>();
  #worker: string | undefined;

  work(identity: string): void {
    if (identity === this.#worker) return;
    if (this.#worker !== undefined) this.#retired.add(this.#worker);
    this.#worker = identity;
  }

  invariant(): true | string {
    return !this.#retired.has(this.#worker ?? "") || `${this.#worker} works, but was followed`;
  }
}

/** A replica whose leader marks all ConfigMaps. A careless leader continues after the loss of the lease. */
function replica({ isCareless }: { isCareless: boolean }) {
  return async ({ client, clock, cloud, identity, signal }: ProcessEnv<Workplace>) => {
    const elector = new LeaderElector(client, { name, namespace, identity });
    const lead = async (leading: AbortSignal) => {
      const until = isCareless ? signal : leading;
      while (!until.aborted) {
        const { items } = await client.list(ConfigMaps, { namespace, signal: until });
        for (const { metadata, data } of items) {
          if (data?.done !== undefined || until.aborted) continue;
          cloud.work(identity);
          const patch = { data: { done: "yes" } };
          await client.patch(ConfigMaps, metadata.name, patch, { namespace, signal: until });
        }
        await delay(1_000, { clock, signal: until });
      }
    };
    try {
      await elector.run(lead, { signal });
    } catch (error) {
      // The process ends, and is started again.
      if (!LeadershipLostError.is(error)) throw error;
    }
  };
}

function replicas(options: { isCareless: boolean }): Simulation<Workplace> {
  return simulation<Workplace>({
    name: "replicas",
    process: replica(options),
    replicas: 2,
    world: { cloud: () => new Workplace() },
    workload: [
      ...["a", "b", "c", "d", "e", "f", "g", "h"].flatMap((object) => [
        create(ConfigMaps, object, { data: {} }),
        wait(5_000),
      ]),
      settle(),
    ],
  });
}

/** The machine of a replica stands still for longer than a lease, when it renews or works. */
const plans: Plan[] = ["operator-1", "operator-2"].flatMap((who) =>
  [
    `${who} update leases.coordination.k8s.io default/widgets #1`,
    `${who} update leases.coordination.k8s.io default/widgets #5`,
    `${who} patch configmaps default/b #1`,
  ].map((write, seed): Plan => ({ seed, faults: [{ fault: "pause", write, forMs: 22_500 }] }))
);

Deno.test("LeaderElector in a simulation: a leader that was followed never works again", async () => {
  const report = await replicas({ isCareless: false }).explore({ plans });
  assertClean(report);
  assert(report.noEffect < plans.length / 2 + 1, `${report.noEffect} plans without effect`);
});

Deno.test("LeaderElector in a simulation: a leader that ignores its signal is found", async () => {
  const report = await replicas({ isCareless: true }).explore({ plans });
  assertStringIncludes(String(report), "works, but was followed");
});
