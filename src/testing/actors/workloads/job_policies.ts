import type { Cached, Pod } from "@kubeloop/controller/types";
import type { Job, PodFailureRule } from "./batch_kinds.ts";
import { parseIndexes } from "./index_ranges.ts";

type Spec = Cached<Job>["spec"];

/** The consequence of a failed Pod for its Job. */
export interface FailureVerdict {
  /** The action of the rule that the Pod matches; undefined if it matches none. */
  readonly action?: string;
  /** Whether the failure counts towards the limits. */
  readonly isCounted: boolean;
  /** Why the Job fails at once. */
  readonly message?: string;
}

interface Status {
  readonly name: string;
  readonly state?: { readonly terminated?: { readonly exitCode: number } };
}

type StatusList = "containerStatuses" | "initContainerStatuses";

/** Judges a failed Pod by the first rule of the pod failure policy that it matches. */
export function judgeFailure(spec: Spec, pod: Cached<Pod>): FailureVerdict {
  const { name, namespace } = pod.metadata;
  for (const [index, rule] of (spec?.podFailurePolicy?.rules ?? []).entries()) {
    const why = matchOf(rule as PodFailureRule, pod);
    if (why === undefined) continue;
    const { action } = rule;
    if (action === "Ignore") return { action, isCounted: false };
    if (action !== "FailJob") return { action, isCounted: true };
    const text = why(`pod ${namespace}/${name}`);
    return { action, isCounted: true, message: `${text} matching FailJob rule at index ${index}` };
  }
  return { isCounted: true };
}

/** Returns how to describe the match of a rule; undefined if the Pod does not match. */
function matchOf(
  { onExitCodes, onPodConditions }: PodFailureRule,
  { status }: Cached<Pod>,
): ((pod: string) => string) | undefined {
  if (onExitCodes !== undefined) {
    const { containerName, operator, values } = onExitCodes;
    const { containerStatuses = [], initContainerStatuses = [] } = (status ?? {}) as {
      readonly [K in StatusList]?: readonly Status[];
    };
    for (const { name, state } of [...containerStatuses, ...initContainerStatuses]) {
      const { exitCode = 0 } = state?.terminated ?? {};
      if (exitCode === 0 || (containerName ?? name) !== name) continue;
      if (values.includes(exitCode) !== (operator === "In")) continue;
      return (pod) => `Container ${name} for ${pod} failed with exit code ${exitCode}`;
    }
    return undefined;
  }
  const condition = status?.conditions?.find((one) =>
    onPodConditions?.some(({ status = "True", type }) => one.type === type && one.status === status)
  );
  if (condition === undefined) return undefined;
  return (pod) => `P${pod.slice(1)} has condition ${condition.type}`;
}

/** Returns which rule of the success policy is met; undefined if none is. */
export function successRule(spec: Spec, succeeded: ReadonlySet<number>): string | undefined {
  const rules = spec?.successPolicy?.rules ?? [];
  const index = succeeded.size === 0 ? -1 : rules.findIndex((rule) => {
    const { succeededCount = Infinity, succeededIndexes } = rule;
    if (succeededIndexes === undefined) return succeeded.size >= succeededCount;
    const required = parseIndexes(succeededIndexes, spec?.completions ?? 0);
    const met = [...required].filter((one) => succeeded.has(one)).length;
    return required.size > 0 && (met === required.size || met >= succeededCount);
  });
  return index < 0 ? undefined : `Matched rules at index ${index}`;
}
