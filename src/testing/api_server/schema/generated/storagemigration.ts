// Written by `deno task schemas` from the Go types of the Kubernetes API. Do not edit.
import type { StructTable } from "../../../values/mod.ts";

/** The structs of `storagemigration`. */
export const STORAGEMIGRATION: StructTable = {
  "storagemigration.StorageVersionMigration": `
    @object; metadata meta.ObjectMeta!; spec storagemigration.StorageVersionMigrationSpec!;
    status storagemigration.StorageVersionMigrationStatus!
  `,
  "storagemigration.StorageVersionMigrationList": `
    @object; metadata meta.ListMeta!; items []storagemigration.StorageVersionMigration!*
  `,
  "storagemigration.StorageVersionMigrationSpec": "resource meta.GroupResource!*",
  "storagemigration.StorageVersionMigrationStatus": `
    conditions []meta.Condition key=type; resourceVersion string
  `,
};
