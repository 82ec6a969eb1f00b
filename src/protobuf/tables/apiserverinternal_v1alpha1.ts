// Written by `deno task schemas` from the Go types of the Kubernetes API. Do not edit.

/** The messages of `apiserverinternal/v1alpha1`. */
export const MESSAGES: string = `
ServerStorageVersion apiServerID:s,encodingVersion:s,decodableVersions:[s,servedVersions:[s
+StorageVersion metadata:meta.ObjectMeta!,spec:StorageVersionSpec!,status:StorageVersionStatus!
StorageVersionCondition type:s!,status:s!,observedGeneration:l,lastTransitionTime:t!,reason:s!,message:s
StorageVersionSpec 
StorageVersionStatus storageVersions:[ServerStorageVersion,commonEncodingVersion:s?,conditions:[StorageVersionCondition
`;

/** The tables that they refer to. */
export const USES: readonly string[] = ["meta"];
