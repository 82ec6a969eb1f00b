import type { KubeObject } from "@kubeloop/controller/types";
import {
  badRequest,
  getArray,
  getPath,
  getString,
  type Json,
  type JsonObject,
} from "../values/mod.ts";
import type { KindInfo } from "../schema/mod.ts";

/** Returns the value of one field label of an object, as the text that a field selector compares. */
export type FieldReader = (object: KubeObject) => string;

/** The field labels of one kind: the fields that a field selector can name. */
export interface FieldLabels {
  /**
   * Returns the reader for `label`.
   *
   * @throws {ApiError} 400, if the kind does not support the label.
   */
  reader(label: string): FieldReader;
}

function at(...path: string[]): FieldReader {
  return (object) => {
    const value = getPath(object as unknown as Json, ...path);
    return typeof value === "object" || value === undefined ? "" : String(value);
  };
}

function orElse(path: readonly string[], fallback: string): FieldReader {
  const read = at(...path);
  return (object) => read(object) || fallback;
}

const NAME = { "metadata.name": at("metadata", "name") };
const META = { ...NAME, "metadata.namespace": at("metadata", "namespace") };

const POD: Readonly<Record<string, FieldReader>> = {
  ...META,
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

function podIP(object: KubeObject): string {
  const pod = object as unknown as JsonObject;
  return getString(getArray(pod, "status", "podIPs")[0], "ip") || getString(pod, "status", "podIP");
}

const REFERENCE = [
  "kind",
  "namespace",
  "name",
  "uid",
  "apiVersion",
  "resourceVersion",
  "fieldPath",
];

function referenceLabels(prefix: string): Record<string, FieldReader> {
  return Object.fromEntries(
    REFERENCE.map((field) => [`${prefix}.${field}`, at(prefix, field)]),
  );
}

const CORE_EVENT: Readonly<Record<string, FieldReader>> = {
  ...META,
  ...referenceLabels("involvedObject"),
  reason: at("reason"),
  type: at("type"),
  reportingComponent: at("reportingComponent"),
  source: (object) => at("source", "component")(object) || at("reportingComponent")(object),
};

const EVENTS_EVENT: Readonly<Record<string, FieldReader>> = {
  ...META,
  ...referenceLabels("regarding"),
  reason: at("reason"),
  type: at("type"),
  reportingController: at("reportingController"),
};

/** The field labels of the kinds that have their own, by `group/kind`. */
const LABELS: Readonly<Record<string, Readonly<Record<string, FieldReader>>>> = {
  "/Pod": POD,
  "/Node": { ...NAME, "spec.unschedulable": orElse(["spec", "unschedulable"], "false") },
  "/Namespace": { ...NAME, "status.phase": at("status", "phase") },
  "/Secret": { ...META, type: at("type") },
  "/Service": {
    ...META,
    "spec.clusterIP": at("spec", "clusterIP"),
    "spec.type": at("spec", "type"),
  },
  "/Event": CORE_EVENT,
  "events.k8s.io/Event": EVENTS_EVENT,
  "batch/Job": { ...META, "status.successful": orElse(["status", "succeeded"], "0") },
};

/** Returns the field labels of `kind`. */
export function fieldLabelsOf(kind: KindInfo): FieldLabels {
  if (kind.custom !== undefined) {
    const own = kind.custom.selectableFields.map((path) =>
      [path.replace(/^\./, ""), path] as const
    );
    const labels: Record<string, FieldReader> = {
      ...META,
      ...Object.fromEntries(own.map(([label]) => [label, at(...label.split("."))])),
    };
    return { reader: (label) => lookup(labels, label, `field label not supported: ${label}`) };
  }
  const id = `${kind.group}/${kind.kind}`;
  if (Object.hasOwn(LABELS, id)) {
    const text = (label: string) =>
      kind.kind === "Job"
        ? `field label ${JSON.stringify(label)} not supported for Job`
        : `field label not supported: ${label}`;
    return { reader: (label) => lookup(LABELS[id]!, label, text(label)) };
  }
  return {
    reader: (label) =>
      lookup(
        META,
        label,
        `${
          JSON.stringify(label)
        } is not a known field selector: only "metadata.name", "metadata.namespace"`,
      ),
  };
}

function lookup(
  labels: Readonly<Record<string, FieldReader>>,
  label: string,
  message: string,
): FieldReader {
  if (!Object.hasOwn(labels, label)) throw badRequest(message);
  return labels[label]!;
}
