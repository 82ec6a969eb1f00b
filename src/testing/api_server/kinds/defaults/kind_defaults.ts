import {
  getArray,
  getObject,
  getOwn,
  getString,
  isObject,
  type JsonObject,
  setOwn,
} from "../../values/mod.ts";
import { isExternal } from "../strategy/service.ts";
import { defaultPod, defaultPodSpec, fill, objects } from "./pod_defaults.ts";

/** A function that sets the defaults of an object in place. */
export type Defaulter = (object: JsonObject) => void;

const RBAC = "rbac.authorization.k8s.io";

/** The defaulters of the built-in kinds, by `group/kind`. Other built-in kinds have no defaults. */
export const DEFAULTERS: Readonly<Record<string, Defaulter>> = {
  "/Pod": (pod) => {
    defaultPodSpec(getObject(pod, "spec"));
    defaultPod(pod);
  },
  "/Namespace": defaultNamespace,
  "/Node": (node) => {
    const status = getObject(node, "status");
    const capacity = getOwn(status, "capacity");
    if (isObject(capacity) && getOwn(status, "allocatable") === undefined) {
      status["allocatable"] = { ...capacity };
    }
  },
  "/Secret": defaultSecret,
  "/Service": defaultService,
  "apps/Deployment": defaultDeployment,
  "apps/ReplicaSet": (set) => {
    fill(getObject(set, "spec"), "replicas", 1);
    defaultPodSpec(getObject(set, "spec", "template", "spec"));
  },
  "batch/Job": defaultJob,
  "rbac.authorization.k8s.io/RoleBinding": defaultBinding,
  "rbac.authorization.k8s.io/ClusterRoleBinding": defaultBinding,
  "admissionregistration.k8s.io/MutatingWebhookConfiguration": defaultWebhooks,
  "admissionregistration.k8s.io/ValidatingWebhookConfiguration": defaultWebhooks,
  "apiextensions.k8s.io/CustomResourceDefinition": defaultCrd,
};

function defaultNamespace(namespace: JsonObject): void {
  const metadata = getObject(namespace, "metadata");
  const name = getString(metadata, "name");
  if (name !== "") {
    metadata["labels"] = { ...getObject(metadata, "labels"), "kubernetes.io/metadata.name": name };
  }
  fill(getObject(namespace, "status"), "phase", "Active");
}

/** Sets the defaults of a Secret. Moves `stringData`, which is write-only, to `data`. */
function defaultSecret(secret: JsonObject): void {
  fill(secret, "type", "Opaque");
  const text = getOwn(secret, "stringData");
  if (!isObject(text)) return;
  const data: JsonObject = { ...getObject(secret, "data") };
  for (const key of Object.keys(text)) setOwn(data, key, base64(getString(text, key)));
  if (Object.keys(data).length > 0) secret["data"] = data;
  delete secret["stringData"];
}

function base64(text: string): string {
  let binary = "";
  for (const byte of new TextEncoder().encode(text)) binary += String.fromCharCode(byte);
  return btoa(binary);
}

function defaultService(service: JsonObject): void {
  const spec = getObject(service, "spec");
  fill(spec, "sessionAffinity", "None");
  if (spec["sessionAffinity"] === "None") delete spec["sessionAffinityConfig"];
  if (spec["sessionAffinity"] === "ClientIP") {
    const seconds = getOwn(getObject(spec, "sessionAffinityConfig", "clientIP"), "timeoutSeconds");
    if (seconds === undefined) {
      spec["sessionAffinityConfig"] = { clientIP: { timeoutSeconds: 10_800 } };
    }
  }
  fill(spec, "type", "ClusterIP");
  for (const port of objects(spec, "ports")) {
    fill(port, "protocol", "TCP");
    if (!getOwn(port, "targetPort")) port["targetPort"] = getOwn(port, "port") ?? 0;
  }
  const type = spec["type"];
  if (isExternal(spec)) fill(spec, "externalTrafficPolicy", "Cluster");
  if (type !== "ExternalName") fill(spec, "internalTrafficPolicy", "Cluster");
  if (type !== "LoadBalancer") return;
  if (getOwn(spec, "allocateLoadBalancerNodePorts") === undefined) {
    spec["allocateLoadBalancerNodePorts"] = true;
  }
  for (const point of objects(service, "status", "loadBalancer", "ingress")) {
    if (getString(point, "ip") !== "") fill(point, "ipMode", "VIP");
  }
}

function defaultDeployment(deployment: JsonObject): void {
  const spec = getObject(deployment, "spec");
  fill(spec, "replicas", 1);
  const strategy = getObject(spec, "strategy");
  fill(strategy, "type", "RollingUpdate");
  if (strategy["type"] === "RollingUpdate") {
    const rolling = { ...getObject(strategy, "rollingUpdate") };
    fill(rolling, "maxUnavailable", "25%");
    fill(rolling, "maxSurge", "25%");
    strategy["rollingUpdate"] = rolling;
  }
  fill(spec, "revisionHistoryLimit", 10);
  fill(spec, "progressDeadlineSeconds", 600);
  defaultPodSpec(getObject(spec, "template", "spec"));
}

function defaultJob(job: JsonObject): void {
  const spec = getObject(job, "spec");
  if (getOwn(spec, "completions") === undefined && getOwn(spec, "parallelism") === undefined) {
    spec["completions"] = 1;
  }
  fill(spec, "parallelism", 1);
  const perIndex = getOwn(spec, "backoffLimitPerIndex") !== undefined;
  fill(spec, "backoffLimit", perIndex ? 2_147_483_647 : 6);
  fill(spec, "completionMode", "NonIndexed");
  fill(spec, "suspend", false);
  fill(
    spec,
    "podReplacementPolicy",
    isObject(getOwn(spec, "podFailurePolicy")) ? "Failed" : "TerminatingOrFailed",
  );
  fill(spec, "manualSelector", false);
  const metadata = getObject(job, "metadata");
  const labels = getObject(spec, "template", "metadata", "labels");
  if (Object.keys(labels).length > 0 && Object.keys(getObject(metadata, "labels")).length === 0) {
    metadata["labels"] = { ...labels };
  }
  defaultPodSpec(getObject(spec, "template", "spec"));
}

function defaultBinding(binding: JsonObject): void {
  const reference = getObject(binding, "roleRef");
  fill(reference, "apiGroup", RBAC);
  for (const subject of objects(binding, "subjects")) {
    if (subject["kind"] === "User" || subject["kind"] === "Group") fill(subject, "apiGroup", RBAC);
  }
}

function defaultWebhooks(configuration: JsonObject): void {
  const mutating = configuration["kind"] === "MutatingWebhookConfiguration";
  for (const webhook of objects(configuration, "webhooks")) {
    fill(webhook, "failurePolicy", "Fail");
    fill(webhook, "matchPolicy", "Equivalent");
    for (const selector of ["namespaceSelector", "objectSelector"]) {
      if (getOwn(webhook, selector) === undefined) webhook[selector] = {};
    }
    fill(webhook, "timeoutSeconds", 10);
    if (mutating) fill(webhook, "reinvocationPolicy", "Never");
    for (const rule of objects(webhook, "rules")) fill(rule, "scope", "*");
    const service = getOwn(getObject(webhook, "clientConfig"), "service");
    if (isObject(service)) fill(service, "port", 443);
  }
}

function defaultCrd(crd: JsonObject): void {
  const spec = getObject(crd, "spec");
  const names = getObject(spec, "names");
  const kind = getString(names, "kind");
  fill(names, "singular", kind.toLowerCase());
  if (kind !== "") fill(names, "listKind", `${kind}List`);
  if (!isObject(getOwn(spec, "conversion"))) spec["conversion"] = { strategy: "None" };
  const service = getOwn(getObject(spec, "conversion", "webhook", "clientConfig"), "service");
  if (isObject(service)) fill(service, "port", 443);
  const status = getObject(crd, "status");
  const stored = objects(spec, "versions").find((version) => version["storage"] === true);
  if (getArray(status, "storedVersions").length === 0 && stored !== undefined) {
    status["storedVersions"] = [getString(stored, "name")];
  }
}
