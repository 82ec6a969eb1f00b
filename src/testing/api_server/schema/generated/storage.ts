// Written by `deno task schemas` from the Go types of the Kubernetes API. Do not edit.
import type { StructTable } from "../../../values/mod.ts";

/** The structs of `storage`. */
export const STORAGE: StructTable = {
  "storage.CSIDriver": "@object; metadata meta.ObjectMeta!; spec storage.CSIDriverSpec!*",
  "storage.CSIDriverList": "@object; metadata meta.ListMeta!; items []storage.CSIDriver!*",
  "storage.CSIDriverSpec": `
    attachRequired bool?; podInfoOnMount bool?;
    volumeLifecycleModes []string set go=[]v1.VolumeLifecycleMode; storageCapacity bool?;
    fsGroupPolicy string? go=v1.FSGroupPolicy; tokenRequests []storage.TokenRequest atomic;
    requiresRepublish bool?; seLinuxMount bool?; nodeAllocatableUpdatePeriodSeconds int64?;
    serviceAccountTokenInSecrets bool?; preventPodSchedulingIfMissing bool?
  `,
  "storage.CSINode": `
    @object; metadata meta.ObjectMeta!; spec storage.CSINodeSpec!*; status storage.CSINodeStatus!
  `,
  "storage.CSINodeDriver": `
    name string!*; nodeID string!*; topologyKeys []string! atomic;
    allocatable storage.VolumeNodeResources?
  `,
  "storage.CSINodeList": "@object; metadata meta.ListMeta!; items []storage.CSINode!*",
  "storage.CSINodeSpec": "drivers []storage.CSINodeDriver!* key=name",
  "storage.CSINodeStatus": "storageHealth []storage.StorageHealth key=name",
  "storage.CSIStorageCapacity": `
    @object; metadata meta.ObjectMeta!; nodeTopology meta.LabelSelector?; storageClassName string!*;
    capacity quantity?; maximumVolumeSize quantity?
  `,
  "storage.CSIStorageCapacityList": `
    @object; metadata meta.ListMeta!; items []storage.CSIStorageCapacity!*
  `,
  "storage.StorageClass": `
    @object; metadata meta.ObjectMeta!; provisioner string!*; parameters {}string;
    reclaimPolicy core.PersistentVolumeReclaimPolicy? go=v1.PersistentVolumeReclaimPolicy;
    mountOptions []string atomic; allowVolumeExpansion bool?;
    volumeBindingMode storage.VolumeBindingMode? go=v1.VolumeBindingMode;
    allowedTopologies []core.TopologySelectorTerm atomic
  `,
  "storage.StorageClassList": "@object; metadata meta.ListMeta!; items []storage.StorageClass!*",
  "storage.StorageHealth": `
    name string!*; healthConditions []storage.StorageHealthCondition atomic
  `,
  "storage.StorageHealthCondition": `
    status storage.StorageHealthStatusType!* go=v1.StorageHealthStatusType; reason string!*;
    message string; accessMode core.PersistentVolumeAccessMode? go=v1.PersistentVolumeAccessMode;
    volumeMode core.PersistentVolumeMode? go=v1.PersistentVolumeMode; lastTransitionTime time!
  `,
  "storage.StorageHealthStatusType": "enum StorageDegraded | StorageUnreachable",
  "storage.TokenRequest": "audience string!*; expirationSeconds int64?",
  "storage.VolumeAttachment": `
    @object; metadata meta.ObjectMeta!; spec storage.VolumeAttachmentSpec!*;
    status storage.VolumeAttachmentStatus!
  `,
  "storage.VolumeAttachmentList": `
    @object; metadata meta.ListMeta!; items []storage.VolumeAttachment!*
  `,
  "storage.VolumeAttachmentSource": `
    persistentVolumeName string?; inlineVolumeSpec core.PersistentVolumeSpec?
  `,
  "storage.VolumeAttachmentSpec": `
    attacher string!*; source storage.VolumeAttachmentSource!*; nodeName string!*
  `,
  "storage.VolumeAttachmentStatus": `
    attached bool!*; attachmentMetadata {}string; attachError storage.VolumeError?;
    detachError storage.VolumeError?
  `,
  "storage.VolumeAttributesClass": `
    @object; metadata meta.ObjectMeta!; driverName string!*; parameters {}string
  `,
  "storage.VolumeAttributesClassList": `
    @object; metadata meta.ListMeta!; items []storage.VolumeAttributesClass!*
  `,
  "storage.VolumeBindingMode": "enum Immediate | WaitForFirstConsumer",
  "storage.VolumeError": "time time!; message string; errorCode int32?",
  "storage.VolumeNodeResources": "count int32?",
};
