import { type Clock, isRecord } from "../../base/mod.ts";
import {
  type Cached,
  type Condition,
  findStatusCondition,
  type KubeObject,
  setStatusCondition,
} from "../../types/mod.ts";
import {
  type Applier,
  at,
  extractOwned,
  type FieldTree,
  isWhole,
  managedFieldsOf,
} from "../../fields/mod.ts";
import type { CollectedStatus } from "./collected_status.ts";

/** Options of {@linkcode nextStatus}. */
export interface NextStatusOptions {
  readonly applier: Applier;
  readonly clock: Clock;
  /** The `observedGeneration` of the status; undefined for none. */
  readonly statusGeneration: number | undefined;
  /** The `observedGeneration` of conditions; undefined for none. */
  readonly conditionGeneration: number | undefined;
  /** Whether the list of conditions is known to be atomic: it can only be written as a whole. */
  readonly isAtomic: boolean;
}

/** The next status to apply. */
export interface NextStatus {
  /** The fields and conditions; undefined if the controller owns nothing, before and after. */
  readonly status: Readonly<Record<string, unknown>> | undefined;
  /** The types of the conditions of others. No write may remove them. */
  readonly foreign: ReadonlySet<string>;
  /** Whether the managed fields do not tell if the conditions are merged by type. */
  readonly isUncertain: boolean;
}

/**
 * Returns the part of a status that the controller owns after a reconcile: the part that it owned before, with the collected
 * fields and conditions.
 *
 * If the schema does not make the conditions a map by type, the list can only be written as a whole, with the conditions of
 * others. The managed fields tell this, if any manager has an entry for conditions.
 */
export function nextStatus(
  object: Cached<KubeObject>,
  collected: CollectedStatus,
  options: NextStatusOptions,
): NextStatus {
  const { own, others } = managedFieldsOf(object, options.applier);
  const live: unknown = (object as { readonly status?: unknown }).status;
  const tree = own === undefined ? undefined : at(own, ["f:status"]);
  const kept = tree === undefined || isWhole(tree) ? undefined : extractOwned(tree, live);
  const { conditions: keptConditions, ...status }: Record<string, unknown> = isRecord(kept)
    ? { ...kept }
    : {};
  if (options.statusGeneration !== undefined) {
    status["observedGeneration"] = options.statusGeneration;
  }
  for (const [name, value] of collected.fields) {
    if (value === undefined) delete status[name];
    else status[name] = value;
  }
  const present = storedConditions(object);
  const lists = conditionLists(own === undefined ? others : [own, ...others]);
  const isAtomic = options.isAtomic || (lists.length > 0 && lists.every(isWhole));
  const ours = conditionsOf(keptConditions);
  const conditions = nextConditions(isAtomic ? present : ours, present, collected, options);
  if (conditions.length > 0) status["conditions"] = conditions;
  const isNothing = Object.keys(status).length === 0 && tree === undefined;
  // The managed fields of an atomic list do not tell who owns which condition.
  const owned = isAtomic ? [] : ours.map(({ type }) => type);
  const foreign = new Set(present.map(({ type }) => type));
  for (const type of [...owned, ...collected.conditions.keys()]) foreign.delete(type);
  return {
    status: isNothing ? undefined : status,
    foreign,
    isUncertain: !isAtomic && lists.length === 0 && foreign.size > 0,
  };
}

function conditionsOf(value: unknown): Condition[] {
  return Array.isArray(value) ? value.filter(isRecord) as unknown as Condition[] : [];
}

/**
 * Returns the owned part of the conditions of each manager. If all own the list as a whole, it is not a map by type.
 */
function conditionLists(trees: readonly FieldTree[]): FieldTree[] {
  return trees.map((tree) => at(tree, ["f:status", "f:conditions"]))
    .filter((tree) => tree !== undefined);
}

/** Returns the stored conditions of an object. */
export function storedConditions(object: Cached<KubeObject>): Condition[] {
  const { status } = object as { readonly status?: unknown };
  return conditionsOf(isRecord(status) ? status["conditions"] : undefined);
}

/** Returns the next conditions, in the order of the stored ones. */
function nextConditions(
  base: readonly Condition[],
  present: readonly Condition[],
  collected: CollectedStatus,
  { clock, conditionGeneration }: NextStatusOptions,
): Condition[] {
  let conditions = [...base];
  for (const [type, condition] of collected.conditions) {
    if (condition === undefined) {
      conditions = conditions.filter((one) => one.type !== type);
      continue;
    }
    const old = findStatusCondition(present, type);
    const since = old?.status === condition.status ? old.lastTransitionTime : undefined;
    conditions = setStatusCondition(conditions, {
      ...condition,
      ...(conditionGeneration === undefined ? {} : { observedGeneration: conditionGeneration }),
      ...(since === undefined ? {} : { lastTransitionTime: since }),
    }, { clock });
  }
  const order = new Map(present.map(({ type }, index) => [type, index]));
  const placeOf = ({ type }: Condition) => order.get(type) ?? present.length;
  return conditions.sort((a, b) => placeOf(a) - placeOf(b));
}
