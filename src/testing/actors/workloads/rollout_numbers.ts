import type { Cached, DeepReadonly } from "@kubeloop/controller/types";
import { isSame, scaledValue } from "../control/mod.ts";
import type { Deployment, ReplicaSet } from "./apps_kinds.ts";

/** The label of the template hash, on the ReplicaSets and Pods of a Deployment. */
export const HASH_LABEL = "pod-template-hash";
/** The annotation with the number of the revision. */
export const REVISION = "deployment.kubernetes.io/revision";
/** The annotation with the earlier revisions of a ReplicaSet that was rolled back to. */
export const REVISION_HISTORY = "deployment.kubernetes.io/revision-history";
/** The annotation with the replicas of the Deployment. */
export const DESIRED_REPLICAS = "deployment.kubernetes.io/desired-replicas";
/** The annotation with the replicas of the Deployment and its surge. */
export const MAX_REPLICAS = "deployment.kubernetes.io/max-replicas";

/** Returns the number of replicas that an object wants. */
export function replicasOf({ spec }: DeepReadonly<Deployment | ReplicaSet>): number {
  return spec?.replicas ?? 1;
}

/** Adds up the replicas that ReplicaSets want. */
export function wantedBy(sets: readonly Cached<ReplicaSet>[]): number {
  return sets.reduce((sum, set) => sum + replicasOf(set), 0);
}

/** Adds up a field of the status of ReplicaSets. */
export function total(
  sets: readonly Cached<ReplicaSet>[],
  field: "availableReplicas" | "readyReplicas" | "replicas" | "terminatingReplicas",
): number {
  return sets.reduce((sum, { status }) => sum + (status?.[field] ?? 0), 0);
}

/** Returns the number of Pods that may exist above the wanted ones, and the number that may be unavailable. */
export function limitsOf(
  deployment: DeepReadonly<Deployment>,
): { readonly surge: number; readonly unavailable: number } {
  const replicas = replicasOf(deployment);
  const { rollingUpdate, type } = deployment.spec?.strategy ?? {};
  if (type !== "RollingUpdate" || replicas === 0) return { surge: 0, unavailable: 0 };
  const surge = scaledValue(rollingUpdate?.maxSurge, replicas, { up: true });
  const unavailable = scaledValue(rollingUpdate?.maxUnavailable, replicas, { up: false });
  // With neither, a rollout could not take a step.
  return { surge, unavailable: Math.min(surge === 0 ? unavailable || 1 : unavailable, replicas) };
}

/** Returns the replicas that the new ReplicaSet of a Deployment may have now. */
export function newSetReplicas(
  deployment: DeepReadonly<Deployment>,
  sets: readonly Cached<ReplicaSet>[],
  present: number,
): number {
  const replicas = replicasOf(deployment);
  if (deployment.spec?.strategy?.type === "Recreate") return replicas;
  const { rollingUpdate } = deployment.spec?.strategy ?? {};
  const room = replicas + scaledValue(rollingUpdate?.maxSurge, replicas, { up: true }) -
    wantedBy(sets);
  return room <= 0 ? present : present + Math.min(room, replicas - present);
}

/**
 * Returns the replicas of each ReplicaSet when a Deployment is scaled in the middle of a rollout: what is added or taken
 * away is spread in proportion to their sizes, so that the rollout is neither hastened nor undone.
 */
export function proportionally(
  deployment: Cached<Deployment>,
  sets: readonly Cached<ReplicaSet>[],
): Map<Cached<ReplicaSet>, number> {
  const replicas = replicasOf(deployment);
  const allowed = replicas > 0 ? replicas + limitsOf(deployment).surge : 0;
  const change = allowed - wantedBy(sets);
  const created = ({ metadata }: Cached<ReplicaSet>) => metadata.creationTimestamp ?? "";
  const sorted = [...sets].sort((a, b) =>
    replicasOf(b) - replicasOf(a) ||
    (created(a) < created(b) ? -1 : 1) * (change > 0 ? -1 : 1)
  );
  const sizes = new Map<Cached<ReplicaSet>, number>();
  let changed = 0;
  for (const set of sorted) {
    const share = Math.round(fraction(set, deployment));
    const left = change - changed;
    const part = change === 0 ? 0 : change > 0 ? Math.min(share, left) : Math.max(share, left);
    sizes.set(set, replicasOf(set) + part);
    changed += part;
  }
  const [largest] = sorted;
  // The remainder of rounding.
  if (largest !== undefined && change !== 0) {
    sizes.set(largest, Math.max(0, sizes.get(largest)! + change - changed));
  }
  return sizes;
}

function fraction(set: Cached<ReplicaSet>, deployment: Cached<Deployment>): number {
  const size = replicasOf(set);
  const replicas = replicasOf(deployment);
  if (replicas === 0) return -size;
  const before = annotatedNumber(set, MAX_REPLICAS) || deployment.status?.replicas || 0;
  if (before === 0) return 0;
  return size * (replicas + limitsOf(deployment).surge) / before - size;
}

/** Returns the number in an annotation; undefined if there is none. */
export function annotatedNumber({ metadata }: Cached<ReplicaSet>, key: string): number | undefined {
  const text = metadata.annotations?.[key];
  const value = Number.parseInt(text ?? "", 10);
  return value >= 0 ? value : undefined;
}

/** Reports whether a ReplicaSet has the template of the Deployment, apart from the hash. */
export function hasTemplateOf(set: Cached<ReplicaSet>, deployment: Cached<Deployment>): boolean {
  return isSame(withoutHash(set.spec?.template), withoutHash(deployment.spec?.template));
}

function withoutHash(template: NonNullable<Cached<ReplicaSet>["spec"]>["template"]): unknown {
  const { labels, ...metadata } = template?.metadata ?? {};
  const { [HASH_LABEL]: _, ...others } = labels ?? {};
  return { ...template, metadata: { ...metadata, labels: others } };
}
