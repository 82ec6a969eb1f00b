// Written by `deno task schemas` from the Go types of the Kubernetes API. Do not edit.
/**
 * The types of `storagemigration/v1`, and the descriptors of its resources.
 *
 * @module
 */

import {
  builtinResource,
  type Condition,
  type KubeList,
  type KubeObject,
  type Resource,
} from "../../types/minimal/mod.ts";
import type { GroupResource } from "../meta/v1.ts";

/** A StorageVersionMigration of `storagemigration.k8s.io/v1`. Since Kubernetes 1.37. */
export interface StorageVersionMigration extends KubeObject {
  /** The `spec` of a StorageVersionMigration. */
  spec?: StorageVersionMigrationSpec;
  /** The `status` of a StorageVersionMigration. */
  status?: StorageVersionMigrationStatus;
}

/** A list of StorageVersionMigrations. Since Kubernetes 1.37. */
export type StorageVersionMigrationList = KubeList<StorageVersionMigration>;

/** The `spec` of a StorageVersionMigration. Since Kubernetes 1.37. */
export type StorageVersionMigrationSpec = {
  resource: GroupResource;
};

/** The `status` of a StorageVersionMigration. Since Kubernetes 1.37. */
export type StorageVersionMigrationStatus = {
  conditions?: Condition[];
  resourceVersion?: string;
};

/** The resource `storageversionmigrations.storagemigration.k8s.io`, which is cluster-scoped. Since Kubernetes 1.37. */
export const StorageVersionMigrations: Resource<StorageVersionMigration> =
  /* @__PURE__ */ builtinResource({
    group: "storagemigration.k8s.io",
    version: "v1",
    plural: "storageversionmigrations",
    kind: "StorageVersionMigration",
    namespaced: false,
  });
