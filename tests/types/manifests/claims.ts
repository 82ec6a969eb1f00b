import type { PersistentVolumeClaim } from "@kubeloop/controller/types/core/v1";

export const data: PersistentVolumeClaim = {
  apiVersion: "v1",
  kind: "PersistentVolumeClaim",
  metadata: { name: "data", namespace: "default" },
  spec: {
    accessModes: ["ReadWriteOnce"],
    storageClassName: "fast",
    volumeMode: "Filesystem",
    resources: { requests: { storage: "10Gi" }, limits: { storage: "20Gi" } },
  },
};

export const block: PersistentVolumeClaim = {
  metadata: { name: "raw", namespace: "default" },
  spec: {
    accessModes: ["ReadWriteOncePod"],
    volumeMode: "Block",
    volumeAttributesClassName: "gold",
    resources: { requests: { storage: "5Gi" } },
  },
};

export const existing: PersistentVolumeClaim = {
  metadata: { name: "existing", namespace: "default" },
  spec: {
    accessModes: ["ReadWriteMany"],
    storageClassName: "",
    volumeName: "nfs-1",
    selector: {
      matchLabels: { type: "nfs" },
      matchExpressions: [{ key: "zone", operator: "Exists" }],
    },
    resources: { requests: { storage: "1Ti" } },
  },
};

export const restored: PersistentVolumeClaim = {
  metadata: { name: "restored", namespace: "default" },
  spec: {
    accessModes: ["ReadWriteOnce"],
    dataSource: { apiGroup: "snapshot.storage.k8s.io", kind: "VolumeSnapshot", name: "monday" },
    resources: { requests: { storage: "10Gi" } },
  },
};

export const imported: PersistentVolumeClaim = {
  metadata: { name: "imported", namespace: "default" },
  spec: {
    accessModes: ["ReadWriteOnce"],
    dataSourceRef: {
      apiGroup: "snapshot.storage.k8s.io",
      kind: "VolumeSnapshot",
      name: "monday",
      namespace: "backups",
    },
    resources: { requests: { storage: "10Gi" } },
  },
};
