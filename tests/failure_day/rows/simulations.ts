import { assertEquals } from "@std/assert";
import { ConfigMaps, type KubeObject } from "../../../src/types/mod.ts";
import {
  create,
  patch,
  type ProcessEnv,
  settle,
  simulation,
} from "../../../src/testing/simulation/mod.ts";
import { namespace } from "../day.ts";
import type { Row } from "../row.ts";
import { NO_CLOCK, NO_OBJECT, NO_SERVER, NO_SIGNAL } from "./_reasons.ts";

/** Simulations, which have a clock and a server of their own. */
export const simulations: readonly Row[] = [
  {
    name: "Simulation.explore()",
    covers: [
      "Simulation.explore",
      "Simulation.plans",
      "Simulation.reference",
      "Simulation.replay",
      "SimulationOptions.process",
      "SimulationOptions.always",
      "SimulationOptions.mask",
      "ExploreOptions.onProgress",
      "Step.run",
    ],
    start: async (day) => {
      const { clock } = day;
      const sim = simulation({
        process: day.user("process", async ({ client }: ProcessEnv) => {
          const { items } = await client.list(ConfigMaps, { namespace });
          if (items.some(({ metadata }) => metadata.name === "child")) return;
          await client.create(ConfigMaps, { metadata: { name: "child" } }, { namespace });
        }),
        workload: [create(ConfigMaps, "parent"), settle()],
        always: [day.user("always", () => true)],
        mask: day.user("mask", (object: KubeObject) => object),
      });
      const [plan] = await sim.singles();
      await sim.reference();
      if (plan !== undefined) await sim.replay(plan);
      const { findings } = await sim.explore({
        budget: { plans: 2 },
        clock,
        onProgress: day.user("onProgress", () => {}),
        progress: false,
      });
      return findings.length;
    },
    normal: (_day, findings) => assertEquals(findings, 0),
    not: { ...NO_SERVER, ...NO_OBJECT, ...NO_CLOCK, ...NO_SIGNAL },
  },
  {
    name: "Simulation.cost()",
    covers: ["Simulation.cost", "CostOptions.each", "CostOptions.change"],
    start: async (day) => {
      const sim = simulation({ process: () => new Promise(() => {}), workload: [] });
      const cost = await sim.cost({
        sizes: [1, 2, 3],
        each: day.user("each", (i: number) => create(ConfigMaps, `map-${i}`)),
        change: day.user("change", (i: number) => patch(ConfigMaps, `map-${i}`, {})),
        quietHours: 0,
      });
      return cost.phases.change?.requests.counts;
    },
    normal: (_day, counts) => assertEquals(counts, [0, 0, 0]),
    not: { ...NO_SERVER, ...NO_OBJECT, ...NO_CLOCK, ...NO_SIGNAL },
  },
];
