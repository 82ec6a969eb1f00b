// Written by `deno task schemas` from the Go types of the Kubernetes API. Do not edit.
/**
 * The types of `storagemigration/v1alpha1`, and the descriptors of its resources.
 *
 * @module
 */

import {
  builtinResource,
  type KubeList,
  type KubeObject,
  type Resource,
} from "../../types/minimal/mod.ts";
import type { ConditionStatus } from "../core/types.ts";
import type { OpenEnum, Time } from "../scalars.ts";

/** The `spec.resource` of a StorageVersionMigration. @deprecated Kubernetes 1.34 is the last version that has it. */
export type GroupVersionResource = {
  group?: string;
  version?: string;
  resource?: string;
};

/** The `status.conditions[]` of a StorageVersionMigration. @deprecated Kubernetes 1.34 is the last version that has it. */
export type MigrationCondition = {
  type: MigrationConditionType;
  status: ConditionStatus;
  lastUpdateTime?: Time | null;
  reason?: string;
  message?: string;
};

/** The known values of `MigrationConditionType`. */
export type MigrationConditionType = OpenEnum<"Failed" | "Running" | "Succeeded">;

/** A StorageVersionMigration of `storagemigration.k8s.io/v1alpha1`. @deprecated Kubernetes 1.34 is the last version that has it. */
export interface StorageVersionMigration extends KubeObject {
  /** The `spec` of a StorageVersionMigration. */
  spec?: StorageVersionMigrationSpec;
  /** The `status` of a StorageVersionMigration. */
  status?: StorageVersionMigrationStatus;
}

/** A list of StorageVersionMigrations. @deprecated Kubernetes 1.34 is the last version that has it. */
export type StorageVersionMigrationList = KubeList<StorageVersionMigration>;

/** The `spec` of a StorageVersionMigration. @deprecated Kubernetes 1.34 is the last version that has it. */
export type StorageVersionMigrationSpec = {
  resource: GroupVersionResource;
  continueToken?: string;
};

/** The `status` of a StorageVersionMigration. @deprecated Kubernetes 1.34 is the last version that has it. */
export type StorageVersionMigrationStatus = {
  conditions?: MigrationCondition[];
  resourceVersion?: string;
};

/** The resource `storageversionmigrations.storagemigration.k8s.io`, which is cluster-scoped. @deprecated Kubernetes 1.34 is the last version that has it. */
export const StorageVersionMigrations: Resource<StorageVersionMigration> =
  /* @__PURE__ */ builtinResource({
    group: "storagemigration.k8s.io",
    version: "v1alpha1",
    plural: "storageversionmigrations",
    kind: "StorageVersionMigration",
    namespaced: false,
  });
