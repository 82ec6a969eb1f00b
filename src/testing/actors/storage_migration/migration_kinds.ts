import {
  type Cached,
  type Condition,
  defineResource,
  isStatusConditionTrue,
  type KubeObject,
  type Resource,
} from "@kubeloop/controller/types";

/** The name of a resource with its API group. */
export interface GroupResource {
  group: string;
  resource: string;
}

/** A StorageVersionMigration, with the fields that its controller reads or writes. */
export interface StorageVersionMigration extends KubeObject {
  spec?: { resource: GroupResource };
  status?: { conditions?: Condition[]; resourceVersion?: string };
}

/** The resource `storageversionmigrations.storagemigration.k8s.io`, which is cluster-scoped. */
export const StorageVersionMigrations: Resource<StorageVersionMigration> = defineResource<
  StorageVersionMigration
>({
  group: "storagemigration.k8s.io",
  version: "v1",
  plural: "storageversionmigrations",
  kind: "StorageVersionMigration",
  namespaced: false,
});

/** Reports whether a migration has a condition of that type with status `True`. */
export function has({ status }: Cached<StorageVersionMigration>, type: string): boolean {
  return isStatusConditionTrue(status?.conditions, type);
}

/** Reports whether a migration has ended. */
export function isOver(migration: Cached<StorageVersionMigration>): boolean {
  return has(migration, "Succeeded") || has(migration, "Failed");
}

/** Returns the full name of the resource that a migration rewrites, which is that of its definition. */
export function resourceOf({ spec }: Cached<StorageVersionMigration>): string {
  const { group = "", resource = "" } = spec?.resource ?? {};
  return `${resource}.${group}`;
}
