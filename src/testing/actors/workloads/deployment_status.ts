import { type Cached, formatTime } from "@kubeloop/controller/types";
import { setCondition, withoutCondition } from "../control/mod.ts";
import type { Deployment, DeploymentCondition, ReplicaSet } from "./apps_kinds.ts";
import { limitsOf, replicasOf, total } from "./rollout_numbers.ts";

type Status = NonNullable<Deployment["status"]>;
type Conditions = readonly DeploymentCondition[];

/** The reasons of the condition Progressing. */
export const REASONS = {
  available: "NewReplicaSetAvailable",
  created: "NewReplicaSetCreated",
  failed: "ReplicaSetCreateError",
  found: "FoundNewReplicaSet",
  paused: "DeploymentPaused",
  resumed: "DeploymentResumed",
  timedOut: "ProgressDeadlineExceeded",
  updated: "ReplicaSetUpdated",
} as const;

/** No deadline: the largest number that the field can hold. */
const NO_DEADLINE = 2 ** 31 - 1;

/** Returns the time that a rollout may take without progress, in seconds; undefined if there is no limit. */
export function deadlineOf({ spec }: Cached<Deployment>): number | undefined {
  const seconds = spec?.progressDeadlineSeconds;
  return seconds === NO_DEADLINE ? undefined : seconds;
}

/** Returns the condition Progressing. */
export function progressOf(
  status: Cached<Deployment>["status"],
): Readonly<DeploymentCondition> | undefined {
  return status?.conditions?.find(({ type }) => type === "Progressing");
}

/** Returns a condition that is as of `wallMs`. */
export function conditionOf(
  type: "Available" | "Progressing",
  status: "True" | "False" | "Unknown",
  text: { readonly reason: string; readonly message: string },
  wallMs: number,
): DeploymentCondition & { lastTransitionTime: string } {
  const now = formatTime(wallMs);
  return { type, status, ...text, lastUpdateTime: now, lastTransitionTime: now };
}

/** Returns the status without the progress of a rollout: the numbers, and the condition Available. */
export function countedStatus(
  deployment: Cached<Deployment>,
  sets: readonly Cached<ReplicaSet>[],
  newSet: Cached<ReplicaSet> | undefined,
  wallMs: number,
): Status {
  const { metadata, status } = deployment;
  const available = total(sets, "availableReplicas");
  const wanted = sets.reduce((sum, set) => sum + replicasOf(set), 0);
  const isEnough = available >= replicasOf(deployment) - limitsOf(deployment).unavailable;
  const condition = conditionOf(
    "Available",
    isEnough ? "True" : "False",
    isEnough
      ? {
        reason: "MinimumReplicasAvailable",
        message: "Deployment has minimum availability.",
      }
      : {
        reason: "MinimumReplicasUnavailable",
        message: "Deployment does not have minimum availability.",
      },
    wallMs,
  );
  return {
    observedGeneration: metadata.generation ?? 0,
    replicas: total(sets, "replicas"),
    updatedReplicas: newSet?.status?.replicas ?? 0,
    readyReplicas: total(sets, "readyReplicas"),
    availableReplicas: available,
    unavailableReplicas: Math.max(0, wanted - available),
    terminatingReplicas: total(sets, "terminatingReplicas"),
    ...(status?.collisionCount !== undefined && { collisionCount: status.collisionCount }),
    conditions: [...setCondition((status?.conditions ?? []) as Conditions, condition)],
  };
}

/** Reports whether all replicas are of the new template and available, and no old ones are left. */
export function isComplete(
  deployment: Cached<Deployment>,
  status: Cached<Deployment>["status"],
): boolean {
  const { availableReplicas = 0, observedGeneration = 0, replicas = 0, updatedReplicas = 0 } =
    status ?? {};
  const wanted = replicasOf(deployment);
  return updatedReplicas === wanted && replicas === wanted && availableReplicas === wanted &&
    observedGeneration >= (deployment.metadata.generation ?? 0);
}

/** Returns the status with the progress of the rollout, and with a failure of a ReplicaSet. */
export function rolloutStatus(
  deployment: Cached<Deployment>,
  sets: readonly Cached<ReplicaSet>[],
  newSet: Cached<ReplicaSet> | undefined,
  wallMs: number,
): Status {
  const status = countedStatus(deployment, sets, newSet, wallMs);
  let conditions: Conditions = status.conditions ?? [];
  const present = progressOf(deployment.status);
  const isFinished = status.replicas === status.updatedReplicas &&
    present?.reason === REASONS.available;
  if (deadlineOf(deployment) === undefined) {
    conditions = withoutCondition(conditions, "Progressing");
  } else if (!isFinished) {
    conditions = withProgress(deployment, status, conditions, { newSet, wallMs });
  }
  const failures = [newSet, ...sets].flatMap((set) => set?.status?.conditions ?? [])
    .filter(({ type }) => type === "ReplicaFailure");
  if (failures[0] === undefined) conditions = withoutCondition(conditions, "ReplicaFailure");
  else {
    const since = failures[0].lastTransitionTime ?? formatTime(wallMs);
    const failure = { ...failures[0], lastUpdateTime: since, lastTransitionTime: since };
    conditions = setCondition(conditions, failure);
  }
  return { ...status, conditions: [...conditions] };
}

function withProgress(
  deployment: Cached<Deployment>,
  status: Status,
  conditions: Conditions,
  { newSet, wallMs }: { newSet: Cached<ReplicaSet> | undefined; wallMs: number },
): Conditions {
  const what = newSet === undefined
    ? `Deployment "${deployment.metadata.name}"`
    : `ReplicaSet "${newSet.metadata.name}"`;
  const progressing = (holds: "True" | "False", reason: string, message: string) =>
    conditionOf("Progressing", holds, { reason, message }, wallMs);
  if (isComplete(deployment, status)) {
    const message = `${what} has successfully progressed.`;
    return setCondition(conditions, progressing("True", REASONS.available, message));
  }
  const present = progressOf(deployment.status);
  if (hasProgressed(deployment.status, status)) {
    const next = progressing("True", REASONS.updated, `${what} is progressing.`);
    // Progress renews `lastUpdateTime`, from which the deadline counts.
    const since = present?.status === "True" ? present.lastTransitionTime : undefined;
    return [...withoutCondition(conditions, "Progressing"), {
      ...next,
      lastTransitionTime: since ?? next.lastTransitionTime,
    }];
  }
  if (!hasTimedOut(deployment, wallMs)) return conditions;
  const message = `${what} has timed out progressing.`;
  return setCondition(conditions, progressing("False", REASONS.timedOut, message));
}

function hasProgressed(before: Cached<Deployment>["status"], now: Status): boolean {
  const {
    availableReplicas = 0,
    readyReplicas = 0,
    replicas = 0,
    updatedReplicas = 0,
  } = before ?? {};
  const oldNow = (now.replicas ?? 0) - (now.updatedReplicas ?? 0);
  return (now.updatedReplicas ?? 0) > updatedReplicas ||
    oldNow < replicas - updatedReplicas ||
    (now.readyReplicas ?? 0) > readyReplicas ||
    (now.availableReplicas ?? 0) > availableReplicas;
}

function hasTimedOut(deployment: Cached<Deployment>, wallMs: number): boolean {
  const present = progressOf(deployment.status);
  if (present === undefined || present.reason === REASONS.available) return false;
  return present.reason === REASONS.timedOut || deadlineMs(deployment) < wallMs;
}

/** Returns the wall time at which the rollout times out unless it progresses; Infinity if it does not. */
export function deadlineMs(deployment: Cached<Deployment>): number {
  const seconds = deadlineOf(deployment);
  const present = progressOf(deployment.status);
  if (seconds === undefined || present === undefined) return Infinity;
  return Date.parse(present.lastUpdateTime ?? "") + 1000 * seconds;
}
