// Written by `deno task schemas` from the Go types of the Kubernetes API. Do not edit.
/**
 * The types of `storagemigration/v1beta1`, and the descriptors of its resources.
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

/** A StorageVersionMigration of `storagemigration.k8s.io/v1beta1`. */
export interface StorageVersionMigration extends KubeObject {
  /** The `spec` of a StorageVersionMigration. */
  spec?: StorageVersionMigrationSpec;
  /** The `status` of a StorageVersionMigration. */
  status?: StorageVersionMigrationStatus;
}

/** A list of StorageVersionMigrations. */
export type StorageVersionMigrationList = KubeList<StorageVersionMigration>;

/** The `spec` of a StorageVersionMigration. */
export type StorageVersionMigrationSpec = {
  resource: GroupResource;
};

/** The `status` of a StorageVersionMigration. */
export type StorageVersionMigrationStatus = {
  conditions?: Condition[];
  resourceVersion?: string;
};

/** The resource `storageversionmigrations.storagemigration.k8s.io`, which is cluster-scoped. */
export const StorageVersionMigrations: Resource<StorageVersionMigration> =
  /* @__PURE__ */ builtinResource({
    group: "storagemigration.k8s.io",
    version: "v1beta1",
    plural: "storageversionmigrations",
    kind: "StorageVersionMigration",
    namespaced: false,
  });
