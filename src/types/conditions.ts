import {
  type Clock,
  ENVIRONMENT_CHECKS,
  type OptionChecks,
  realClock,
  requireOptions,
  visibleText,
} from "../base/mod.ts";
import type { DeepReadonly } from "./deep_readonly.ts";
import type { Condition } from "./minimal/mod.ts";
import { formatTime } from "./time.ts";

/** Options of {@linkcode setStatusCondition}. */
export interface SetStatusConditionOptions {
  /** The clock for `lastTransitionTime`. Default: the real clock. */
  readonly clock?: Clock | undefined;
}

const CHECKS: OptionChecks<SetStatusConditionOptions> = { clock: ENVIRONMENT_CHECKS.clock };

/**
 * Returns a copy of the conditions with one condition set and the others kept: apimachinery's
 * `meta.SetStatusCondition`.
 *
 * If the condition is new or its `status` changes, `lastTransitionTime` is taken from `condition`; without one there, it is
 * the current time. Otherwise the old `lastTransitionTime` is kept. Fields that `condition` omits are dropped, as in
 * apimachinery.
 *
 * @param conditions The conditions of the object; they are not changed.
 * @param condition The condition to set, identified by its `type`.
 * @returns The new conditions; equal to the old ones if nothing changes.
 * @throws {TypeError} If an option is not known or has the wrong type.
 *
 * @example
 * ```ts
 * import { type Condition, setStatusCondition } from "@kubeloop/controller/types";
 * import { assertEquals } from "@std/assert";
 *
 * const before: Condition[] = [
 *   { type: "Ready", status: "True", lastTransitionTime: "2026-01-01T00:00:00Z" },
 *   { type: "Synced", status: "True", lastTransitionTime: "2026-01-01T00:00:00Z" },
 * ];
 * const after = setStatusCondition(before, { type: "Ready", status: "True", reason: "AllUp" });
 * assertEquals(after, [
 *   { type: "Ready", status: "True", reason: "AllUp", lastTransitionTime: "2026-01-01T00:00:00Z" },
 *   { type: "Synced", status: "True", lastTransitionTime: "2026-01-01T00:00:00Z" },
 * ]);
 * ```
 */
export function setStatusCondition(
  conditions: DeepReadonly<Condition[]> | undefined,
  condition: DeepReadonly<Condition>,
  options: SetStatusConditionOptions = {},
): Condition[] {
  requireOptions("setStatusCondition()", options, CHECKS);
  const { clock = realClock } = options;
  const kept = (conditions ?? []).map((one) => ({ ...one }));
  const index = kept.findIndex(({ type }) => type === condition.type);
  const old = kept[index];
  const unchanged = old?.status === condition.status ? old.lastTransitionTime : undefined;
  const lastTransitionTime = unchanged ?? condition.lastTransitionTime ??
    formatTime(clock.wallNow());
  const set: Condition = { ...condition, lastTransitionTime };
  if (index < 0) return [...kept, set];
  return kept.with(index, set);
}

/**
 * Returns the condition of a type: apimachinery's `meta.FindStatusCondition`.
 *
 * @returns The condition; undefined if there is none of that type.
 *
 * @example
 * ```ts
 * import { findStatusCondition } from "@kubeloop/controller/types";
 * import { assertEquals } from "@std/assert";
 *
 * const conditions = [{ type: "Ready", status: "False" as const, reason: "Starting" }];
 * assertEquals(findStatusCondition(conditions, "Ready")?.reason, "Starting");
 * assertEquals(findStatusCondition(undefined, "Ready"), undefined);
 * ```
 */
export function findStatusCondition(
  conditions: DeepReadonly<Condition[]> | undefined,
  type: string,
): DeepReadonly<Condition> | undefined {
  return conditions?.find((condition) => condition.type === type);
}

/**
 * Reports whether the condition of a type has the status `True`: apimachinery's `meta.IsStatusConditionTrue`.
 *
 * @example
 * ```ts
 * import { isStatusConditionTrue } from "@kubeloop/controller/types";
 * import { assert } from "@std/assert";
 *
 * assert(isStatusConditionTrue([{ type: "Ready", status: "True" }], "Ready"));
 * assert(!isStatusConditionTrue(undefined, "Ready"));
 * ```
 */
export function isStatusConditionTrue(
  conditions: DeepReadonly<Condition[]> | undefined,
  type: string,
): boolean {
  return findStatusCondition(conditions, type)?.status === "True";
}

/** The longest reason and message of a condition that {@linkcode takenNames} shows, in characters. */
const MAX_REASON_LENGTH = 1_000;

/**
 * Returns why a CustomResourceDefinition cannot be established: another one has its names. Undefined if it has them.
 *
 * @internal
 */
export function takenNames(
  definition: DeepReadonly<{ status?: { conditions?: Condition[] | undefined } | undefined }>,
): string | undefined {
  const conditions: unknown = definition.status?.conditions;
  // A server may send anything.
  const names = Array.isArray(conditions)
    ? (conditions as Condition[]).find((one) => one?.type === "NamesAccepted")
    : undefined;
  if (names?.status !== "False") return undefined;
  const why = visibleText(`(${names.reason}): ${names.message}`, MAX_REASON_LENGTH);
  return `its names are taken ${why}: delete the other CustomResourceDefinition, or choose other names`;
}
