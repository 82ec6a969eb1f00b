import type { Client, KubeObject, Resource } from "../../../mod.ts";

/** One step of a story: a request in the namespace of the story. What happens to the quotas comes after it. */
export interface QuotaStep {
  readonly does: string;
  readonly verb: "create" | "patch" | "status" | "resize" | "delete";
  readonly resource: Resource;
  readonly name: string;
  /** The object, without its name, or a merge patch. */
  readonly body?: object;
}

const resource = (apiVersion: string, plural: string, kind: string): Resource => {
  const [version = "", group = ""] = apiVersion.split("/").reverse();
  return { group, version, plural, kind, namespaced: true };
};

const QUOTAS = resource("v1", "resourcequotas", "ResourceQuota");
const PODS = resource("v1", "pods", "Pod");
const CLAIMS = resource("v1", "persistentvolumeclaims", "PersistentVolumeClaim");
const SERVICES = resource("v1", "services", "Service");
const CONFIG_MAPS = resource("v1", "configmaps", "ConfigMap");
const SECRETS = resource("v1", "secrets", "Secret");
const LEASES = resource("coordination.k8s.io/v1", "leases", "Lease");
const DEVICES = resource("resource.k8s.io/v1", "resourceclaims", "ResourceClaim");
const EVENTS = resource("v1", "events", "Event");

const quota = (name: string, hard: Record<string, string>, spec: object = {}): QuotaStep => ({
  does: `quota ${name}`,
  verb: "create",
  resource: QUOTAS,
  name,
  body: { spec: { hard, ...spec } },
});

const create = (of: Resource, name: string, body: object = {}): QuotaStep => ({
  does: `create ${of.plural} ${name}`,
  verb: "create",
  resource: of,
  name,
  body,
});

const change = (
  of: Resource,
  name: string,
  body: object,
  verb: "patch" | "status" | "resize" = "patch",
): QuotaStep => ({ does: `${verb} ${of.plural} ${name}`, verb, resource: of, name, body });

const remove = (of: Resource, name: string): QuotaStep => ({
  does: `delete ${of.plural} ${name}`,
  verb: "delete",
  resource: of,
  name,
});

const pod = (name: string, resources: object = {}, spec: object = {}): QuotaStep =>
  create(PODS, name, {
    spec: {
      containers: [{ name: "main", image: "i", resources }],
      automountServiceAccountToken: false,
      ...spec,
    },
  });

const claim = (name: string, storage: string, spec: object = {}): QuotaStep =>
  create(CLAIMS, name, {
    spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage } }, ...spec },
  });

const exists = (scopeName: string) => ({ scopeName, operator: "Exists" });

/** Requests in a namespace with quotas of all kinds. */
export const QUOTA_STORY: readonly QuotaStep[] = [
  create(CONFIG_MAPS, "before"),
  quota("objects", {
    configmaps: "9",
    "count/configmaps": "9",
    secrets: "9",
    resourcequotas: "9",
    "count/leases.coordination.k8s.io": "9",
    "count/events": "9",
    "count/nothings.example.com": "9",
    "count/resourceclaims.resource.k8s.io": "9",
    "gpu.deviceclass.resource.k8s.io/devices": "99",
  }),
  quota("pods", {
    pods: "9",
    "count/pods": "9",
    "requests.cpu": "90",
    cpu: "90",
    "limits.memory": "9Ti",
    "requests.example.com/gpu": "9",
    "requests.ephemeral-storage": "9Gi",
  }),
  quota("best", { pods: "9" }, { scopes: ["BestEffort"] }),
  quota("rest", { pods: "9", "requests.memory": "9Gi" }, {
    scopeSelector: { matchExpressions: [exists("NotBestEffort"), exists("NotTerminating")] },
  }),
  quota("classed", { pods: "9" }, {
    scopeSelector: {
      matchExpressions: [{ scopeName: "PriorityClass", operator: "DoesNotExist" }],
    },
  }),
  quota("claims", {
    persistentvolumeclaims: "9",
    "requests.storage": "9Ti",
    "gold.storageclass.storage.k8s.io/requests.storage": "9Ti",
    "gold.storageclass.storage.k8s.io/persistentvolumeclaims": "9",
  }),
  quota("attributed", { persistentvolumeclaims: "9" }, {
    scopeSelector: { matchExpressions: [exists("VolumeAttributesClass")] },
  }),
  quota("services", { services: "9", "services.nodeports": "99", "services.loadbalancers": "9" }),
  create(CONFIG_MAPS, "a"),
  remove(CONFIG_MAPS, "before"),
  create(SECRETS, "s"),
  create(LEASES, "l", { spec: {} }),
  remove(LEASES, "l"),
  create(EVENTS, "e", { involvedObject: { kind: "Pod", name: "a" }, reason: "r", message: "m" }),
  create(DEVICES, "d", {
    spec: {
      devices: {
        requests: [
          { name: "a", exactly: { deviceClassName: "gpu" } },
          {
            name: "b",
            firstAvailable: [
              { name: "x", deviceClassName: "gpu", count: 4 },
              { name: "y", deviceClassName: "gpu", allocationMode: "All" },
            ],
          },
        ],
      },
    },
  }),
  remove(DEVICES, "d"),
  pod("incomplete"),
  pod("whole", {
    requests: { cpu: "500m", memory: "64Mi", "example.com/gpu": "1", "ephemeral-storage": "1Gi" },
    limits: { cpu: "1", memory: "128Mi", "example.com/gpu": "1" },
  }),
  pod("level", {}, {
    resources: { requests: { cpu: "1", memory: "1Gi" }, limits: { cpu: "2", memory: "2Gi" } },
  }),
  pod("long", { requests: { cpu: "1", memory: "1Gi" }, limits: { memory: "1Gi" } }, {
    activeDeadlineSeconds: 600,
  }),
  change(PODS, "whole", { spec: { activeDeadlineSeconds: 600 } }),
  change(PODS, "whole", { status: { phase: "Running" } }, "status"),
  change(PODS, "level", { status: { phase: "Failed" } }, "status"),
  change(PODS, "whole", {
    status: {
      containerStatuses: [{
        name: "main",
        image: "i",
        imageID: "i",
        ready: true,
        restartCount: 0,
        state: { running: {} },
        allocatedResources: { cpu: "500m", memory: "64Mi" },
        resources: {
          requests: { cpu: "500m", memory: "64Mi" },
          limits: { cpu: "1", memory: "128Mi" },
        },
      }],
    },
  }, "status"),
  change(PODS, "whole", {
    spec: {
      containers: [{
        name: "main",
        image: "i",
        resources: {
          requests: {
            cpu: "800m",
            memory: "64Mi",
            "example.com/gpu": "1",
            "ephemeral-storage": "1Gi",
          },
          limits: { cpu: "1", memory: "128Mi", "example.com/gpu": "1" },
        },
      }],
    },
  }, "resize"),
  remove(PODS, "whole"),
  remove(PODS, "long"),
  claim("plain", "1Gi"),
  claim("gold", "1500m", { storageClassName: "gold" }),
  change(CLAIMS, "gold", { status: { allocatedResources: { storage: "3Gi" } } }, "status"),
  claim("fast", "2Gi", { storageClassName: "gold", volumeAttributesClassName: "fast" }),
  change(CLAIMS, "plain", { metadata: { finalizers: null } }),
  remove(CLAIMS, "plain"),
  create(SERVICES, "web", {
    spec: {
      type: "LoadBalancer",
      allocateLoadBalancerNodePorts: false,
      ports: [{ name: "a", port: 80, nodePort: 30123 }, { name: "b", port: 81 }],
    },
  }),
  change(SERVICES, "web", { spec: { type: "NodePort", allocateLoadBalancerNodePorts: null } }),
  change(SERVICES, "web", { spec: { type: "ClusterIP" } }),
  change(QUOTAS, "services", { spec: { hard: { services: "1", "services.nodeports": null } } }),
  create(SERVICES, "more", { spec: { ports: [{ port: 80 }] } }),
  remove(SERVICES, "web"),
];

/** The observed state after a step. */
export interface QuotaScene {
  readonly step: string;
  /** The error of the request; absent if it succeeds. */
  readonly error?: string;
  /** The statuses of the quotas that have changed, by name. */
  readonly quotas: Readonly<Record<string, unknown>>;
}

/**
 * Plays the story and returns what is seen after each step.
 *
 * @param pass Lets the time pass that the controller needs.
 */
export async function playQuotaStory(
  client: Client,
  namespace: string,
  pass: () => Promise<void>,
): Promise<QuotaScene[]> {
  const scenes: QuotaScene[] = [];
  const call = { namespace };
  const known = new Map<string, string>();
  for (const { does, verb, resource, name, body } of QUOTA_STORY) {
    let error: string | undefined;
    try {
      if (verb === "create") {
        const involved = resource === EVENTS ? { involvedObject: { namespace } } : {};
        await client.create(resource, merged(body, involved, name, namespace), call);
      } else if (verb === "delete") {
        await client.delete(resource, name, { ...call, gracePeriodSeconds: 0 });
      } else {
        const part = verb === "patch" ? {} : { subresource: verb };
        await client.patch(resource, name, body ?? {}, { ...call, ...part });
      }
    } catch (reason) {
      error = String((reason as Error).message).replaceAll(namespace, "NAMESPACE");
    }
    await pass();
    const { items } = await client.list(
      QUOTAS as Resource<KubeObject & { status?: unknown }>,
      call,
    );
    const quotas: Record<string, unknown> = {};
    for (const { metadata, status } of items) {
      const text = JSON.stringify(status);
      const own = metadata.name ?? "";
      if (known.get(own) === text) continue;
      known.set(own, text);
      quotas[own] = status;
    }
    scenes.push({ step: does, ...(error === undefined ? {} : { error }), quotas });
  }
  return scenes;
}

function merged(body: object = {}, involved: object, name: string, namespace: string): KubeObject {
  const { involvedObject: of } = involved as { involvedObject?: object };
  const own = body as { involvedObject?: object };
  const about = of === undefined ? {} : { involvedObject: { ...own.involvedObject, ...of } };
  return { ...body, ...about, metadata: { name, namespace } };
}
