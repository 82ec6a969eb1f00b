// Written by `deno task schemas` from the Go types of the Kubernetes API. Do not edit.

/** The messages of `storagemigration`. */
export const MESSAGES: string = `
+StorageVersionMigration metadata:meta.ObjectMeta!,spec:StorageVersionMigrationSpec!,status:StorageVersionMigrationStatus!
StorageVersionMigrationSpec resource:meta.GroupResource!
StorageVersionMigrationStatus conditions:[meta.Condition,resourceVersion:s
`;

/** The tables that they refer to. */
export const USES: readonly string[] = ["meta"];
