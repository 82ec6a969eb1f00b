// Written by `deno task schemas` from the Go types of the Kubernetes API. Do not edit.

/** The messages of `storagemigration/v1alpha1`. */
export const MESSAGES: string = `
GroupVersionResource group:s,version:s,resource:s
MigrationCondition type:s!,status:s!,lastUpdateTime:t!,reason:s,message:s
+StorageVersionMigration metadata:meta.ObjectMeta!,spec:StorageVersionMigrationSpec!,status:StorageVersionMigrationStatus!
StorageVersionMigrationSpec resource:GroupVersionResource!,continueToken:s
StorageVersionMigrationStatus conditions:[MigrationCondition,resourceVersion:s
`;

/** The tables that they refer to. */
export const USES: readonly string[] = ["meta"];
