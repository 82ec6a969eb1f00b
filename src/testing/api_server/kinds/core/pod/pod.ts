import type { KubeObject } from "@kubeloop/controller/types";
import {
  getArray,
  getObject,
  getOwn,
  getPath,
  getString,
  type JsonObject,
  withPath,
} from "../../../../values/mod.ts";
import {
  defaultPod,
  defaultPodResources,
  defaultPodSpec,
  podStatusWarnings,
  podWarnings,
  withPodResources,
} from "../pod_spec/mod.ts";
import {
  at,
  connection,
  defineKind,
  type FieldReader,
  type KindRecord,
  orElse,
  STATUS,
} from "../../record/mod.ts";
import { POD_QUOTA } from "./pod_quota.ts";
import { AGE, column, NAME } from "../../shared/mod.ts";
import { podConditions, podRow } from "./pod_row.ts";
import { validateNewPod, validatePod } from "./pod_validation.ts";
import { validatePodStatusUpdate } from "./pod_status.ts";
import { validatePodSpecUpdate } from "./pod_update.ts";
import { admitPod, confirmPod } from "./pod_admission.ts";
import { EPHEMERAL_CONTAINERS, RESIZE } from "./pod_parts.ts";
import { preparePod } from "./pod_prepare.ts";
import { refusePodProxy } from "../connections/mod.ts";

/** The field labels of Pods. */
const FIELDS: Readonly<Record<string, FieldReader>> = {
  "spec.nodeName": at("spec", "nodeName"),
  "spec.host": at("spec", "nodeName"),
  "spec.restartPolicy": at("spec", "restartPolicy"),
  "spec.schedulerName": at("spec", "schedulerName"),
  "spec.serviceAccountName": at("spec", "serviceAccountName"),
  "spec.hostNetwork": orElse(["spec", "hostNetwork"], "false"),
  "status.phase": at("status", "phase"),
  "status.podIP": podIP,
  // The real server accepts this label but never sets a value for it.
  "status.podIPs": () => "",
  "status.nominatedNodeName": at("status", "nominatedNodeName"),
};

/** Pods. */
export const POD: KindRecord = defineKind("v1", "pods", "Pod", {
  shortNames: ["po"],
  categories: ["all"],
  subresources: [
    connection("attach", "PodAttachOptions"),
    { name: "binding", kind: "Binding", verbs: ["create"], hasTable: false },
    { name: "ephemeralcontainers", verbs: ["get", "patch", "update"], hasTable: false },
    {
      name: "eviction",
      group: "policy",
      version: "v1",
      kind: "Eviction",
      verbs: ["create"],
      hasTable: false,
    },
    connection("exec", "PodExecOptions"),
    { name: "log", verbs: ["get"], hasTable: false },
    connection("portforward", "PodPortForwardOptions"),
    connection("proxy", "PodProxyOptions"),
    { name: "resize", verbs: ["get", "patch", "update"], hasTable: false },
    STATUS,
  ],
  connections: {
    attach: "container",
    exec: "container",
    portforward: "ports",
    proxy: refusePodProxy,
  },
  quota: POD_QUOTA,
  counts: [["spec"]],
  statusKeeps: ["deletionTimestamp", "ownerReferences"],
  defaults: (pod) => {
    defaultAllButResources(pod);
    defaultPodResources(getObject(pod, "spec"));
  },
  prepareCreate: preparePod,
  prepareStatus: keepQosClass,
  admit: admitPod,
  confirm: confirmPod,
  parts: { ephemeralcontainers: EPHEMERAL_CONTAINERS, resize: RESIZE },
  names: "subdomain",
  wholeFirst: true,
  warnings: podWarnings,
  statusWarnings: podStatusWarnings,
  validate: validatePod,
  validateCreate: validateNewPod,
  validateChange: validatePodSpecUpdate,
  validateStatus: validatePodStatusUpdate,
  deletion: { mode: "graceful", gracePeriod, returnsObject: true },
  fields: FIELDS,
  table: {
    columns: [
      NAME,
      column("Ready", "The aggregate readiness state of this pod for accepting traffic."),
      column("Status", "The aggregate status of the containers in this pod."),
      column(
        "Restarts",
        "The number of times the containers in this pod have been restarted and when the last container in this pod has restarted.",
      ),
      AGE,
      column(
        "IP",
        "podIP address allocated to the pod. Routable at least within the cluster. Empty if not yet allocated.",
        1,
      ),
      column(
        "Node",
        "NodeName indicates in which node this pod is scheduled. If empty, this pod is a candidate for scheduling by the scheduler defined in schedulerName. Once this field is set, the kubelet for this node becomes responsible for the lifecycle of this pod. This field should not be used to express a desire for the pod to be scheduled on a specific node. https://kubernetes.io/docs/concepts/scheduling-eviction/assign-pod-node/#nodename",
        1,
      ),
      column(
        "Nominated Node",
        "nominatedNodeName is set only when this pod preempts other pods on the node, but it cannot be scheduled right away as preemption victims receive their graceful termination periods. This field does not guarantee that the pod will be scheduled on this node. Scheduler may decide to place the pod elsewhere if other nodes become available sooner. Scheduler may also decide to give the resources on this node to a higher priority pod that is created after preemption. As a result, this field may be different than PodSpec.nodeName when the pod is scheduled.",
        1,
      ),
      column(
        "Readiness Gates",
        'If specified, all readiness gates will be evaluated for pod readiness. A pod is ready when all its containers are ready AND all conditions specified in the readiness gates have status equal to "True" More info: https://git.k8s.io/enhancements/keps/sig-network/580-pod-readiness-gates',
        1,
      ),
    ],
    row: podRow,
    conditions: podConditions,
  },
}, {
  since: "1.37",
  gate: "PodLevelResourcesFixDefaulting",
  defaults: defaultAllButResources,
  prepareCreate: (pod, writer) => preparePod(withResources(pod), writer),
  prepareUpdate: (next, old) => {
    const before = getPath(old, "spec", "resources");
    return getPath(next, "spec", "resources") === undefined && before !== undefined
      ? withPath(next, ["spec", "resources"], before)
      : next;
  },
});

/** Sets the defaults of a Pod, apart from its resources as a whole. */
function defaultAllButResources(pod: JsonObject): void {
  defaultPodSpec(getObject(pod, "spec"));
  defaultPod(pod);
  withoutNegativeGrace(getObject(pod, "spec"));
}

function withResources(pod: JsonObject): JsonObject {
  return withPath(pod, ["spec"], withPodResources(getObject(pod, "spec")));
}

/** Replaces a negative grace period by one second. That of a Pod template stays. */
function withoutNegativeGrace(spec: JsonObject): void {
  if (Number(getOwn(spec, GRACE)) < 0) spec[GRACE] = 1;
}

const GRACE = "terminationGracePeriodSeconds";

/** A Pod that no node runs, or that has finished, ends at once. */
function gracePeriod(pod: JsonObject, asked: number | undefined): number {
  const phase = getString(pod, "status", "phase");
  const isIdle = getString(pod, "spec", "nodeName") === "" || phase === "Failed" ||
    phase === "Succeeded";
  return isIdle ? 0 : asked ?? Number(getPath(pod, "spec", "terminationGracePeriodSeconds") ?? 30);
}

function keepQosClass(next: JsonObject, old: JsonObject): JsonObject {
  const qosClass = getPath(old, "status", "qosClass");
  if (getString(next, "status", "qosClass") || qosClass === undefined) return next;
  return withPath(next, ["status", "qosClass"], qosClass);
}

function podIP(object: KubeObject): string {
  const pod = object as unknown as JsonObject;
  return getString(getArray(pod, "status", "podIPs")[0], "ip") || getString(pod, "status", "podIP");
}
