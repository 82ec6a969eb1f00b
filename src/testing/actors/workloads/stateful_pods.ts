import {
  type Cached,
  controllerReference,
  deepCopy,
  type KubeObject,
  type OwnerReference,
  type Pod,
  Pods,
  type PodSpec,
  type PodTemplateSpec,
  type Stored,
} from "@kubeloop/controller/types";
import { podFromTemplate } from "../control/mod.ts";
import { type ControllerRevision, type StatefulSet, StatefulSets } from "./apps_kinds.ts";

/** The label with the name of the revision of a Pod. */
export const REVISION_LABEL = "controller-revision-hash";
const POD_NAME_LABEL = "statefulset.kubernetes.io/pod-name";
const INDEX_LABEL = "apps.kubernetes.io/pod-index";

type Set = Cached<StatefulSet>;

/** Returns the ordinal of a Pod; -1 if its name is not one of the set. */
export function ordinalOf({ metadata }: Cached<Pod>, set: Set): number {
  const prefix = `${set.metadata.name}-`;
  const digits = metadata.name.slice(prefix.length);
  const isNumber = digits !== "" && [...digits].every((one) => one >= "0" && one <= "9");
  return metadata.name.startsWith(prefix) && isNumber ? Number(digits) : -1;
}

/** Returns the name of the revision of a Pod. */
export function revisionNameOf({ metadata }: Cached<Pod>): string | undefined {
  return metadata.labels?.[REVISION_LABEL];
}

/** Returns the template that a revision stores. */
export function templateOf({ data }: Cached<ControllerRevision>): PodTemplateSpec {
  const { spec } = deepCopy(data) as { spec: { template: PodTemplateSpec & { $patch?: string } } };
  const { $patch: _, ...template } = spec.template;
  return template;
}

/** Returns the Pod of an ordinal, made from a revision. */
export function statefulPod(set: Set, ordinal: number, revision: Cached<ControllerRevision>): Pod {
  const pod = podFromTemplate(templateOf(revision), set as Stored<StatefulSet>, StatefulSets);
  const { generateName: _, ...metadata } = pod.metadata;
  const name = `${set.metadata.name}-${ordinal}`;
  const spec: PodSpec = pod.spec ?? { containers: [] };
  const claims = claimsOf(set, ordinal).map(({ template, claim }) => ({
    name: template,
    persistentVolumeClaim: { claimName: claim.metadata.name ?? "" },
  }));
  const others = (spec.volumes ?? []).filter(({ name }) =>
    !claims.some((one) => one.name === name)
  );
  return {
    metadata: {
      ...metadata,
      name,
      labels: {
        ...metadata.labels,
        [POD_NAME_LABEL]: name,
        [INDEX_LABEL]: String(ordinal),
        [REVISION_LABEL]: revision.metadata.name,
      },
    },
    spec: {
      ...spec,
      hostname: name,
      ...(set.spec?.serviceName && { subdomain: set.spec.serviceName }),
      ...(claims.length + others.length > 0 && { volumes: [...claims, ...others] }),
    },
  };
}

/** Returns the PersistentVolumeClaims of an ordinal, with the names of their templates. */
export function claimsOf(
  { metadata, spec }: Set,
  ordinal: number,
): { readonly template: string; readonly claim: KubeObject }[] {
  return (spec?.volumeClaimTemplates ?? []).map((one) => {
    const { status: _, ...claim } = deepCopy(one) as KubeObject & { status?: unknown };
    const template = claim.metadata.name ?? "";
    return {
      template,
      claim: {
        ...claim,
        metadata: {
          ...claim.metadata,
          name: `${template}-${metadata.name}-${ordinal}`,
          namespace: metadata.namespace ?? "",
          labels: { ...claim.metadata.labels, ...spec?.selector.matchLabels },
        },
      },
    };
  });
}

/**
 * Returns the owner references that a claim gets by the retention policy: the set, if its deletion deletes the claim; the
 * Pod, if it is condemned and scaling down deletes the claim.
 */
export function claimOwners(
  set: Set,
  pod: Cached<Pod>,
  { isCondemned }: { readonly isCondemned: boolean },
): OwnerReference[] {
  const { whenDeleted, whenScaled } = set.spec?.persistentVolumeClaimRetentionPolicy ?? {};
  const isOfPod = whenScaled === "Delete" && isCondemned;
  if (isOfPod) return [controllerReference(pod, Pods)];
  return whenDeleted === "Delete"
    ? [controllerReference(set as Stored<StatefulSet>, StatefulSets)]
    : [];
}
