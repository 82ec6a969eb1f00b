import { type SeePage, serveReport } from "@kubeloop/controller/internal/see";
import { serveHttp } from "@kubeloop/controller/serving";
import type { Plan } from "./plans/mod.ts";
import type { Report } from "./report/mod.ts";
import type { Simulation } from "./simulation.ts";

/** Options of {@linkcode seeReport}. */
export interface SeeReportOptions {
  /** The port on 127.0.0.1; 0 picks a free one. Default 0. */
  readonly port?: number | undefined;
  /** Stops the server. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Serves the page of a report on 127.0.0.1, in which faults of a plan can be switched off, and the plan run again. The URL has
 * a token, without which no request is answered.
 *
 * @throws {Error} If the port cannot be listened on.
 *
 * @example A report in a browser
 * ```ts
 * import { ConfigMaps } from "@kubeloop/controller/types";
 * import { create, type ProcessEnv, seeReport, settle, simulation } from "@kubeloop/testing/simulation";
 *
 * async function label({ client }: ProcessEnv) {
 *   const call = { namespace: "default" };
 *   for await (const { type } of await client.watch(ConfigMaps, call)) {
 *     if (type !== "ADDED") continue;
 *     await client.patch(ConfigMaps, "one", { metadata: { labels: { seen: "yes" } } }, call);
 *   }
 * }
 * const sim = simulation({ process: label, workload: [create(ConfigMaps, "one"), settle()] });
 * const report = await sim.explore({ plans: [{ seed: 1, faults: [{ fault: "shuffle" }] }] });
 * await using page = await seeReport(sim, report);
 * console.log(page.url); // "http://127.0.0.1:41234/?token=…"
 * ```
 */
export async function seeReport<C>(
  simulation: Simulation<C>,
  report: Report,
  options: SeeReportOptions = {},
): Promise<SeePage> {
  return await serveReport({
    report: report.view(),
    run: async (plan) => {
      const { finding, misfits } = await simulation.check(plan as Plan);
      return { ...(finding && { finding: finding.view() }), misfits };
    },
  }, { ...options, serve: serveHttp });
}
