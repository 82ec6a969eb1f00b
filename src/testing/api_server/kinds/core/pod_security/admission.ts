import {
  type ApiError,
  type FieldError,
  forbidden,
  getObject,
  getOwn,
  getString,
  invalidValue,
  item,
  type JsonObject,
} from "../../../../values/mod.ts";
import { objects } from "../../shared/mod.ts";
import type { Confirmation } from "../../record/mod.ts";
import { violations } from "./checks.ts";
import type { Violation } from "./subject.ts";

const LABEL = "pod-security.kubernetes.io/";
const LEVELS = ["privileged", "baseline", "restricted"];

/**
 * Refuses a Pod that violates the Pod security level that its namespace enforces; warns of the level that it warns of.
 *
 * @throws {ApiError} 403
 */
export function confirmPodSecurity(pod: JsonObject, { cluster, warn }: Confirmation): void {
  const labels = namespaceLabels({ cluster });
  const policy = policyOf(labels, "enforce");
  const found = violations(policy.level, policy.version, pod);
  if (found.length > 0) {
    throw refusedPod(pod, `violates PodSecurity ${nameOf(policy)}: ${shownViolations(found)}`);
  }
  warnOf(labels, pod, warn);
}

/** Reports whether an update changes a field that the Pod Security Standards check. */
export function isSignificantUpdate(pod: JsonObject, old: JsonObject): boolean {
  return ["containers", "initContainers", "ephemeralContainers"].some((list) => {
    const [now, before] = [objects(pod, "spec", list), objects(old, "spec", list)];
    return now.length !== before.length ||
      now.some((container, index) =>
        getString(container, "image") !== getString(before[index], "image")
      );
  });
}

/** Warns of a Pod template that violates the Pod security level of the namespace. */
export function warnOfPodSecurity(
  template: JsonObject,
  { cluster, warn, subresource }: Confirmation,
): void {
  if (subresource !== "") return;
  warnOf(namespaceLabels({ cluster }), template, warn);
}

/** Warns of the Pods of a namespace that violate the Pod security level which it newly enforces. */
export function warnOfPresentPods(
  namespace: JsonObject,
  old: JsonObject | undefined,
  { cluster, warn, subresource }: Confirmation,
): void {
  if (old === undefined || subresource !== "") return;
  const [policy, before] = [namespace, old].map((one) =>
    policyOf(getObject(one, "metadata", "labels"), "enforce")
  ) as [Policy, Policy];
  const sameVersion = policy.version === before.version;
  if (sameVersion && LEVELS.indexOf(policy.level) <= LEVELS.indexOf(before.level)) return;
  const name = getString(namespace, "metadata", "name");
  const pods = new Map<string, string[]>();
  for (const pod of cluster.list("pods", name)) {
    const reasons = violations(policy.level, policy.version, pod).map(({ reason }) => reason);
    if (reasons.length === 0) continue;
    const text = reasons.join(", ");
    pods.set(text, [...pods.get(text) ?? [], getString(pod, "metadata", "name")]);
  }
  if (pods.size === 0) return;
  const what = `existing pods in namespace ${JSON.stringify(name)}`;
  warn(`${what} violate the new PodSecurity enforce level ${nameOf(policy)}`);
  const lines = [...pods].map(([text, [first, ...others]]) => {
    const more = others.length === 1 ? "1 other pod" : `${others.length} other pods`;
    return `${first}${others.length === 0 ? "" : ` (and ${more})`}: ${text}`;
  });
  for (const line of lines.sort()) warn(line);
}

/** Returns the errors of the labels by which a namespace chooses Pod security levels. */
export function podSecurityLabelErrors(namespace: JsonObject): FieldError[] {
  const labels = getObject(namespace, "metadata", "labels");
  return ["enforce", "audit", "warn"].flatMap((mode) => {
    const errors: FieldError[] = [];
    const check = (key: string, isGood: (text: string) => boolean, why: string) => {
      const value = getOwn(labels, key);
      if (typeof value === "string" && !isGood(value)) {
        errors.push(invalidValue(item("metadata.labels", key), value, why));
      }
    };
    check(
      LABEL + mode,
      (text) => LEVELS.includes(text),
      `must be one of ${LEVELS.join(", ")}`,
    );
    const isVersion = (text: string) => text === "latest" || /^v1\.(?:0|[1-9][0-9]*)$/.test(text);
    check(`${LABEL}${mode}-version`, isVersion, 'must be "latest" or "v1.x"');
    return errors;
  });
}

function namespaceLabels({ cluster }: Pick<Confirmation, "cluster">): JsonObject {
  const namespace = cluster.get("namespaces", "", cluster.namespace);
  return getObject(namespace, "metadata", "labels");
}

/** A level of the Pod security standards, and their version. */
interface Policy {
  readonly level: string;
  readonly version: string;
}

function policyOf(labels: JsonObject, mode: string): Policy {
  return {
    level: getString(labels, LABEL + mode) || LEVELS[0]!,
    version: getString(labels, `${LABEL}${mode}-version`) || "latest",
  };
}

function nameOf({ level, version }: Policy): string {
  return JSON.stringify(`${level}:${version}`);
}

function shownViolations(found: readonly Violation[]): string {
  return found.map(({ reason, detail }) => `${reason} (${detail})`).join(", ");
}

function warnOf(labels: JsonObject, pod: JsonObject, warn: (text: string) => void): void {
  const own = getOwn(labels, `${LABEL}warn`) !== undefined;
  // A namespace that enforces a level warns of it, too, unless it names another one.
  const { level } = policyOf(labels, own ? "warn" : "enforce");
  const mode = own || getOwn(labels, `${LABEL}warn-version`) !== undefined ? "warn" : "enforce";
  const policy = { level, version: policyOf(labels, mode).version };
  const found = violations(policy.level, policy.version, pod);
  if (found.length > 0) {
    warn(`would violate PodSecurity ${nameOf(policy)}: ${shownViolations(found)}`);
  }
}

/** Returns the 403 of an admission plugin that refuses a Pod. */
export function refusedPod(pod: JsonObject, why: string): ApiError {
  const name = getString(pod, "metadata", "name") || getString(pod, "metadata", "generateName") ||
    "Unknown";
  return forbidden({ group: "", plural: "pods" }, name, why);
}
