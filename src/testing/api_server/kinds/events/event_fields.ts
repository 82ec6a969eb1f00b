import { at, type FieldReader } from "../record/mod.ts";

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

/** The field labels of Events of core/v1. */
export const CORE_EVENT_FIELDS: Readonly<Record<string, FieldReader>> = {
  ...referenceLabels("involvedObject"),
  reason: at("reason"),
  type: at("type"),
  reportingComponent: at("reportingComponent"),
  source: (object) => at("source", "component")(object) || at("reportingComponent")(object),
};

/** The field labels of Events of events.k8s.io/v1. */
export const EVENT_FIELDS: Readonly<Record<string, FieldReader>> = {
  ...referenceLabels("regarding"),
  reason: at("reason"),
  type: at("type"),
  reportingController: at("reportingController"),
};
