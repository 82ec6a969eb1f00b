import type { Cause } from "./cause.ts";
import type { Story } from "./story.ts";

/** The minimum number of updates of one field in a hot loop. */
const MIN_UPDATES = 3;
/** The maximum number of field managers that are named. */
const MAX_WRITERS = 3;

/** A field that changes again and again, and causes a reconcile each time. */
export interface Flip {
  /** The resource of the changing object, such as `deployments.apps`. */
  readonly resource: string;
  /** The key of the changing object. */
  readonly object: string;
  /** The path of the field. */
  readonly field: string;
  /** The field managers that write the field. Several managers overwrite each other. Empty if unknown. */
  readonly writers: readonly string[];
  /** The number of reconciles that the field has caused. */
  readonly reconciles: number;
  /** The number of examined reconciles. */
  readonly of: number;
}

interface Candidate {
  readonly resource: string;
  readonly object: string;
  readonly field: string;
  readonly writers: Set<string>;
  reconciles: number;
}

/**
 * Returns the field whose changes have caused at least half of the given reconciles, and at least three of them, with the
 * writers of the field. Returns undefined if no field has.
 *
 * @param stories The newest stories of one key.
 *
 * @example
 * ```ts
 * import { describeFlip, flipOf, type Story } from "@kubeloop/controller/operator";
 * import { assertEquals } from "@std/assert";
 *
 * const cause = {
 *   why: "updated" as const,
 *   resource: "widgets.acme.io",
 *   object: "default/web",
 *   changed: ["status.lastChecked"],
 *   by: "widgets (status)",
 *   count: 1,
 *   waitedMs: 0,
 * };
 * const stories = Array.from({ length: 10 }, () => ({ causes: [cause] }) as unknown as Story);
 * assertEquals(
 *   describeFlip(flipOf(stories)!),
 *   "status.lastChecked of widgets.acme.io default/web changes each time, written by widgets (status)",
 * );
 * ```
 */
export function flipOf(stories: readonly Story[]): Flip | undefined {
  const candidates = new Map<string, Candidate>();
  let of = 0;
  for (const { causes } of stories) {
    // Updates without a comparison prove nothing.
    const updates = causes.filter(({ changed }) => changed !== undefined && changed.length > 0);
    if (updates.length > 0) of++;
    for (const cause of updates) count(candidates, cause);
  }
  const ranked = [...candidates.values()].sort((a, b) =>
    b.reconciles - a.reconciles || rank(a) - rank(b)
  );
  const [first] = ranked;
  if (first === undefined || first.reconciles < MIN_UPDATES || first.reconciles * 2 < of) {
    return undefined;
  }
  const { field, object, reconciles, resource, writers } = first;
  return { resource, object, field, writers: [...writers].slice(0, MAX_WRITERS), reconciles, of };
}

function count(candidates: Map<string, Candidate>, cause: Cause): void {
  const { by, changed = [], object = "", resource = "" } = cause;
  for (const field of changed) {
    if (field === "…") continue;
    const key = JSON.stringify([resource, object, field]);
    const candidate = candidates.get(key) ??
      { resource, object, field, writers: new Set<string>(), reconciles: 0 };
    candidates.set(key, candidate);
    candidate.reconciles++;
    if (by !== undefined) candidate.writers.add(by);
  }
}

/** Sorts fields that change equally often: metadata last. */
function rank({ field }: Candidate): number {
  return field.startsWith("metadata.") ? 1 : 0;
}

/** Describes a flip for a log line. */
export function describeFlip(flip: Flip): string {
  const { field, object, of, reconciles, resource, writers } = flip;
  const subject = `${field} of ${[resource, object].filter((one) => one !== "").join(" ")}`;
  const often = reconciles === of ? "each time" : `${reconciles} times of ${of}`;
  const who = writers.length === 0
    ? ""
    : writers.length === 1
    ? `, written by ${writers[0]}`
    : `, written in turns by ${writers.join(" and ")}`;
  return `${subject} changes ${often}${who}`;
}
