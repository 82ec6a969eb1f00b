/**
 * Realistic Pods, generated from a seed, so that they are the same in every run.
 *
 * @module
 */

import type { Json, JsonObject } from "../../../src/testing/values/mod.ts";

/** The shape of the Pods. */
export interface PodShape {
  /** The mean length of the JSON of a Pod; single Pods have 0.45 to 1.55 times that, and at least 1.6 KB. */
  readonly bytes: number;
  /** The order of keys: `typed`, as in built-in kinds, or `alphabetical`, as in custom resources. */
  readonly keyOrder: KeyOrder;
}

/** The order of the keys in an object. */
export type KeyOrder = "typed" | "alphabetical";

/** The number of namespaces with Pods. */
const NAMESPACES = 50;
const APPS = 400;
const NODES = 500;
const TIME = "2026-11-01T10:00:00Z";

const MANAGER = {
  manager: "kube-controller-manager",
  operation: "Update",
  apiVersion: "v1",
  time: TIME,
  fieldsType: "FieldsV1",
  fieldsV1: {
    "f:metadata": {
      "f:generateName": {},
      "f:labels": { ".": {}, "f:app": {}, "f:pod-template-hash": {} },
      "f:ownerReferences": { ".": {} },
    },
    "f:spec": {
      "f:containers": {
        'k:{"name":"main"}': { ".": {}, "f:image": {}, "f:name": {}, "f:resources": {} },
      },
      "f:restartPolicy": {},
    },
  },
};
const TOKEN_VOLUME = {
  name: "kube-api-access",
  projected: {
    sources: [
      { serviceAccountToken: { expirationSeconds: 3607, path: "token" } },
      { configMap: { name: "kube-root-ca.crt", items: [{ key: "ca.crt", path: "ca.crt" }] } },
    ],
    defaultMode: 420,
  },
};
const TOKEN_MOUNT = {
  name: "kube-api-access",
  readOnly: true,
  mountPath: "/var/run/secrets/kubernetes.io/serviceaccount",
};

/** A deterministic random source: a linear congruential generator, good enough for names and sizes. */
class Chance {
  #state: number;

  constructor(seed: number) {
    // Adjacent seeds must not give similar sequences.
    this.#state = Math.imul(seed + 1, 2654435761) >>> 0;
  }

  next(): number {
    this.#state = (Math.imul(this.#state, 1664525) + 1013904223) >>> 0;
    return this.#state / 2 ** 32;
  }

  hex(length: number): string {
    let text = "";
    while (text.length < length) {
      text += Math.floor(this.next() * 2 ** 24).toString(16).padStart(6, "0");
    }
    return text.slice(0, length);
  }

  uid(): string {
    return `${this.hex(8)}-${this.hex(4)}-4${this.hex(3)}-a${this.hex(3)}-${this.hex(12)}`;
  }
}

/** The texts of a Pod that differ between events. */
interface Marks {
  readonly resourceVersion: string;
  /** The placeholder that events replace by their send time. */
  readonly sentAt: string;
}

/** Returns Pod number `index`, with its kind. */
export function makePod(index: number, shape: PodShape, marks: Marks): JsonObject {
  return inOrder(typedPod(index, shape, marks), shape);
}

/** Returns the ReplicaSet that is the controller owner of Pod number `index`, with its kind. */
export function makeOwner(
  index: number,
  shape: PodShape,
  resourceVersion: string,
): JsonObject {
  const { metadata } = typedPod(index, shape, { resourceVersion, sentAt: "" });
  const { creationTimestamp, generation, labels, namespace, ownerReferences: [owner] } = metadata;
  return inOrder({
    kind: "ReplicaSet",
    apiVersion: "apps/v1",
    metadata: {
      name: owner?.name,
      namespace,
      uid: owner?.uid,
      resourceVersion,
      generation,
      creationTimestamp,
      labels,
    },
    spec: { replicas: 1, selector: { matchLabels: labels }, template: { metadata: { labels } } },
    status: { replicas: 1, observedGeneration: generation, readyReplicas: 1 },
  }, shape);
}

function inOrder<T>(object: T, { keyOrder }: PodShape): T {
  return keyOrder === "typed" ? object : sorted(object);
}

function typedPod(index: number, shape: PodShape, marks: Marks) {
  const chance = new Chance(index);
  const app = `app-${index % APPS}`;
  const replicaSet = `${app}-${chance.hex(9)}`;
  const ip = `10.${(index >> 16) & 255}.${(index >> 8) & 255}.${index & 255}`;
  const image = `registry.example.com/team/${app}:v1.${index % 20}.0`;
  // Uniform between 0.5 and 1.7, with a mean of 1.1.
  const wanted = shape.bytes / 1.1 * (0.5 + chance.next() * 1.2);
  const env: Json[] = [];
  const volumes: Json[] = [];
  const volumeMounts: Json[] = [];
  const managedFields: Json[] = [];
  const pod = {
    kind: "Pod",
    apiVersion: "v1",
    metadata: {
      name: `${replicaSet}-${chance.hex(5)}`,
      generateName: `${replicaSet}-`,
      namespace: `ns-${index % NAMESPACES}`,
      uid: chance.uid(),
      resourceVersion: marks.resourceVersion,
      generation: 1,
      creationTimestamp: TIME,
      labels: {
        app,
        "pod-template-hash": chance.hex(9),
        tier: index % 3 === 0 ? "frontend" : "backend",
      },
      annotations: {
        "bench/sent-at": marks.sentAt,
        "cni.example.com/ips": JSON.stringify([ip]),
      },
      ownerReferences: [{
        apiVersion: "apps/v1",
        kind: "ReplicaSet",
        name: replicaSet,
        uid: chance.uid(),
        controller: true,
        blockOwnerDeletion: true,
      }],
      managedFields,
    },
    spec: {
      volumes,
      containers: [{
        name: "main",
        image,
        ports: [{ name: "http", containerPort: 8080, protocol: "TCP" }],
        env,
        resources: {
          limits: { cpu: "1", memory: "512Mi" },
          requests: { cpu: "100m", memory: "128Mi" },
        },
        volumeMounts,
        terminationMessagePath: "/dev/termination-log",
        terminationMessagePolicy: "File",
        imagePullPolicy: "IfNotPresent",
      }],
      restartPolicy: "Always",
      terminationGracePeriodSeconds: 30,
      dnsPolicy: "ClusterFirst",
      serviceAccountName: app,
      nodeName: `node-${index % NODES}`,
      schedulerName: "default-scheduler",
      priority: 0,
    },
    status: {
      phase: "Running",
      conditions: ["Initialized", "Ready", "PodScheduled"].map((type) => ({
        type,
        status: "True",
        lastProbeTime: null,
        lastTransitionTime: TIME,
      })),
      hostIP: `192.168.${index % 250}.1`,
      podIP: ip,
      podIPs: [{ ip }],
      startTime: TIME,
      containerStatuses: [{
        name: "main",
        state: { running: { startedAt: TIME } },
        lastState: {},
        ready: true,
        restartCount: index % 4,
        image,
        imageID: `sha256:${chance.hex(64)}`,
        containerID: `containerd://${chance.hex(64)}`,
        started: true,
      }],
      qosClass: "Burstable",
    },
  };
  let missing = wanted - JSON.stringify(pod).length;
  const fill = (into: Json[], part: Json) => {
    if (missing < 0) return;
    into.push(part);
    missing -= JSON.stringify(part).length + 1;
  };
  fill(managedFields, MANAGER);
  fill(volumes, TOKEN_VOLUME);
  fill(volumeMounts, TOKEN_MOUNT);
  for (let i = 0; missing > 0; i++) {
    fill(env, { name: `CONFIG_OPTION_${i}`, value: chance.hex(24) });
  }
  return pod;
}

/** Returns the same value with the keys of objects in alphabetical order. */
function sorted<T>(value: T): T {
  if (Array.isArray(value)) return value.map(sorted) as T;
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).sort(([a], [b]) => a < b ? -1 : 1);
  return Object.fromEntries(entries.map(([key, inner]) => [key, sorted(inner)])) as T;
}
