import type { Condition, DeepReadonly } from "@kubeloop/controller/types";

/**
 * Returns the conditions with one condition set. Nothing changes if the condition has that status and reason already;
 * `lastTransitionTime` changes only with the status. These are the rules of the controllers of apps and batch.
 */
export function setCondition<C extends DeepReadonly<Condition>>(
  conditions: readonly C[] | undefined,
  condition: C & { readonly lastTransitionTime: string },
): readonly C[] {
  const present = conditions?.find(({ type }) => type === condition.type);
  if (present?.status === condition.status && present.reason === condition.reason) {
    return conditions ?? [];
  }
  const lastTransitionTime = present?.status === condition.status
    ? present.lastTransitionTime ?? condition.lastTransitionTime
    : condition.lastTransitionTime;
  return [...withoutCondition(conditions, condition.type), { ...condition, lastTransitionTime }];
}

/** Returns the conditions without the one of that type. */
export function withoutCondition<C extends DeepReadonly<Condition>>(
  conditions: readonly C[] | undefined,
  type: string,
): readonly C[] {
  return (conditions ?? []).filter((one) => one.type !== type);
}
