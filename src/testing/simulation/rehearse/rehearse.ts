import { describeValue, requireDelay, requireEach } from "@kubeloop/controller/internal/base";
import { compareRuns } from "./compare_runs.ts";
import { commandStage } from "./command_stage.ts";
import type { RehearsedOperator, Stage } from "./operators.ts";
import { perform } from "./perform.ts";
import { processStage } from "./process_stage.ts";
import type { RunOfVersion } from "./recording.ts";
import { Rehearsal } from "./rehearsal.ts";
import { readWorld, type RehearsalWorld } from "./world_lines.ts";
import { worldState } from "./world_state.ts";

/** The maximum number of notes on refused writes. */
const MAX_NOTES = 5;

/** Options of {@linkcode rehearse}. */
export interface RehearseOptions {
  /**
   * The objects of the cluster: a file of `kubeloop snapshot`, its lines, or objects. Objects without a resource version are
   * manifests, which are created as by a user.
   */
  readonly world: RehearsalWorld;
  /** The version of the operator that runs now. */
  readonly before: RehearsedOperator;
  /** The version of the operator after the upgrade. */
  readonly after: RehearsedOperator;
  /**
   * The time that each version runs, in milliseconds. Default 3,600,000, or one hour, of virtual time; with commands 30,000 of
   * real time.
   */
  readonly forMs?: number | undefined;
  /**
   * The time without a write, from the first request on, after which the old version has settled, in milliseconds. A command
   * is not run for longer, either. Default 60,000; with commands 5,000.
   */
  readonly quietMs?: number | undefined;
  /** Ends the rehearsal, with the running version; the promise then rejects with `signal.reason`. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Rehearses the upgrade of an operator on a copy of a cluster in this process. The old version runs until it has settled. From
 * that state, the new version runs, and the old one once more as the control. The result has the differences between these two
 * runs. The cluster itself is not touched.
 *
 * Processes run in virtual time, and do the same each time. Commands run in real time, against a server on a socket of this
 * machine: that takes the permissions for it (Deno: `--allow-net`, `--allow-run`, `--allow-env`, `--allow-read`,
 * `--allow-write`), and small differences of timing are left out of the result.
 *
 * Only the operator and the deletion of objects run: no scheduler, kubelet or controller of workloads.
 *
 * @throws {SyntaxError} If the world cannot be read.
 * @throws {TypeError} If an option is of the wrong type.
 *
 * @example A label that restarts all Pods
 * ```ts
 * import { Deployments } from "@kubeloop/controller";
 * import { type ProcessEnv, rehearse } from "@kubeloop/testing/simulation";
 * import { assertEquals } from "@std/assert";
 *
 * const version = (labels: Record<string, string>) => async ({ client }: ProcessEnv) => {
 *   await client.apply(Deployments, {
 *     metadata: { name: "web" },
 *     spec: {
 *       replicas: 3,
 *       selector: { matchLabels: { app: "web" } },
 *       template: {
 *         metadata: { labels: { app: "web", ...labels } },
 *         spec: { containers: [{ name: "main", image: "web:1" }] },
 *       },
 *     },
 *   }, { namespace: "default", fieldManager: "operator" });
 * };
 *
 * const rehearsal = await rehearse({
 *   world: [],
 *   before: version({}),
 *   after: version({ version: "v2" }),
 * });
 * assertEquals(rehearsal.restarts.map(({ fields, owner, pods }) => [owner, pods, fields[0]?.field]), [
 *   ["deployments.apps default/web", 3, "spec.template.metadata.labels.version"],
 * ]);
 * ```
 *
 * @example A program in any language
 * ```ts ignore
 * const rehearsal = await rehearse({
 *   world: "world.jsonl",
 *   before: { command: ["./operator-1.6.0"] },
 *   after: { command: ["./operator-1.6.1"] },
 * });
 * console.log(String(rehearsal));
 * ```
 */
export async function rehearse(options: RehearseOptions): Promise<Rehearsal> {
  const { after, before, signal, world } = options;
  requireOperator("before", before);
  requireOperator("after", after);
  const isReal = typeof before !== "function" || typeof after !== "function";
  const { forMs = isReal ? 30_000 : 3_600_000, quietMs = isReal ? 5000 : 60_000 } = options;
  requireEach(requireDelay, { forMs, quietMs });
  const read = await readWorld(world);
  const { kubernetes, notes, state, wallMs } = await worldState(read);
  const limits = { forMs, kubernetes, signal };
  const settled = await perform(stageOf(before, wallMs), state, { ...limits, quietMs });
  // Processes always run for the whole time: it costs next to nothing.
  const rest = isReal ? { ...limits, quietMs } : { ...limits, quietMs: undefined };
  const laterMs = wallMs + settled.lastedMs;
  const control = await perform(stageOf(before, laterMs), settled.state, rest);
  const upgraded = await perform(stageOf(after, laterMs), settled.state, rest);
  return new Rehearsal({
    ...compareRuns(settled.state, control, upgraded),
    objects: read.objects.length,
    forMs,
    problemsBefore: control.problems,
    notes: [
      ...notes,
      ...refusedTexts(control).map((text) => `The old version is refused: ${text}`),
      ...settled.isBusy ? ["The old version has not settled: it writes again and again"] : [],
    ],
  });
}

function stageOf(operator: RehearsedOperator, wallMs: number): Stage {
  return typeof operator === "function" ? processStage(operator, wallMs) : commandStage(operator);
}

/** Returns the refused writes of a run in words, each kind once. */
function refusedTexts({ refused }: RunOfVersion): readonly string[] {
  const texts = refused.filter(({ status }) => status !== 409)
    .map(({ message, resource, status, verb }) => `${verb} ${resource}: ${status} ${message}`);
  return [...new Set(texts)].slice(0, MAX_NOTES);
}

function requireOperator(name: string, operator: RehearsedOperator): void {
  if (typeof operator === "function") return;
  const { command } = (operator ?? {}) as Partial<typeof operator>;
  const isCommand = Array.isArray(command) && command.length > 0 &&
    command.every((part) => typeof part === "string");
  if (!isCommand) {
    throw new TypeError(
      `Invalid ${name}: expected a process, or { command: [PROGRAM, ...ARGUMENTS] }, received ${
        describeValue(operator)
      }`,
    );
  }
}
