import { objects } from "../defaults/pod_defaults.ts";
import { toCoreEvent } from "../event_view.ts";
import {
  getArray,
  getObject,
  getPath,
  getString,
  humanAge,
  humanDuration,
  type Json,
  type JsonObject,
  timeMs,
} from "../../values/mod.ts";
import { selectorText } from "../scale.ts";
import type { KubeObject } from "@kubeloop/controller/types";
import { getNumber, isTrue, podRow } from "./pod_row.ts";

/** A function that returns the cells of one row, given the object and the current time. */
export type Row = (object: JsonObject, nowMs: number) => Json[];

/** The row functions of the kinds with their own columns, by `group/resource`, or `resource` in the core group. */
export const ROWS: ReadonlyMap<string, Row> = new Map<string, Row>([
  ["pods", podRow],
  [
    "configmaps",
    named((map) => [
      Object.keys(getObject(map, "data")).length + Object.keys(getObject(map, "binaryData")).length,
    ]),
  ],
  [
    "secrets",
    named((secret) => [
      getString(secret, "type"),
      Object.keys(getObject(secret, "data")).length,
    ]),
  ],
  [
    "services",
    named(serviceCells, (service) => [
      selectorText({ matchLabels: getObject(service, "spec", "selector") }) || "<none>",
    ]),
  ],
  ["serviceaccounts", named(() => [])],
  ["namespaces", named((namespace) => [getString(namespace, "status", "phase")])],
  ["nodes", nodeRow],
  ["events", eventRow],
  [
    "apps/deployments",
    named((one) => [
      `${getNumber(one, "status", "readyReplicas")}/${getNumber(one, "spec", "replicas")}`,
      getNumber(one, "status", "updatedReplicas"),
      getNumber(one, "status", "availableReplicas"),
    ], (one) => [...containerCells(one), selectorText(getObject(one, "spec", "selector"))]),
  ],
  [
    "apps/replicasets",
    named((one) => [
      getNumber(one, "spec", "replicas"),
      getNumber(one, "status", "replicas"),
      getNumber(one, "status", "readyReplicas"),
    ], templateCells),
  ],
  ["batch/jobs", named(jobCells, templateCells)],
  ["coordination.k8s.io/leases", named((lease) => [getString(lease, "spec", "holderIdentity")])],
  [
    "policy/poddisruptionbudgets",
    named((budget) => [
      String(getPath(budget, "spec", "minAvailable") ?? "N/A"),
      String(getPath(budget, "spec", "maxUnavailable") ?? "N/A"),
      getNumber(budget, "status", "disruptionsAllowed"),
    ]),
  ],
  ["admissionregistration.k8s.io/mutatingwebhookconfigurations", named(webhookCells)],
  ["admissionregistration.k8s.io/validatingwebhookconfigurations", named(webhookCells)],
  ["rbac.authorization.k8s.io/rolebindings", named(roleCell, subjectCells)],
  ["rbac.authorization.k8s.io/clusterrolebindings", named(roleCell, subjectCells)],
]);

/** Returns a row function for the name, then `cells`, then the age, then the `wide` cells of wide output. */
function named(
  cells: (object: JsonObject, nowMs: number) => Json[],
  wide: (object: JsonObject) => Json[] = () => [],
): Row {
  return (object, nowMs) => [
    getString(object, "metadata", "name"),
    ...cells(object, nowMs),
    humanAge(getString(object, "metadata", "creationTimestamp"), nowMs),
    ...wide(object),
  ];
}

function webhookCells(configuration: JsonObject): Json[] {
  return [getArray(configuration, "webhooks").length];
}

function serviceCells(service: JsonObject): Json[] {
  const ports = objects(service, "spec", "ports").map((port) => {
    const nodePort = getNumber(port, "nodePort");
    const number = `${getNumber(port, "port")}${nodePort > 0 ? `:${nodePort}` : ""}`;
    return `${number}/${getString(port, "protocol")}`;
  });
  const [clusterIp] = getArray(service, "spec", "clusterIPs");
  return [
    getString(service, "spec", "type"),
    clusterIp ?? "<none>",
    externalIp(service),
    ports.join(",") || "<none>",
  ];
}

function externalIp(service: JsonObject): string {
  const external = getArray(service, "spec", "externalIPs").map(String);
  switch (getString(service, "spec", "type")) {
    case "ClusterIP":
    case "NodePort":
      return external.join(",") || "<none>";
    case "LoadBalancer": {
      const ingress = objects(service, "status", "loadBalancer", "ingress")
        .map((one) => getString(one, "ip") || getString(one, "hostname"))
        .filter((one) => one !== "");
      return [...[...new Set(ingress)].sort(), ...external].join(",") || "<pending>";
    }
    case "ExternalName":
      return getString(service, "spec", "externalName");
    default:
      return "<unknown>";
  }
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

function eventRow(object: JsonObject, nowMs: number): Json[] {
  const event = toCoreEvent(object as unknown as KubeObject) as unknown as JsonObject;
  const text = (...path: string[]) => getString(event, ...path);
  const age = (time: string) => humanAge(time, nowMs);
  const first = age(text("firstTimestamp") || text("eventTime"));
  const series = getPath(event, "series");
  const last = series === undefined
    ? text("lastTimestamp") === "" ? first : age(text("lastTimestamp"))
    : age(text("series", "lastObservedTime"));
  const count = series === undefined ? getNumber(event, "count") || 1 : getNumber(series, "count");
  const kind = text("involvedObject", "kind").toLowerCase();
  const name = text("involvedObject", "name");
  const component = text("source", "component") || text("reportingComponent");
  const instance = text("source", "host") || text("reportingInstance");
  return [
    last,
    text("type"),
    text("reason"),
    name === "" ? kind : `${kind}/${name}`,
    text("involvedObject", "fieldPath"),
    instance === "" ? component : `${component}, ${instance}`,
    text("message").trim(),
    first,
    count,
    text("metadata", "name"),
  ];
}

function jobCells(job: JsonObject, nowMs: number): Json[] {
  const succeeded = getNumber(job, "status", "succeeded");
  const wanted = getPath(job, "spec", "completions");
  const parallelism = getNumber(job, "spec", "parallelism");
  let completions = `${succeeded}/${wanted ?? 1}`;
  if (wanted === undefined && parallelism > 1) completions += ` of ${parallelism}`;
  const start = getString(job, "status", "startTime");
  const end = getString(job, "status", "completionTime");
  const endMs = end === "" ? nowMs : timeMs(end);
  const duration = start === "" ? "" : humanDuration(endMs - timeMs(start));
  return [jobStatus(job), completions, duration];
}

function jobStatus(job: JsonObject): string {
  if (isTrue(job, "Complete")) return "Complete";
  if (isTrue(job, "Failed")) return "Failed";
  if (getString(job, "metadata", "deletionTimestamp") !== "") return "Terminating";
  const found = ["Suspended", "FailureTarget", "SuccessCriteriaMet"].find((one) =>
    isTrue(job, one)
  );
  return found ?? "Running";
}

function containerCells(object: JsonObject): Json[] {
  const containers = objects(object, "spec", "template", "spec", "containers");
  return ["name", "image"].map((one) => containers.map((it) => getString(it, one)).join(","));
}

function templateCells(object: JsonObject): Json[] {
  return [
    ...containerCells(object),
    selectorText(getObject(object, "spec", "selector")) || "<none>",
  ];
}

function roleCell(binding: JsonObject): Json[] {
  return [`${getString(binding, "roleRef", "kind")}/${getString(binding, "roleRef", "name")}`];
}

function subjectCells(binding: JsonObject): Json[] {
  return ["User", "Group", "ServiceAccount"].map((kind) =>
    objects(binding, "subjects")
      .filter((subject) => getString(subject, "kind") === kind)
      .map((subject) => {
        const name = getString(subject, "name");
        return kind === "ServiceAccount" ? `${getString(subject, "namespace")}/${name}` : name;
      })
      .join(", ")
  );
}
