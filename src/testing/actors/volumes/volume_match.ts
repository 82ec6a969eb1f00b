import { parseQuantity } from "@kubeloop/controller/internal/base";
import {
  type Cached,
  type LabelSelector,
  labelSelectorAsSelector,
  type Pod,
} from "@kubeloop/controller/types";
import {
  isBeingDeleted,
  isOver,
  type PersistentVolume,
  type PersistentVolumeClaim,
} from "../control/mod.ts";

/** Returns the best volume for a claim: a volume that is reserved for it, or else the smallest free volume that fits. */
export function bestVolume(
  claim: Cached<PersistentVolumeClaim>,
  volumes: readonly Cached<PersistentVolume>[],
): Cached<PersistentVolume> | undefined {
  const { volumeName } = claim.spec ?? {};
  const candidates = volumes.filter((volume) =>
    !isBeingDeleted(volume) &&
    (volumeName ? volume.metadata.name === volumeName : fits(claim, volume)) &&
    isFreeFor(claim, volume)
  );
  const reserved = candidates.find((volume) => volume.spec?.claimRef !== undefined);
  if (reserved !== undefined) return reserved;
  return candidates.sort((a, b) =>
    bytes(a.spec?.capacity?.storage) - bytes(b.spec?.capacity?.storage) ||
    (a.metadata.name < b.metadata.name ? -1 : 1)
  )[0];
}

/** Reports whether a volume is bound to the claim, or reserved for one of its name. */
export function isVolumeOf(
  claim: Cached<PersistentVolumeClaim>,
  { spec }: Cached<PersistentVolume>,
): boolean {
  const { name, namespace, uid } = claim.metadata;
  const { claimRef } = spec ?? {};
  return claimRef?.name === name && claimRef.namespace === namespace &&
    (claimRef.uid ?? uid) === uid;
}

/** Returns the names of the claims that a Pod uses. */
export function claimsOfPod({ metadata, spec }: Cached<Pod>): string[] {
  const { volumes = [] } = (spec ?? {}) as {
    readonly volumes?: readonly {
      readonly name: string;
      readonly ephemeral?: unknown;
      readonly persistentVolumeClaim?: { readonly claimName: string };
    }[];
  };
  return volumes.flatMap(({ ephemeral, name, persistentVolumeClaim }) => {
    if (persistentVolumeClaim !== undefined) return [persistentVolumeClaim.claimName];
    return ephemeral === undefined ? [] : [`${metadata.name}-${name}`];
  });
}

/** Reports whether a Pod keeps its claims from being deleted. */
export function usesClaims(pod: Cached<Pod>): boolean {
  return !isOver(pod);
}

function isFreeFor(
  claim: Cached<PersistentVolumeClaim>,
  volume: Cached<PersistentVolume>,
): boolean {
  if (volume.spec?.claimRef === undefined) return true;
  return isVolumeOf(claim, volume);
}

function fits(
  { spec: claim }: Cached<PersistentVolumeClaim>,
  volume: Cached<PersistentVolume>,
): boolean {
  const { accessModes = [], capacity, storageClassName, volumeMode } = volume.spec ?? {};
  const selector = claim?.selector as LabelSelector | undefined;
  return (storageClassName ?? "") === (claim?.storageClassName ?? "") &&
    (volumeMode ?? "Filesystem") === (claim?.volumeMode ?? "Filesystem") &&
    (claim?.accessModes ?? []).every((mode) => accessModes.includes(mode)) &&
    bytes(capacity?.storage) >= bytes(claim?.resources?.requests?.storage) &&
    (selector === undefined || labelSelectorAsSelector(selector).matches(volume.metadata.labels));
}

/** The quantity in billionths: only comparisons need it. */
function bytes(text: string | undefined): number {
  return Number(parseQuantity(text ?? "0")?.nano ?? 0n);
}
