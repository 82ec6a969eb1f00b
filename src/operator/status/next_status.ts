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
} from "../apply/mod.ts";
import type { CollectedStatus } from "./collected_status.ts";

/** Options of {@linkcode nextStatus}. */
export interface NextStatusOptions {
  readonly applier: Applier;
  readonly clock: Clock;
  /** The generation to note in the status; undefined for none. */
  readonly statusGeneration: number | undefined;
  /** The generation to note in conditions; undefined for none. */
  readonly conditionGeneration: number | undefined;
}

/**
 * Returns the part of a status that the controller owns after a reconcile: what it owned before, with the fields and
 * conditions that were collected. Returns undefined if there is nothing to own, and it owned nothing.
 *
 * If the schema does not make the conditions a map by type, the list can only be written as a whole. It then contains
 * the conditions of others.
 */
export function nextStatus(
  object: Cached<KubeObject>,
  collected: CollectedStatus,
  options: NextStatusOptions,
): Readonly<Record<string, unknown>> | undefined {
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
  const present = conditionsOf(isRecord(live) ? live["conditions"] : undefined);
  const isAtomic = areConditionsAtomic(own === undefined ? others : [own, ...others]);
  const base = isAtomic ? present : conditionsOf(keptConditions);
  const conditions = nextConditions(base, present, collected, options);
  if (conditions.length > 0) status["conditions"] = conditions;
  const isNothing = Object.keys(status).length === 0 && tree === undefined;
  return isNothing ? undefined : status;
}

function conditionsOf(value: unknown): Condition[] {
  return Array.isArray(value) ? value.filter(isRecord) as unknown as Condition[] : [];
}

/** Reports whether a list of conditions is owned as a whole, as in a schema that does not make it a map by type. */
function areConditionsAtomic(trees: readonly FieldTree[]): boolean {
  const lists = trees.map((tree) => at(tree, ["f:status", "f:conditions"]))
    .filter((tree) => tree !== undefined);
  return lists.length > 0 && lists.every(isWhole);
}

/** Returns the conditions in the order of those that are present. */
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
