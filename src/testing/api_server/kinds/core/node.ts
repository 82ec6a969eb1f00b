import {
  child,
  duplicate,
  type FieldError,
  forbiddenField,
  getArray,
  getObject,
  getOwn,
  getPath,
  getString,
  humanAge,
  invalidValue,
  isObject,
  item,
  type Json,
  type JsonObject,
  labelValue,
  NO_CIDR,
  notSupported,
  parseLegacyCidr,
  qualifiedName,
  required,
  withPath,
} from "../../../values/mod.ts";
import {
  AGE,
  amountErrors,
  column,
  isTrue,
  jsonProblem,
  legacyCidrWarnings,
  NAME,
  objects,
  roundAll,
} from "../shared/mod.ts";
import type { Release } from "../../release/mod.ts";
import { connection, defineKind, type KindRecord, orElse, STATUS } from "../record/mod.ts";
import { refuseNodeProxy } from "./connections/mod.ts";

function withoutConfigSource(node: JsonObject): JsonObject {
  return withPath(node, ["spec", "configSource"], undefined);
}

/** Nodes. */
export const NODE: KindRecord = defineKind("v1", "nodes", "Node", {
  storagePath: "minions",
  namespaced: false,
  shortNames: ["no"],
  subresources: [connection("proxy", "NodeProxyOptions"), STATUS],
  connections: { proxy: refuseNodeProxy },
  defaults: defaultNode,
  // Configuration from the API server is no longer supported.
  prepareCreate: (node, _, asked) =>
    withPath(withoutConfigSource(node), ["status"], asked["status"]),
  prepareUpdate: withoutConfigSource,
  admit: (node, old) => old === undefined ? addNotReadyTaint(node) : node,
  names: "subdomain",
  wholeFirst: true,
  validate: validateNode,
  validateChange: validateNodeUpdate,
  validateStatus: validateNodeStatus,
  warnings: nodeWarnings,
  fields: { "spec.unschedulable": orElse(["spec", "unschedulable"], "false") },
  table: {
    columns: [
      NAME,
      column("Status", "The status of the node"),
      column("Roles", "The roles of the node"),
      AGE,
      column("Version", "Kubelet Version reported by the node."),
      column(
        "Internal-IP",
        "List of addresses reachable to the node. Queried from cloud provider, if available. More info: https://kubernetes.io/docs/reference/node/node-status/#addresses Note: This field is declared as mergeable, but the merge key is not sufficiently unique, which can cause data corruption when it is merged. Callers should instead use a full-replacement patch. See https://pr.k8s.io/79391 for an example. Consumers should assume that addresses can change during the lifetime of a Node. However, there are some exceptions where this may not be possible, such as Pods that inherit a Node's address in its own status or consumers of the downward API (status.hostIP).",
        1,
      ),
      column(
        "External-IP",
        "List of addresses reachable to the node. Queried from cloud provider, if available. More info: https://kubernetes.io/docs/reference/node/node-status/#addresses Note: This field is declared as mergeable, but the merge key is not sufficiently unique, which can cause data corruption when it is merged. Callers should instead use a full-replacement patch. See https://pr.k8s.io/79391 for an example. Consumers should assume that addresses can change during the lifetime of a Node. However, there are some exceptions where this may not be possible, such as Pods that inherit a Node's address in its own status or consumers of the downward API (status.hostIP).",
        1,
      ),
      column(
        "OS-Image",
        "OS Image reported by the node from /etc/os-release (e.g. Debian GNU/Linux 7 (wheezy)).",
        1,
      ),
      column(
        "Kernel-Version",
        "Kernel Version reported by the node from 'uname -r' (e.g. 3.16.0-0.bpo.4-amd64).",
        1,
      ),
      column(
        "Container-Runtime",
        "ContainerRuntime Version reported by the node through runtime remote API (e.g. containerd://1.4.2).",
        1,
      ),
    ],
    row: nodeRow,
  },
});

const NOT_READY = "node.kubernetes.io/not-ready";
const TAINT_EFFECTS = ["NoSchedule", "PreferNoSchedule", "NoExecute"];

function defaultNode(node: JsonObject): void {
  const spec = getObject(node, "spec");
  const cidrs = getArray(spec, "podCIDRs");
  const cidr = getString(spec, "podCIDR");
  // The field for one block is the first of the field for several.
  if (cidr !== "" && cidrs[0] !== cidr) spec["podCIDRs"] = [cidr];
  else if (cidr === "" && cidrs.length > 0) spec["podCIDR"] = cidrs[0]!;
  const status = getObject(node, "status");
  roundAll(status, "capacity", "allocatable");
  const capacity = getOwn(status, "capacity");
  if (isObject(capacity) && getOwn(status, "allocatable") === undefined) {
    status["allocatable"] = { ...capacity };
  }
}

/** Adds the taint that keeps Pods away until the Node is ready. */
function addNotReadyTaint(node: JsonObject): JsonObject {
  const spec = getObject(node, "spec");
  const taints = objects(spec, "taints");
  if (taints.some((taint) => taint["key"] === NOT_READY && taint["effect"] === "NoSchedule")) {
    return node;
  }
  return {
    ...node,
    spec: { ...spec, taints: [...taints, { key: NOT_READY, effect: "NoSchedule" }] },
  };
}

/** Returns the validation errors of a Node apart from its metadata. */
function validateNode(node: JsonObject): FieldError[] {
  return [
    ...validateAvoidedPods(node),
    ...validateAmounts(node),
    ...validateTaints(node),
    ...validateCidrs(node),
  ];
}

function validateAmounts(node: JsonObject): FieldError[] {
  return ["capacity", "allocatable"].flatMap((list) => {
    const all = getObject(node, "status", list);
    return Object.keys(all).flatMap((name) =>
      amountErrors(name, getString(all, name), child(child("status", list), name))
    );
  });
}

/** Returns the errors of a status: of its amounts, and of addresses that occur twice. */
function validateNodeStatus(node: JsonObject): FieldError[] {
  const seen = new Set<string>();
  const addresses = objects(node, "status", "addresses").flatMap((one, index) => {
    const id = JSON.stringify([getString(one, "type"), getString(one, "address")]);
    if (seen.has(id)) return [duplicate(item("status.addresses", index), one)];
    seen.add(id);
    return [];
  });
  return [...validateAmounts(node), ...addresses];
}

const AVOID_PODS = "scheduler.alpha.kubernetes.io/preferAvoidPods";

function validateAvoidedPods(node: JsonObject): FieldError[] {
  const text = getString(getObject(node, "metadata", "annotations"), AVOID_PODS);
  const problem = text === "" ? undefined : jsonProblem(text);
  if (problem === undefined) return [];
  return [invalidValue("metadata.annotations.AvoidPods", AVOID_PODS, problem)];
}

function validateTaints(node: JsonObject): FieldError[] {
  const known = new Set<string>();
  return objects(node, "spec", "taints").flatMap((taint, index) => {
    const at = item("metadata.taints", index);
    const key = getString(taint, "key");
    const effect = getString(taint, "effect");
    const errors = qualifiedName(key).map((text) => invalidValue(child(at, "key"), key, text));
    const value = getString(taint, "value");
    errors.push(...labelValue(value).map((text) => invalidValue(child(at, "value"), value, text)));
    if (effect === "") errors.push(required(child(at, "effect")));
    else if (!TAINT_EFFECTS.includes(effect)) {
      errors.push(notSupported(child(at, "effect"), effect, TAINT_EFFECTS));
    }
    const pair = JSON.stringify([key, effect]);
    if (known.has(pair)) {
      const { message, ...rest } = duplicate(at, taint);
      errors.push({ ...rest, message: `${message}: taints must be unique by key and effect pair` });
    }
    known.add(pair);
    return errors;
  });
}

function nodeRow(node: JsonObject, nowMs: number): Json[] {
  const known = objects(node, "status", "conditions").some((one) =>
    getString(one, "type") === "Ready"
  );
  const status = [!known ? "Unknown" : isTrue(node, "Ready") ? "Ready" : "NotReady"];
  if (getPath(node, "spec", "unschedulable") === true) status.push("SchedulingDisabled");
  const info = (name: string) => getString(node, "status", "nodeInfo", name);
  const address = (type: string) => {
    const found = objects(node, "status", "addresses").find((one) =>
      getString(one, "type") === type
    );
    return found === undefined ? "<none>" : getString(found, "address");
  };
  return [
    getString(node, "metadata", "name"),
    status.join(","),
    nodeRoles(node).join(",") || "<none>",
    humanAge(getString(node, "metadata", "creationTimestamp"), nowMs),
    info("kubeletVersion"),
    address("InternalIP"),
    address("ExternalIP"),
    info("osImage") || "<unknown>",
    info("kernelVersion") || "<unknown>",
    info("containerRuntimeVersion") || "<unknown>",
  ];
}

function nodeRoles(node: JsonObject): string[] {
  const labels = getObject(node, "metadata", "labels");
  const prefix = "node-role.kubernetes.io/";
  const roles = Object.keys(labels).map((key) => {
    if (key.startsWith(prefix)) return key.slice(prefix.length);
    return key === "kubernetes.io/role" ? getString(labels, key) : "";
  });
  return [...new Set(roles)].filter((role) => role !== "").sort();
}

function validateCidrs(node: JsonObject): FieldError[] {
  const field = "spec.podCIDRs";
  const cidrs = getArray(node, "spec", "podCIDRs").map(String);
  const errors = cidrs.flatMap((text, index) =>
    parseLegacyCidr(text) === undefined ? [invalidValue(item(field, index), text, NO_CIDR)] : []
  );
  const [first, second] = cidrs.map(parseLegacyCidr);
  const same = first !== undefined && second !== undefined && first.bits === second.bits;
  if (cidrs.length > 2 || same) {
    const reason = "may specify no more than one CIDR for each IP family";
    errors.push(invalidValue(field, cidrs, reason));
  }
  return errors;
}

/** Returns the errors of an update of a Node: the blocks of addresses and the provider are set once. */
function validateNodeUpdate(next: JsonObject, old: JsonObject, release: Release): FieldError[] {
  const errors: FieldError[] = [];
  const [cidrs, before] = [getArray(next, "spec", "podCIDRs"), getArray(old, "spec", "podCIDRs")];
  const refuse = (name: string) => {
    const field = name === "podCIDR" ? "podCIDRs" : name;
    const reason = `node updates may not change ${name} except from "" to valid`;
    errors.push(forbiddenField(child("spec", field), reason));
  };
  if (before.length > 0) {
    const changed = cidrs.length === before.length
      ? before.filter((cidr, index) => cidrs[index] !== cidr).length
      : 1;
    for (let count = 0; count < changed; count++) refuse("podCIDR");
  }
  const [provider, former] = [next, old].map((node) => getString(node, "spec", "providerID"));
  if (former !== "" && provider !== former) {
    if (release.has({ since: "1.37" })) {
      const change = provider === "" ? "cleared" : "modified";
      errors.push(invalidValue("spec.providerID", null, `field cannot be ${change} once set`));
    } else refuse("providerID");
  }
  const externalId = (node: JsonObject) => getString(node, "spec", "externalID");
  const fixed = externalId(next) === externalId(old)
    ? []
    : [forbiddenField("spec.externalID", "may not be updated")];
  return [...errors, ...validateTaints(next), ...fixed];
}

function nodeWarnings(node: JsonObject): string[] {
  const spec = getObject(node, "spec");
  return [
    ...(getString(spec, "externalID") === ""
      ? []
      : ["spec.externalID: this field is deprecated, and is unused by Kubernetes"]),
    ...getArray(spec, "podCIDRs").flatMap((one, index) =>
      legacyCidrWarnings(String(one), item("spec.podCIDRs", index))
    ),
  ];
}
