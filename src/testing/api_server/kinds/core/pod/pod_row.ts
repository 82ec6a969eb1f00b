import {
  getArray,
  getObject,
  getPath,
  getString,
  humanAge,
  type Json,
  type JsonObject,
} from "../../../../values/mod.ts";
import { getNumber, isTrue, objects } from "../../shared/mod.ts";

/** The number of container restarts, and the time at which the last restarted container had terminated. */
class Restarts {
  #count = 0;
  #last = "";

  add(status: JsonObject): void {
    this.#count += getNumber(status, "restartCount");
    const finished = getString(status, "lastState", "terminated", "finishedAt");
    if (finished > this.#last) this.#last = finished;
  }

  text(nowMs: number): string {
    if (this.#count === 0 || this.#last === "") return String(this.#count);
    return `${this.#count} (${humanAge(this.#last, nowMs)} ago)`;
  }
}

/** Returns the cells of a Pod's row. */
export function podRow(pod: JsonObject, nowMs: number): Json[] {
  const progress = initProgress(pod);
  let { ready, reason, restarts } = progress;
  if (progress.initialized || isTrue(pod, "Initialized")) {
    restarts = progress.sidecarRestarts;
    const running = runningReason(pod, restarts, reason);
    ready += running.ready;
    reason = running.reason;
  }
  if (getString(pod, "metadata", "deletionTimestamp") !== "") {
    const phase = getString(pod, "status", "phase");
    if (getString(pod, "status", "reason") === "NodeLost") reason = "Unknown";
    else if (phase !== "Succeeded" && phase !== "Failed") reason = "Terminating";
  }
  const sidecars = objects(pod, "spec", "initContainers").filter(isSidecar).length;
  const total = getArray(pod, "spec", "containers").length + sidecars;
  return [
    getString(pod, "metadata", "name"),
    `${ready}/${total}`,
    reason,
    restarts.text(nowMs),
    humanAge(getString(pod, "metadata", "creationTimestamp"), nowMs),
    getString(getArray(pod, "status", "podIPs")[0], "ip") || "<none>",
    getString(pod, "spec", "nodeName") || "<none>",
    getString(pod, "status", "nominatedNodeName") || "<none>",
    readinessGates(pod),
  ];
}

function isSidecar(container: JsonObject): boolean {
  return getString(container, "restartPolicy") === "Always";
}

function firstReason(pod: JsonObject): string {
  const gated = objects(pod, "status", "conditions").some((one) =>
    getString(one, "type") === "PodScheduled" && getString(one, "reason") === "SchedulingGated"
  );
  if (gated) return "SchedulingGated";
  return getString(pod, "status", "reason") || getString(pod, "status", "phase");
}

function initProgress(pod: JsonObject): {
  initialized: boolean;
  ready: number;
  reason: string;
  restarts: Restarts;
  sidecarRestarts: Restarts;
} {
  const containers = objects(pod, "spec", "initContainers");
  const sidecars = new Set(containers.filter(isSidecar).map((one) => getString(one, "name")));
  const restarts = new Restarts();
  const sidecarRestarts = new Restarts();
  let ready = 0;
  for (const [index, status] of objects(pod, "status", "initContainerStatuses").entries()) {
    restarts.add(status);
    const sidecar = sidecars.has(getString(status, "name"));
    if (sidecar) sidecarRestarts.add(status);
    const terminated = getPath(status, "state", "terminated");
    if (terminated !== undefined && getNumber(terminated, "exitCode") === 0) continue;
    if (sidecar && getPath(status, "started") === true) {
      if (getPath(status, "ready") === true) ready++;
      continue;
    }
    const waiting = getString(status, "state", "waiting", "reason");
    let reason = `Init:${index}/${containers.length}`;
    if (terminated !== undefined) reason = `Init:${exitReason(terminated)}`;
    else if (waiting !== "" && waiting !== "PodInitializing") reason = `Init:${waiting}`;
    return { initialized: false, ready, reason, restarts, sidecarRestarts };
  }
  return { initialized: true, ready, reason: firstReason(pod), restarts, sidecarRestarts };
}

function exitReason(terminated: Json): string {
  const reason = getString(terminated, "reason");
  if (reason !== "") return reason;
  const signal = getNumber(terminated, "signal");
  return signal !== 0 ? `Signal:${signal}` : `ExitCode:${getNumber(terminated, "exitCode")}`;
}

function runningReason(
  pod: JsonObject,
  restarts: Restarts,
  before: string,
): { ready: number; reason: string } {
  let reason = before;
  let failed = "";
  let ready = 0;
  for (const status of objects(pod, "status", "containerStatuses").reverse()) {
    restarts.add(status);
    const waiting = getString(status, "state", "waiting", "reason");
    const terminated = getPath(status, "state", "terminated");
    if (waiting !== "") {
      reason = waiting;
    } else if (terminated !== undefined) {
      reason = exitReason(terminated);
      if (getNumber(terminated, "exitCode") !== 0) failed = reason;
    } else if (getPath(status, "ready") === true && getPath(status, "state", "running")) {
      ready++;
    }
  }
  if (reason !== "Completed") return { ready, reason };
  if (ready > 0 && isTrue(pod, "Ready")) return { ready, reason: "Running" };
  if (failed !== "") return { ready, reason: failed };
  return { ready, reason: ready > 0 ? "NotReady" : reason };
}

function readinessGates(pod: JsonObject): string {
  const gates = objects(pod, "spec", "readinessGates");
  if (gates.length === 0) return "<none>";
  const met = gates.filter((gate) => isTrue(pod, getString(gate, "conditionType")));
  return `${met.length}/${gates.length}`;
}

/** Returns the conditions of the row of a finished Pod, or undefined if the Pod has not finished. */
export function podConditions(pod: JsonObject): JsonObject[] | undefined {
  const message = {
    Succeeded: "The pod has completed successfully.",
    Failed: "The pod failed.",
  }[getString(pod, "status", "phase")];
  if (message === undefined) return undefined;
  const reason = getString(getObject(pod, "status"), "phase");
  return [{ type: "Completed", status: "True", reason, message }];
}
