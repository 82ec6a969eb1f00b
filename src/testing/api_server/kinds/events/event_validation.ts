import {
  byteLength,
  dnsSubdomain,
  type FieldError,
  getObject,
  getOwn,
  getString,
  invalidValue,
  isObject,
  jsonEqual,
  type JsonObject,
  qualifiedName,
  required,
} from "../../../values/mod.ts";
import { immutable } from "../shared/mod.ts";

const MAX_REPORTING_INSTANCE = 128;
const MAX_ACTION = 128;
const MAX_REASON = 128;
const MAX_NOTE = 1024;

/**
 * Returns the validation errors of a core/v1 Event apart from its metadata.
 *
 * @param strict Whether the request used events.k8s.io/v1, whose errors name other fields.
 */
export function validateEvent(event: JsonObject, strict: boolean): FieldError[] {
  const namespace = getString(event, "metadata", "namespace");
  const about = getString(event, "involvedObject", "namespace");
  const mismatch = invalidValue(
    "involvedObject.namespace",
    about,
    "does not match event.namespace",
  );
  const errors: FieldError[] = [];
  if (!isSet(event, "eventTime")) {
    const matches = about === "" ? ["", "default"].includes(namespace) : about === namespace;
    if (!matches) errors.push(mismatch);
  } else {
    if (about === "" && !["default", "kube-system"].includes(namespace)) errors.push(mismatch);
    errors.push(...validateReport(event, strict));
  }
  errors.push(
    ...dnsSubdomain(namespace).map((text) => invalidValue("namespace", namespace, text)),
  );
  return errors;
}

function isSet(event: JsonObject, field: string): boolean {
  return (getOwn(event, field) ?? null) !== null;
}

function validateReport(event: JsonObject, strict: boolean): FieldError[] {
  const errors: FieldError[] = [];
  const limited = (field: string, max: number, needed: boolean) => {
    const value = getString(event, field);
    if (needed && value === "") errors.push(required(field));
    if (byteLength(value) > max) {
      errors.push(invalidValue(field, "", `can have at most ${max} characters`));
    }
  };
  const field = strict ? "reportingController" : "reportingComponent";
  const controller = getString(event, "reportingComponent");
  if (controller === "") errors.push(required(field));
  errors.push(...qualifiedName(controller).map((text) => invalidValue(field, controller, text)));
  limited("reportingInstance", MAX_REPORTING_INSTANCE, true);
  limited("action", MAX_ACTION, true);
  limited("reason", MAX_REASON, true);
  limited("message", MAX_NOTE, false);
  return errors;
}

/** Returns the additional errors of an Event that is created through events.k8s.io/v1. */
export function validateNewStyleEvent(event: JsonObject): FieldError[] {
  const errors = validateSeries(event);
  if (!isSet(event, "eventTime")) errors.push(required("eventTime"));
  const type = getString(event, "type");
  if (type !== "Normal" && type !== "Warning") {
    errors.push(invalidValue("type", "", `has invalid value: ${type}`));
  }
  for (const field of ["firstTimestamp", "lastTimestamp", "count"]) {
    if (isSet(event, field)) errors.push(invalidValue(field, "", "needs to be unset"));
  }
  const source = getObject(event, "source");
  if (getString(source, "component") !== "" || getString(source, "host") !== "") {
    errors.push(invalidValue("source", "", "needs to be unset"));
  }
  return errors;
}

function validateSeries(event: JsonObject): FieldError[] {
  const series = getOwn(event, "series");
  if (!isObject(series)) return [];
  const errors: FieldError[] = [];
  const count = getOwn(series, "count");
  if (typeof count !== "number" || count < 2) {
    errors.push(invalidValue("series.count", "", "should be at least 2"));
  }
  if ((getOwn(series, "lastObservedTime") ?? null) === null) {
    errors.push(required("series.lastObservedTime"));
  }
  return errors;
}

/** The fields with times. Errors show an absent time as null. */
const TIMES = ["firstTimestamp", "lastTimestamp", "eventTime"];

/**
 * Returns the additional errors of an Event that is updated through events.k8s.io/v1. Apart from the metadata, only the
 * series may change.
 */
export function validateNewStyleEventUpdate(next: JsonObject, old: JsonObject): FieldError[] {
  const errors = jsonEqual(getOwn(next, "series"), getOwn(old, "series"))
    ? []
    : validateSeries(next);
  const fixed = [
    "involvedObject",
    "reason",
    "message",
    "source",
    "firstTimestamp",
    "lastTimestamp",
    "count",
    // The real server compares the reason twice.
    "reason",
    "type",
    "eventTime",
    "action",
    "related",
  ];
  for (const field of fixed) {
    const wrong = TIMES.includes(field) && getOwn(next, field) === undefined
      ? immutable({ ...next, [field]: null }, old, field)
      : immutable(next, old, field);
    errors.push(...wrong);
  }
  for (const error of immutable(next, old, "reportingComponent")) {
    errors.push({ ...error, field: "reportingController" });
  }
  errors.push(...immutable(next, old, "reportingInstance"));
  return errors;
}
