// Written by `deno task schemas` from the Go types of the Kubernetes API. Do not edit.
/**
 * The types of `storage/v1`, and the descriptors of its resources.
 *
 * @module
 */

import {
  builtinResource,
  type KubeList,
  type KubeObject,
  type LabelSelector,
  type Resource,
} from "../../types/minimal/mod.ts";
import type {
  PersistentVolumeAccessMode,
  PersistentVolumeMode,
  PersistentVolumeReclaimPolicy,
  PersistentVolumeSpec,
  TopologySelectorTerm,
} from "../core/types.ts";
import type { OpenEnum, Quantity, Time } from "../scalars.ts";

/** A CSIDriver of `storage.k8s.io/v1`. */
export interface CSIDriver extends KubeObject {
  /** The `spec` of a CSIDriver. */
  spec: CSIDriverSpec;
}

/** A list of CSIDrivers. */
export type CSIDriverList = KubeList<CSIDriver>;

/** The `spec` of a CSIDriver. */
export type CSIDriverSpec = {
  attachRequired?: boolean;
  podInfoOnMount?: boolean;
  volumeLifecycleModes?: VolumeLifecycleMode[];
  storageCapacity?: boolean;
  fsGroupPolicy?: FSGroupPolicy;
  tokenRequests?: TokenRequest[];
  requiresRepublish?: boolean;
  seLinuxMount?: boolean;
  nodeAllocatableUpdatePeriodSeconds?: number;
  serviceAccountTokenInSecrets?: boolean;
  /** Since Kubernetes 1.36. */
  preventPodSchedulingIfMissing?: boolean;
};

/** A CSINode of `storage.k8s.io/v1`. */
export interface CSINode extends KubeObject {
  /** The `spec` of a CSINode. */
  spec: CSINodeSpec;
  /** The `status` of a CSINode. Since Kubernetes 1.37. */
  status?: CSINodeStatus;
}

/** The `spec.drivers[]` of a CSINode. */
export type CSINodeDriver = {
  name: string;
  nodeID: string;
  topologyKeys?: string[] | null;
  allocatable?: VolumeNodeResources;
};

/** A list of CSINodes. */
export type CSINodeList = KubeList<CSINode>;

/** The `spec` of a CSINode. */
export type CSINodeSpec = {
  drivers: CSINodeDriver[];
};

/** The `status` of a CSINode. Since Kubernetes 1.37. */
export type CSINodeStatus = {
  storageHealth?: StorageHealth[];
};

/** A CSIStorageCapacity of `storage.k8s.io/v1`. */
export interface CSIStorageCapacity extends KubeObject {
  /** The `nodeTopology` of a CSIStorageCapacity. */
  nodeTopology?: LabelSelector;
  /** The `storageClassName` of a CSIStorageCapacity. */
  storageClassName: string;
  /** The `capacity` of a CSIStorageCapacity. */
  capacity?: Quantity;
  /** The `maximumVolumeSize` of a CSIStorageCapacity. */
  maximumVolumeSize?: Quantity;
}

/** A list of CSIStorageCapacities. */
export type CSIStorageCapacityList = KubeList<CSIStorageCapacity>;

/** The known values of `FSGroupPolicy`. */
export type FSGroupPolicy = OpenEnum<"File" | "None" | "ReadWriteOnceWithFSType">;

/** A StorageClass of `storage.k8s.io/v1`. */
export interface StorageClass extends KubeObject {
  /** The `provisioner` of a StorageClass. */
  provisioner: string;
  /** The `parameters` of a StorageClass. */
  parameters?: Record<string, string>;
  /** The `reclaimPolicy` of a StorageClass. */
  reclaimPolicy?: PersistentVolumeReclaimPolicy;
  /** The `mountOptions` of a StorageClass. */
  mountOptions?: string[];
  /** The `allowVolumeExpansion` of a StorageClass. */
  allowVolumeExpansion?: boolean;
  /** The `volumeBindingMode` of a StorageClass. */
  volumeBindingMode?: VolumeBindingMode;
  /** The `allowedTopologies` of a StorageClass. */
  allowedTopologies?: TopologySelectorTerm[];
}

/** A list of StorageClasses. */
export type StorageClassList = KubeList<StorageClass>;

/** The `status.storageHealth[]` of a CSINode. Since Kubernetes 1.37. */
export type StorageHealth = {
  name: string;
  healthConditions?: StorageHealthCondition[];
};

/** The `status.storageHealth[].healthConditions[]` of a CSINode. Since Kubernetes 1.37. */
export type StorageHealthCondition = {
  status: StorageHealthStatusType;
  reason: string;
  message?: string;
  accessMode?: PersistentVolumeAccessMode;
  volumeMode?: PersistentVolumeMode;
  lastTransitionTime?: Time;
};

/** The known values of `StorageHealthStatusType`. */
export type StorageHealthStatusType = OpenEnum<"StorageDegraded" | "StorageUnreachable">;

/** The `spec.tokenRequests[]` of a CSIDriver. */
export type TokenRequest = {
  audience: string;
  expirationSeconds?: number;
};

/** A VolumeAttachment of `storage.k8s.io/v1`. */
export interface VolumeAttachment extends KubeObject {
  /** The `spec` of a VolumeAttachment. */
  spec: VolumeAttachmentSpec;
  /** The `status` of a VolumeAttachment. */
  status?: VolumeAttachmentStatus;
}

/** A list of VolumeAttachments. */
export type VolumeAttachmentList = KubeList<VolumeAttachment>;

/** The `spec.source` of a VolumeAttachment. */
export type VolumeAttachmentSource = {
  persistentVolumeName?: string;
  inlineVolumeSpec?: PersistentVolumeSpec;
};

/** The `spec` of a VolumeAttachment. */
export type VolumeAttachmentSpec = {
  attacher: string;
  source: VolumeAttachmentSource;
  nodeName: string;
};

/** The `status` of a VolumeAttachment. */
export type VolumeAttachmentStatus = {
  attached: boolean;
  attachmentMetadata?: Record<string, string>;
  attachError?: VolumeError;
  detachError?: VolumeError;
};

/** A VolumeAttributesClass of `storage.k8s.io/v1`. */
export interface VolumeAttributesClass extends KubeObject {
  /** The `driverName` of a VolumeAttributesClass. */
  driverName: string;
  /** The `parameters` of a VolumeAttributesClass. */
  parameters?: Record<string, string>;
}

/** A list of VolumeAttributesClasses. */
export type VolumeAttributesClassList = KubeList<VolumeAttributesClass>;

/** The known values of `VolumeBindingMode`. */
export type VolumeBindingMode = OpenEnum<"Immediate" | "WaitForFirstConsumer">;

/** The `status.attachError` of a VolumeAttachment. */
export type VolumeError = {
  time?: Time | null;
  message?: string;
  errorCode?: number;
};

/** The known values of `VolumeLifecycleMode`. */
export type VolumeLifecycleMode = OpenEnum<"Ephemeral" | "Persistent">;

/** The `spec.drivers[].allocatable` of a CSINode. */
export type VolumeNodeResources = {
  count?: number;
};

/** The resource `csidrivers.storage.k8s.io`, which is cluster-scoped. */
export const CSIDrivers: Resource<CSIDriver> = /* @__PURE__ */ builtinResource({
  group: "storage.k8s.io",
  version: "v1",
  plural: "csidrivers",
  kind: "CSIDriver",
  namespaced: false,
});

/** The resource `csinodes.storage.k8s.io`, which is cluster-scoped. */
export const CSINodes: Resource<CSINode> = /* @__PURE__ */ builtinResource({
  group: "storage.k8s.io",
  version: "v1",
  plural: "csinodes",
  kind: "CSINode",
  namespaced: false,
});

/** The resource `csistoragecapacities.storage.k8s.io`. */
export const CSIStorageCapacities: Resource<CSIStorageCapacity> = /* @__PURE__ */ builtinResource({
  group: "storage.k8s.io",
  version: "v1",
  plural: "csistoragecapacities",
  kind: "CSIStorageCapacity",
  namespaced: true,
});

/** The resource `storageclasses.storage.k8s.io`, which is cluster-scoped. */
export const StorageClasses: Resource<StorageClass> = /* @__PURE__ */ builtinResource({
  group: "storage.k8s.io",
  version: "v1",
  plural: "storageclasses",
  kind: "StorageClass",
  namespaced: false,
});

/** The resource `volumeattachments.storage.k8s.io`, which is cluster-scoped. */
export const VolumeAttachments: Resource<VolumeAttachment> = /* @__PURE__ */ builtinResource({
  group: "storage.k8s.io",
  version: "v1",
  plural: "volumeattachments",
  kind: "VolumeAttachment",
  namespaced: false,
});

/** The resource `volumeattributesclasses.storage.k8s.io`, which is cluster-scoped. */
export const VolumeAttributesClasses: Resource<VolumeAttributesClass> =
  /* @__PURE__ */ builtinResource({
    group: "storage.k8s.io",
    version: "v1",
    plural: "volumeattributesclasses",
    kind: "VolumeAttributesClass",
    namespaced: false,
  });
