import { defineResource, type KubeObject, type Resource } from "@kubeloop/controller/types";

/** A PersistentVolumeClaim, with the fields that actors read or write. */
export interface PersistentVolumeClaim extends KubeObject {
  spec?: {
    accessModes?: string[];
    resources?: { requests?: Record<string, string> };
    storageClassName?: string;
    volumeMode?: string;
    volumeName?: string;
    selector?: object;
  };
  status?: { phase?: string; accessModes?: string[]; capacity?: Record<string, string> };
}

/** A reference from a PersistentVolume to its claim. */
export interface ClaimReference {
  apiVersion?: string;
  kind?: string;
  namespace?: string;
  name?: string;
  uid?: string;
  resourceVersion?: string;
}

/** A PersistentVolume, with the fields that actors read or write. */
export interface PersistentVolume extends KubeObject {
  spec?: {
    accessModes?: string[];
    capacity?: Record<string, string>;
    claimRef?: ClaimReference;
    persistentVolumeReclaimPolicy?: string;
    storageClassName?: string;
    volumeMode?: string;
    nodeAffinity?: unknown;
    csi?: { driver: string; volumeHandle: string };
    hostPath?: { path: string; type?: string };
  };
  status?: { phase?: string; reason?: string; message?: string };
}

/** A StorageClass: how volumes are made for claims. */
export interface StorageClass extends KubeObject {
  provisioner?: string;
  reclaimPolicy?: string;
  volumeBindingMode?: string;
  allowVolumeExpansion?: boolean;
}

/** The resource `persistentvolumeclaims` of the core group. */
export const PersistentVolumeClaims: Resource<PersistentVolumeClaim> = defineResource<
  PersistentVolumeClaim
>({
  group: "",
  version: "v1",
  plural: "persistentvolumeclaims",
  kind: "PersistentVolumeClaim",
  namespaced: true,
});
/** The resource `persistentvolumes` of the core group, which is cluster-scoped. */
export const PersistentVolumes: Resource<PersistentVolume> = defineResource<PersistentVolume>({
  group: "",
  version: "v1",
  plural: "persistentvolumes",
  kind: "PersistentVolume",
  namespaced: false,
});
/** The resource `storageclasses.storage.k8s.io`, which is cluster-scoped. */
export const StorageClasses: Resource<StorageClass> = defineResource<StorageClass>({
  group: "storage.k8s.io",
  version: "v1",
  plural: "storageclasses",
  kind: "StorageClass",
  namespaced: false,
});
