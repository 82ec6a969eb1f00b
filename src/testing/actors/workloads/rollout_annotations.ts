import type { Cached, DeepReadonly } from "@kubeloop/controller/types";
import type { Deployment, ReplicaSet } from "./apps_kinds.ts";
import {
  DESIRED_REPLICAS,
  limitsOf,
  MAX_REPLICAS,
  replicasOf,
  REVISION,
  REVISION_HISTORY,
} from "./rollout_numbers.ts";

type Annotations = Readonly<Record<string, string>>;

/** Annotations that ReplicaSets do not get from their Deployment. */
const NOT_COPIED: ReadonlySet<string> = new Set([
  "kubectl.kubernetes.io/last-applied-configuration",
  REVISION,
  REVISION_HISTORY,
  DESIRED_REPLICAS,
  MAX_REPLICAS,
  "deprecated.deployment.rollback.to",
]);
/** The longest history of revisions, in characters. */
const MAX_HISTORY = 2000;

/** Returns the revision of a ReplicaSet; 0 if it has none. */
export function revisionOf({ metadata }: DeepReadonly<Pick<ReplicaSet, "metadata">>): number {
  return Number.parseInt(metadata.annotations?.[REVISION] ?? "", 10) || 0;
}

/** Returns the annotations of a ReplicaSet about the size of its Deployment. */
export function sizeAnnotations(deployment: Cached<Deployment>): Annotations {
  const replicas = replicasOf(deployment);
  return {
    [DESIRED_REPLICAS]: String(replicas),
    [MAX_REPLICAS]: String(replicas + limitsOf(deployment).surge),
  };
}

/**
 * Returns the annotations of the new ReplicaSet of a Deployment: the annotations of the Deployment, and the highest
 * revision. After a rollback, the old ReplicaSet gets a new revision and keeps the old one in its history.
 */
export function newSetAnnotations(
  deployment: Cached<Deployment>,
  present: Annotations,
  revision: number,
): Annotations {
  const copied = Object.entries(deployment.metadata.annotations ?? {})
    .filter(([key]) => !NOT_COPIED.has(key));
  const annotations: Record<string, string> = { ...present, ...Object.fromEntries(copied) };
  const before = present[REVISION];
  if ((Number.parseInt(before ?? "", 10) || 0) >= revision) return annotations;
  annotations[REVISION] = String(revision);
  if (before === undefined) return annotations;
  const history = [...(present[REVISION_HISTORY] ?? "").split(",").filter(Boolean), before];
  while (history.join(",").length > MAX_HISTORY) history.shift();
  annotations[REVISION_HISTORY] = history.join(",");
  return annotations;
}
