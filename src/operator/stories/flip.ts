import type { Cause } from "./cause.ts";
import type { Story } from "./story.ts";

/** The fewest updates of one field that are a hot loop. */
const MIN_UPDATES = 3;
/** The most field managers that are named. */
const MAX_WRITERS = 3;

/** A field that changes again and again, and makes an object be reconciled each time. */
export interface Flip {
  /** The resource of the object that changes, as in `deployments.apps`. */
  readonly resource: string;
  /** The key of the object that changes. */
  readonly object: string;
  /** The path of the field. */
  readonly field: string;
  /** Who writes it; several undo each other's writes. Empty if unknown. */
  readonly writers: readonly string[];
  /** The number of reconciles that it has caused. */
  readonly reconciles: number;
  /** The number of reconciles that were looked at. */
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
 * Returns the field whose changes have caused at least half of the given reconciles, and who writes it. Returns undefined
 * if there is no such field, or if it has caused fewer than three.
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
    // What a flood has left uncompared proves nothing.
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

/** Of fields that change equally often, one of the object itself says more than its version. */
function rank({ field }: Candidate): number {
  return field.startsWith("metadata.") ? 1 : 0;
}

/** Returns a flip in words, for a log line. */
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
