import type { DeepReadonly } from "@kubeloop/controller/types";
import type { HorizontalPodAutoscaler, ScalingRules } from "./autoscaler_kinds.ts";

/** The time for which an autoscaler without a behaviour waits before it scales down. */
const DOWNSCALE_WINDOW_MS = 300_000;
/** The longest time that a behaviour can look back. */
const MAX_MEMORY_MS = 3_600_000;

/** The condition that says why the replicas are not what the metrics ask for. */
export interface Limit {
  readonly isLimited: boolean;
  readonly reason: string;
  readonly message: string;
}

/** The replicas after all rules. */
export interface Decision {
  readonly replicas: number;
  /** The reason and message of the condition AbleToScale. */
  readonly able: { readonly reason: string; readonly message: string };
  readonly limit: Limit;
}

interface Moment {
  readonly atMs: number;
  readonly replicas: number;
}

type Spec = NonNullable<DeepReadonly<HorizontalPodAutoscaler>["spec"]>;

/** The recent recommendations and changes of an autoscaler, on which its rules depend. */
export class ScalingMemory {
  #recommendations: Moment[] = [];
  #changes: Moment[] = [];

  /** Notes a change of the replicas. */
  changed(nowMs: number, difference: number): void {
    this.#changes.push({ atMs: nowMs, replicas: difference });
  }

  /** Applies the rules of the autoscaler to the replicas that the metrics ask for. */
  decide(spec: Spec, current: number, desired: number, nowMs: number): Decision {
    const { behavior, maxReplicas, minReplicas = 1 } = spec;
    const isRecent = ({ atMs }: Moment) => atMs > nowMs - MAX_MEMORY_MS;
    this.#recommendations = this.#recommendations.filter(isRecent);
    this.#changes = this.#changes.filter(isRecent);
    const upMs = 1000 * (behavior?.scaleUp?.stabilizationWindowSeconds ?? 0);
    const downMs = behavior?.scaleDown?.stabilizationWindowSeconds === undefined
      ? DOWNSCALE_WINDOW_MS
      : 1000 * behavior.scaleDown.stabilizationWindowSeconds;
    const since = (windowMs: number) =>
      this.#recommendations.filter(({ atMs }) => atMs > nowMs - windowMs)
        .map(({ replicas }) => replicas);
    const least = Math.min(desired, ...since(upMs));
    const most = Math.max(desired, ...since(downMs));
    const stable = Math.min(Math.max(current, least), most);
    this.#recommendations.push({ atMs: nowMs, replicas: desired });
    const able = stable === desired
      ? { reason: "ReadyForNewScale", message: "recommended size matches current size" }
      : desired >= current
      ? {
        reason: "ScaleUpStabilized",
        message:
          "recent recommendations were lower than current one, applying the lowest recent recommendation",
      }
      : {
        reason: "ScaleDownStabilized",
        message:
          "recent recommendations were higher than current one, applying the highest recent recommendation",
      };
    const upLimit = behavior?.scaleUp === undefined
      ? Math.max(2 * current, 4)
      : this.#limit(behavior.scaleUp, current, nowMs, 1);
    const downLimit = behavior?.scaleDown === undefined
      ? 0
      : this.#limit(behavior.scaleDown, current, nowMs, -1);
    return { able, ...bounded(stable, { current, upLimit, downLimit, maxReplicas, minReplicas }) };
  }

  /** Returns the most or the least replicas that the policies of one direction allow now. */
  #limit(
    { policies = [], selectPolicy }: DeepReadonly<ScalingRules>,
    current: number,
    nowMs: number,
    direction: 1 | -1,
  ): number {
    if (selectPolicy === "Disabled") return current;
    const limits = policies.map(({ periodSeconds, type, value }) => {
      const changed = this.#changes.filter(({ atMs }) => atMs > nowMs - 1000 * periodSeconds)
        .reduce((sum, { replicas }) => sum + replicas, 0);
      const start = current - changed;
      if (type === "Pods") return start + direction * value;
      const percent = start * (1 + direction * value / 100);
      return direction > 0 ? Math.ceil(percent) : Math.trunc(percent);
    });
    const takesLargest = (selectPolicy === "Min") === (direction < 0);
    const limit = takesLargest ? Math.max(...limits) : Math.min(...limits);
    return direction > 0 ? Math.max(limit, current) : Math.min(limit, current);
  }
}

function bounded(
  desired: number,
  bounds: {
    readonly current: number;
    readonly upLimit: number;
    readonly downLimit: number;
    readonly maxReplicas: number;
    readonly minReplicas: number;
  },
): { readonly replicas: number; readonly limit: Limit } {
  const { downLimit, maxReplicas, minReplicas, upLimit } = bounds;
  const limited = (replicas: number, reason: string, what: string) => ({
    replicas,
    limit: { isLimited: true, reason, message: `the desired replica count is ${what}` },
  });
  const most = Math.min(maxReplicas, upLimit);
  const least = Math.max(minReplicas, downLimit);
  if (desired > most) {
    return upLimit < maxReplicas
      ? limited(most, "ScaleUpLimit", "increasing faster than the maximum scale rate")
      : limited(most, "TooManyReplicas", "more than the maximum replica count");
  }
  if (desired < least) {
    return downLimit > minReplicas
      ? limited(least, "ScaleDownLimit", "decreasing faster than the maximum scale rate")
      : limited(least, "TooFewReplicas", "less than the minimum replica count");
  }
  const message = "the desired count is within the acceptable range";
  return { replicas: desired, limit: { isLimited: false, reason: "DesiredWithinRange", message } };
}
