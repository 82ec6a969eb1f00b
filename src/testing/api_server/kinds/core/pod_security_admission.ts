import {
  type FieldError,
  getObject,
  getOwn,
  getString,
  invalidValue,
  item,
  type JsonObject,
} from "../../values/mod.ts";
import type { Confirmation } from "../kind_record.ts";
import { refusedPod } from "./refused_pod.ts";
import { violations } from "./pod_security_checks.ts";

const LABEL = "pod-security.kubernetes.io/";
const LEVELS = ["privileged", "baseline", "restricted"];

/**
 * Refuses a Pod that violates the Pod security level that its namespace enforces; warns of the level that it warns of.
 *
 * @throws {ApiError} 403
 */
export function confirmPodSecurity(pod: JsonObject, { cluster, warn }: Confirmation): void {
  const labels = namespaceLabels({ cluster });
  const level = levelOf(labels, "enforce");
  const found = violations(level, getObject(pod, "spec"));
  if (found !== "") {
    const name = `${level}:${versionOf(labels, "enforce")}`;
    throw refusedPod(pod, `violates PodSecurity ${JSON.stringify(name)}: ${found}`);
  }
  warnOf(labels, getObject(pod, "spec"), warn);
}

/** Warns of a Pod template that violates the Pod security level of the namespace. */
export function warnOfPodSecurity(
  template: JsonObject,
  { cluster, warn, subresource }: Confirmation,
): void {
  if (subresource !== "") return;
  warnOf(namespaceLabels({ cluster }), getObject(template, "spec"), warn);
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

function levelOf(labels: JsonObject, mode: string): string {
  return getString(labels, LABEL + mode) || LEVELS[0]!;
}

function versionOf(labels: JsonObject, mode: string): string {
  return getString(labels, `${LABEL}${mode}-version`) || "latest";
}

function warnOf(labels: JsonObject, spec: JsonObject, warn: (text: string) => void): void {
  const own = getOwn(labels, `${LABEL}warn`) !== undefined;
  // A namespace that enforces a level warns of it, too, unless it names another one.
  const mode = own ? "warn" : "enforce";
  const level = levelOf(labels, mode);
  const found = violations(level, spec);
  const version = own || getOwn(labels, `${LABEL}warn-version`) !== undefined ? "warn" : "enforce";
  const name = JSON.stringify(`${level}:${versionOf(labels, version)}`);
  if (found !== "") warn(`would violate PodSecurity ${name}: ${found}`);
}
