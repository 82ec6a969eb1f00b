// Written by `deno task schemas` from the Go types of the Kubernetes API. Do not edit.

/** The messages of `storage`. */
export const MESSAGES: string = `
+CSIDriver metadata:meta.ObjectMeta!,spec:CSIDriverSpec!
CSIDriverSpec attachRequired:b?,podInfoOnMount:b?,volumeLifecycleModes:[s,storageCapacity:b?,fsGroupPolicy:s?,tokenRequests:[TokenRequest,requiresRepublish:b?,seLinuxMount:b?,nodeAllocatableUpdatePeriodSeconds:l?,serviceAccountTokenInSecrets:b?,preventPodSchedulingIfMissing:b?
+CSINode metadata:meta.ObjectMeta!,spec:CSINodeSpec!,status:CSINodeStatus!
CSINodeDriver name:s!,nodeID:s!,topologyKeys:[s!,allocatable:VolumeNodeResources?
CSINodeSpec drivers:[CSINodeDriver!
CSINodeStatus storageHealth:[StorageHealth
+CSIStorageCapacity metadata:meta.ObjectMeta!,nodeTopology:meta.LabelSelector?,storageClassName:s!,capacity:q?,maximumVolumeSize:q?
+StorageClass metadata:meta.ObjectMeta!,provisioner:s!,parameters:{s,reclaimPolicy:s?,mountOptions:[s,allowVolumeExpansion:b?,volumeBindingMode:s?,allowedTopologies:[core.TopologySelectorTerm
StorageHealth name:s!,healthConditions:[StorageHealthCondition
StorageHealthCondition status:s!,reason:s!,message:s,accessMode:s?,volumeMode:s?,lastTransitionTime:t!
TokenRequest audience:s!,expirationSeconds:l?
+VolumeAttachment metadata:meta.ObjectMeta!,spec:VolumeAttachmentSpec!,status:VolumeAttachmentStatus!
VolumeAttachmentSource persistentVolumeName:s?,inlineVolumeSpec:core.PersistentVolumeSpec?
VolumeAttachmentSpec attacher:s!,source:VolumeAttachmentSource!,nodeName:s!
VolumeAttachmentStatus attached:b!,attachmentMetadata:{s,attachError:VolumeError?,detachError:VolumeError?
+VolumeAttributesClass metadata:meta.ObjectMeta!,driverName:s!,parameters:{s
VolumeError time:t!,message:s,errorCode:i?
VolumeNodeResources count:i?
`;

/** The tables that they refer to. */
export const USES: readonly string[] = ["core", "meta"];
