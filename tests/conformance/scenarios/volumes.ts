import { del, merge, post, type RequestStep, type StepScenario } from "../step.ts";
import { core, grouped, namespaced, pod } from "./_objects.ts";

const NS = "suite-volumes";
const VOLUMES = "/api/v1/persistentvolumes";
const NODES = "/api/v1/nodes";
const STORAGE = "/apis/storage.k8s.io/v1";
const CLAIMS = core(NS, "persistentvolumeclaims");
const PODS = core(NS, "pods");
const CAPACITIES = grouped("storage.k8s.io/v1", NS, "csistoragecapacities");

const trial = (path: string, rest: object, name = "suite-x"): RequestStep =>
  post(`${path}?dryRun=All`, { metadata: { name }, ...rest });

const GIB = { storage: "1Gi" };

const volume = (spec: object, name?: string): RequestStep =>
  trial(VOLUMES, { spec: { capacity: GIB, accessModes: ["ReadWriteOnce"], ...spec } }, name);

const claim = (spec: object): RequestStep =>
  trial(CLAIMS, {
    spec: { accessModes: ["ReadWriteOnce"], resources: { requests: GIB }, ...spec },
  });

const csi = (parts: object = {}) => ({ csi: { driver: "d.example", volumeHandle: "h", ...parts } });

const affinity = (terms: unknown) => ({ nodeAffinity: { required: { nodeSelectorTerms: terms } } });

const onNode = [{ matchExpressions: [{ key: "n", operator: "In", values: ["a"] }] }];

/** Refusals and defaults of the kinds of storage, and of certificates in volumes. */
export const volumes: StepScenario = {
  name: "volumes",
  steps: [
    namespaced(NS),
    // PersistentVolumes
    volume({}),
    volume({ accessModes: [], hostPath: { path: "/a" } }),
    volume({ accessModes: ["Odd", "ReadWriteOncePod", "ReadWriteOnce"], hostPath: { path: "/a" } }),
    volume({ accessModes: ["ReadWriteOncePod", "ReadWriteMany"], ...csi() }),
    volume({ hostPath: { path: "/a/../b", type: "Odd" } }),
    volume({ hostPath: { path: "/" }, persistentVolumeReclaimPolicy: "Recycle" }),
    volume({ hostPath: { path: "" }, nfs: { server: "s", path: "/p" } }),
    volume({ nfs: { server: "", path: "rel" } }),
    volume({
      nfs: { server: "s", path: "/p" },
      persistentVolumeReclaimPolicy: "Odd",
      volumeMode: "Odd",
    }),
    volume({ capacity: { storage: "-1Gi", cpu: "1" }, hostPath: { path: "/a" } }),
    volume({ capacity: { storage: "0" }, hostPath: { path: "/a" } }),
    volume({ local: { path: "/a" } }),
    volume({ local: { path: "a/../b" }, ...affinity([]) }),
    volume({ local: { path: "/a" }, ...affinity([{}]) }),
    volume({
      local: { path: "/a" },
      ...affinity([{
        matchExpressions: [
          { key: "n", operator: "In" },
          { key: "n", operator: "Exists", values: ["a"] },
          { key: "n", operator: "Gt", values: ["a"] },
          { key: "n", operator: "Odd" },
          { key: "b d", operator: "Exists" },
        ],
        matchFields: [{ key: "metadata.labels", operator: "In", values: ["a", "b"] }],
      }]),
    }),
    volume({ local: { path: "/a" }, ...affinity(onNode), storageClassName: "Bad_Name" }),
    volume(csi({ driver: "Bad_Driver", volumeHandle: "" })),
    volume(csi({
      controllerPublishSecretRef: { name: "a" },
      nodeStageSecretRef: { namespace: "n" },
      nodePublishSecretRef: { name: "A", namespace: "N" },
      controllerExpandSecretRef: {},
      nodeExpandSecretRef: { name: "a", namespace: "b" },
    })),
    volume({ fc: { targetWWNs: ["w"] } }),
    volume({ fc: {} }),
    volume({ fc: { targetWWNs: ["w"], lun: 256, wwids: ["x"] } }),
    volume({ flexVolume: { driver: "" } }),
    volume({ flexVolume: { driver: "d", secretRef: { name: "s" } } }),
    volume({ flexVolume: { driver: "d", options: { "kubernetes.io/x": "1" } } }),
    volume({ awsElasticBlockStore: { volumeID: "", partition: 300 } }),
    volume({ gcePersistentDisk: { pdName: "", partition: -1 } }),
    volume({ azureDisk: { diskName: "", diskURI: "", cachingMode: "Odd", kind: "Odd" } }),
    volume({ azureDisk: { diskName: "d", diskURI: "u" } }),
    volume({ azureDisk: { diskName: "d", diskURI: "/subscriptions/x", kind: "Dedicated" } }),
    volume({ azureFile: { secretName: "", shareName: "", secretNamespace: "" } }),
    volume({ cephfs: { monitors: [] } }),
    volume({ cephfs: { monitors: ["m"], secretRef: { name: "s" } } }),
    volume({ rbd: { monitors: [], image: "" } }),
    volume({ rbd: { monitors: ["m"], image: "i" } }),
    volume({ cinder: { volumeID: "", secretRef: {} } }),
    volume({ glusterfs: { endpoints: "", path: "", endpointsNamespace: "" } }),
    volume({ quobyte: { registry: "a,b", volume: "" } }),
    volume({ scaleIO: { gateway: "", system: "", volumeName: "" } }),
    volume({ storageos: { volumeName: "", secretRef: {} } }),
    volume({ portworxVolume: { volumeID: "" } }),
    volume({ photonPersistentDisk: { pdID: "" } }),
    volume({ vsphereVolume: { volumePath: "" } }),
    volume({ iscsi: { targetPortal: "", iqn: "", lun: 256, chapAuthSession: true } }),
    volume({ iscsi: { targetPortal: "1.2.3.4", iqn: "iqn.2001-04.com.example:x", lun: 0 } }),
    volume({ ...csi(), claimRef: { name: "c" }, volumeAttributesClassName: "" }),
    volume({ ...csi(), mountOptions: ["a"], volumeMode: "Block" }),
    post(VOLUMES, {
      metadata: { name: "suite-volumes" },
      spec: { capacity: GIB, accessModes: ["ReadWriteOnce"], ...csi(), storageClassName: "s" },
    }),
    merge(`${VOLUMES}/suite-volumes`, {
      spec: { ...csi({ volumeHandle: "i" }), volumeMode: "Block" },
    }),
    merge(`${VOLUMES}/suite-volumes?dryRun=All`, {
      spec: {
        capacity: { storage: "2Gi" },
        persistentVolumeReclaimPolicy: "Delete",
        mountOptions: ["a"],
      },
    }),
    merge(`${VOLUMES}/suite-volumes?dryRun=All`, {
      spec: { ...affinity(onNode), storageClassName: "t" },
    }),
    merge(`${VOLUMES}/suite-volumes/status?dryRun=All`, {
      status: { phase: "Bound", message: "m" },
    }),
    // PersistentVolumeClaims
    claim({ accessModes: [] }),
    claim({ accessModes: ["ReadWriteOncePod", "ReadOnlyMany"] }),
    claim({ resources: {} }),
    claim({ resources: { requests: { storage: "0" }, limits: { storage: "x" } } }),
    claim({ resources: { requests: { storage: "-1" } } }),
    claim({ resources: { requests: { storage: "2Gi" }, limits: { storage: "1Gi" } } }),
    claim({ resources: { requests: { storage: "1Gi", cpu: "1" } } }),
    claim({ selector: { matchExpressions: [{ key: "a", operator: "Odd" }] }, volumeMode: "Odd" }),
    claim({ storageClassName: "Bad_Name", volumeAttributesClassName: "Bad_Name" }),
    claim({ storageClassName: "" }),
    claim({ dataSource: { kind: "Odd", name: "n" } }),
    claim({ dataSource: { kind: "PersistentVolumeClaim", name: "" } }),
    claim({
      dataSource: { apiGroup: "snapshot.storage.k8s.io", kind: "VolumeSnapshot", name: "s" },
    }),
    claim({ dataSourceRef: { apiGroup: "a.example", kind: "K", name: "s" } }),
    claim({ dataSourceRef: { kind: "Pod", name: "s" } }),
    claim({
      dataSource: { kind: "PersistentVolumeClaim", name: "a" },
      dataSourceRef: { kind: "PersistentVolumeClaim", name: "b" },
    }),
    claim({ dataSourceRef: { kind: "PersistentVolumeClaim", name: "b", namespace: "c" } }),
    post(CLAIMS, {
      metadata: { name: "c" },
      spec: { accessModes: ["ReadWriteOnce"], resources: { requests: GIB }, storageClassName: "s" },
    }),
    merge(`${CLAIMS}/c`, { spec: { accessModes: ["ReadOnlyMany"] } }),
    merge(`${CLAIMS}/c`, { spec: { resources: { requests: { storage: "2Gi" } } } }),
    merge(`${CLAIMS}/c?dryRun=All`, { spec: { volumeName: "v" } }),
    merge(`${CLAIMS}/c`, { spec: { storageClassName: "t" } }),
    merge(`${CLAIMS}/c/status`, {
      status: { phase: "Bound", accessModes: ["ReadWriteOnce"], capacity: { storage: "1Gi" } },
    }, { unseen: true }),
    merge(`${CLAIMS}/c`, { spec: { resources: { requests: { storage: "500Mi" } } } }),
    merge(`${CLAIMS}/c/status?dryRun=All`, {
      status: {
        capacity: { storage: "-1" },
        allocatedResources: { storage: "5Gi" },
        allocatedResourceStatuses: { storage: "Odd" },
        conditions: [{ type: "Resizing", status: "True" }],
      },
    }),
    // StorageClasses and VolumeAttributesClasses
    post(`${STORAGE}/storageclasses`, {
      metadata: {
        name: "suite-volumes",
        annotations: { "storageclass.kubernetes.io/is-default-class": "true" },
      },
      provisioner: "p.example",
      parameters: { a: "b" },
      volumeBindingMode: "WaitForFirstConsumer",
      allowVolumeExpansion: true,
    }),
    trial(`${STORAGE}/storageclasses`, {}),
    trial(`${STORAGE}/storageclasses`, {
      provisioner: "Bad Provisioner",
      reclaimPolicy: "Odd",
      volumeBindingMode: "Odd",
      parameters: { "": "x" },
      allowedTopologies: [{
        matchLabelExpressions: [{ key: "b d", values: [] }, { key: "a", values: ["x", "x"] }],
      }, {
        matchLabelExpressions: [],
      }],
    }),
    trial(`${STORAGE}/storageclasses`, { provisioner: "p", reclaimPolicy: "Recycle" }),
    trial(`${STORAGE}/storageclasses`, { provisioner: "p", parameters: { a: "b".repeat(262144) } }),
    merge(`${STORAGE}/storageclasses/suite-volumes`, {
      provisioner: "q",
      parameters: { a: "c" },
      reclaimPolicy: "Retain",
      volumeBindingMode: "Immediate",
    }),
    merge(`${STORAGE}/storageclasses/suite-volumes?dryRun=All`, {
      allowVolumeExpansion: null,
      mountOptions: ["a"],
      allowedTopologies: [{ matchLabelExpressions: [{ key: "a", values: ["x"] }] }],
    }),
    trial(
      CLAIMS,
      { spec: { accessModes: ["ReadWriteMany"], resources: { requests: GIB } } },
      "defaulted",
    ),
    del(`${STORAGE}/storageclasses/suite-volumes`, undefined, { unseen: true }),
    trial(`${STORAGE}/volumeattributesclasses`, {}),
    trial(`${STORAGE}/volumeattributesclasses`, { driverName: "Bad_D", parameters: {} }),
    trial(`${STORAGE}/volumeattributesclasses`, { driverName: "d", parameters: { "": "" } }),
    post(`${STORAGE}/volumeattributesclasses`, {
      metadata: { name: "suite-volumes" },
      driverName: "d.x",
      parameters: { a: "b" },
    }),
    merge(`${STORAGE}/volumeattributesclasses/suite-volumes`, {
      driverName: "e.x",
      parameters: { a: "c" },
    }),
    // CSI
    post(`${STORAGE}/csidrivers`, { metadata: { name: "suite.example" }, spec: {} }),
    trial(`${STORAGE}/csidrivers`, {
      spec: {
        volumeLifecycleModes: ["Odd", "Persistent"],
        fsGroupPolicy: "Odd",
        nodeAllocatableUpdatePeriodSeconds: 5,
        tokenRequests: [{ audience: "a" }, { audience: "a", expirationSeconds: 1 }],
      },
    }, "Bad_Name"),
    trial(`${STORAGE}/csidrivers`, { spec: {} }, "d".repeat(64)),
    merge(`${STORAGE}/csidrivers/suite.example`, {
      spec: { attachRequired: false, volumeLifecycleModes: ["Ephemeral"] },
    }),
    merge(`${STORAGE}/csidrivers/suite.example?dryRun=All`, {
      spec: {
        podInfoOnMount: true,
        storageCapacity: true,
        fsGroupPolicy: "None",
        requiresRepublish: true,
        seLinuxMount: true,
      },
    }),
    trial(`${STORAGE}/csinodes`, { spec: { drivers: null } }),
    trial(`${STORAGE}/csinodes`, {
      spec: {
        drivers: [
          { name: "Bad_Driver", nodeID: "" },
          {
            name: "d",
            nodeID: "n".repeat(257),
            allocatable: { count: -1 },
            topologyKeys: ["a", "a", "", "b d"],
          },
        ],
      },
    }),
    post(`${STORAGE}/csinodes`, {
      metadata: { name: "suite-volumes" },
      spec: {
        drivers: [{ name: "d", nodeID: "n", topologyKeys: ["a"], allocatable: { count: 2 } }],
      },
    }),
    merge(`${STORAGE}/csinodes/suite-volumes`, {
      spec: {
        drivers: [{ name: "d", nodeID: "m", topologyKeys: ["b"], allocatable: { count: 2 } }],
      },
    }),
    trial(CAPACITIES, {}),
    trial(CAPACITIES, {
      storageClassName: "Bad_Name",
      capacity: "-1",
      maximumVolumeSize: "-2",
      nodeTopology: { matchExpressions: [{ key: "a", operator: "Odd" }] },
    }),
    post(CAPACITIES, {
      metadata: { name: "k" },
      storageClassName: "s",
      capacity: "0.5Gi",
      nodeTopology: { matchLabels: { a: "b" } },
    }),
    merge(`${CAPACITIES}/k`, { storageClassName: "t", nodeTopology: null }),
    merge(`${CAPACITIES}/k?dryRun=All`, { capacity: "5Gi", maximumVolumeSize: 1073741824 }),
    trial(`${STORAGE}/volumeattachments`, { spec: {} }),
    trial(`${STORAGE}/volumeattachments`, {
      spec: { attacher: "Bad_A", nodeName: "n", source: { persistentVolumeName: "Bad_V" } },
    }),
    post(`${STORAGE}/volumeattachments`, {
      metadata: { name: "suite-attached" },
      spec: { attacher: "a", nodeName: "n", source: { persistentVolumeName: "v" } },
    }),
    merge(`${STORAGE}/volumeattachments/suite-attached`, { spec: { nodeName: "m" } }),
    merge(`${STORAGE}/volumeattachments/suite-attached/status?dryRun=All`, {
      status: {
        attached: true,
        attachmentMetadata: { a: "b".repeat(1025) },
        attachError: { message: "m", errorCode: -1 },
      },
    }),
    // Nodes
    trial(NODES, {
      spec: {
        taints: [
          { key: "a", effect: "NoSchedule" },
          { key: "a", effect: "NoSchedule", value: "v" },
          { key: "b d", effect: "", value: "x y" },
          { effect: "Odd" },
        ],
        podCIDRs: ["10.0.0.0/24", "10.0.1.0/24"],
      },
    }),
    trial(NODES, {
      spec: { podCIDR: "10.0.0.0/24", podCIDRs: ["10.0.1.0/24", "2001:db8::/64", "x"] },
    }),
    trial(NODES, {
      metadata: {
        name: "suite-x",
        annotations: { "scheduler.alpha.kubernetes.io/preferAvoidPods": "x" },
      },
    }),
    post(NODES, {
      metadata: { name: "suite-volumes" },
      spec: { podCIDR: "10.0.0.0/24", providerID: "p" },
    }),
    merge(`${NODES}/suite-volumes`, {
      spec: { podCIDR: "10.0.1.0/24", podCIDRs: ["10.0.1.0/24"], providerID: "q" },
    }),
    merge(`${NODES}/suite-volumes?dryRun=All`, {
      spec: { unschedulable: true, taints: [{ key: "a", effect: "NoExecute" }] },
    }),
    merge(`${NODES}/suite-volumes/status?dryRun=All`, {
      status: {
        addresses: [{ type: "InternalIP", address: "1.2.3.4" }, {
          type: "InternalIP",
          address: "1.2.3.4",
        }],
        capacity: { cpu: "2", "example.com/x": "1500m" },
        allocatable: { cpu: "3" },
        conditions: [{ type: "Ready", status: "True" }],
      },
    }),
    merge(`${NODES}/suite-volumes/status`, {
      status: {
        capacity: { cpu: "2", memory: "1Gi", pods: "10" },
        conditions: [{ type: "Ready", status: "True" }],
        addresses: [{ type: "InternalIP", address: "1.2.3.4" }],
        nodeInfo: {
          kubeletVersion: "v1.35.0",
          osImage: "Linux",
          kernelVersion: "6",
          containerRuntimeVersion: "containerd://2",
        },
      },
    }),
    ...[
      { podCertificate: { signerName: "a.io/b", keyType: "ED25519", credentialBundlePath: "a" } },
      { podCertificate: { signerName: "b", keyType: "x", maxExpirationSeconds: 3599 } },
      {
        podCertificate: {
          signerName: "kubernetes.io/x",
          keyType: "RSA3072",
          maxExpirationSeconds: 86401,
          keyPath: "../k",
          certificateChainPath: "/c",
          userAnnotations: { b: "c" },
        },
      },
      {
        podCertificate: {
          signerName: "a.io/b",
          keyType: "RSA4096",
          maxExpirationSeconds: 7862401,
          keyPath: "k",
          certificateChainPath: "k",
        },
      },
      { clusterTrustBundle: { path: "p" } },
      { clusterTrustBundle: { name: "", path: "..p" } },
      { clusterTrustBundle: { name: "a.io:b:C_", path: "p", labelSelector: {} } },
      {
        clusterTrustBundle: {
          signerName: "a.io/b",
          path: "p",
          labelSelector: { matchLabels: { "-": "x" } },
        },
      },
      { clusterTrustBundle: { signerName: "" } },
    ].map((source, i) =>
      post(
        PODS,
        pod(`certificate-${i}`, { volumes: [{ name: "v", projected: { sources: [source] } }] }),
      )
    ),
  ],
};
