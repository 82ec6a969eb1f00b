import { memoryAfterGc } from "../inside/process_facts.ts";
import type { Case, Measured, Run } from "./case.ts";

/** The number of ConfigMaps that the custom resource wants at most. */
const MAX_SIZE = 3;

/**
 * Simulation: plans of a small controller on one core, and how much memory is left after many.
 *
 * The published tools say of themselves: Sieve needs 11 to 67 machine-hours for a controller; Oat 12 hours on four
 * workers; Kamera minutes, with one restart and a lookback of two versions. None of them can run here, since they start
 * clusters or rewrite Go programs, so their numbers stand beside ours as they state them.
 */
export const simulate: Case = {
  name: "simulate",
  title: ({ count }) => `Simulation, ${count.toLocaleString("en")} plans of a small controller`,
  figures: [
    { name: "planMs", title: "one plan", unit: "ms" },
    { name: "plansPerSecond", title: "that is, on one core", unit: "plans/s" },
    { name: "grownMiB", title: "heap grown by", unit: "MiB" },
  ],
  clients: ["kubeloop"],
  size: { pods: 0, count: 2000 },
  quickSize: { pods: 0, count: 300 },
  measure,
};

async function measure({ size: { count } }: Run): Promise<Measured> {
  const { create, patch, settle, simulation } = await import("@kubeloop/testing/simulation");
  const { widgetController, Widgets } = await import("../inside/widget_controller.ts");
  const sized = (size: number) => ({ spec: { size } });
  const sim = simulation({
    process: widgetController,
    workload: [
      create(Widgets, "w", sized(MAX_SIZE)),
      settle(),
      patch(Widgets, "w", sized(1)),
      settle(),
      patch(Widgets, "w", sized(MAX_SIZE)),
      settle(),
    ],
  });
  // Warm-up, so that compiled code is measured.
  await sim.explore({ budget: { plans: count / 10, ms: Infinity } });
  const { heapMiB } = await memoryAfterGc();
  const startedAt = performance.now();
  const { findings, plans } = await sim.explore({ budget: { plans: count, ms: Infinity } });
  const planMs = (performance.now() - startedAt) / plans;
  if (findings.length > 0) throw new Error(`The controller is not clean: ${findings[0]}`);
  const grownMiB = (await memoryAfterGc()).heapMiB - heapMiB;
  return { planMs, plansPerSecond: 1000 / planMs, grownMiB };
}
