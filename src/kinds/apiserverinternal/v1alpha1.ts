// Written by `deno task schemas` from the Go types of the Kubernetes API. Do not edit.
/**
 * The types of `apiserverinternal/v1alpha1`, and the descriptors of its resources.
 *
 * @module
 */

import {
  builtinResource,
  type KubeList,
  type KubeObject,
  type Resource,
} from "../../types/minimal/mod.ts";
import type { OpenEnum, Time } from "../scalars.ts";

/** All values of `ConditionStatus`. */
export type ConditionStatus = "False" | "True" | "Unknown";

/** The `status.storageVersions[]` of a StorageVersion. */
export type ServerStorageVersion = {
  apiServerID?: string;
  encodingVersion?: string;
  decodableVersions?: string[];
  servedVersions?: string[];
};

/** A StorageVersion of `internal.apiserver.k8s.io/v1alpha1`. */
export interface StorageVersion extends KubeObject {
  /** The `spec` of a StorageVersion. */
  spec: StorageVersionSpec;
  /** The `status` of a StorageVersion. */
  status: StorageVersionStatus;
}

/** The `status.conditions[]` of a StorageVersion. */
export type StorageVersionCondition = {
  type: StorageVersionConditionType;
  status: ConditionStatus;
  observedGeneration?: number;
  lastTransitionTime?: Time;
  reason: string;
  message: string;
};

/** The known values of `StorageVersionConditionType`. */
export type StorageVersionConditionType = OpenEnum<"AllEncodingVersionsEqual">;

/** A list of StorageVersions. */
export type StorageVersionList = KubeList<StorageVersion>;

/** The `spec` of a StorageVersion. */
export type StorageVersionSpec = Record<never, never>;

/** The `status` of a StorageVersion. */
export type StorageVersionStatus = {
  storageVersions?: ServerStorageVersion[];
  commonEncodingVersion?: string;
  conditions?: StorageVersionCondition[];
};

/** The resource `storageversions.internal.apiserver.k8s.io`, which is cluster-scoped. */
export const StorageVersions: Resource<StorageVersion> = /* @__PURE__ */ builtinResource({
  group: "internal.apiserver.k8s.io",
  version: "v1alpha1",
  plural: "storageversions",
  kind: "StorageVersion",
  namespaced: false,
});
