import {
  child,
  type FieldError,
  forbiddenField,
  getArray,
  getInteger,
  getOwn,
  getString,
  invalidValue,
  isNumber,
  isObject,
  type Json,
  type JsonObject,
  notSupported,
  portName,
  portNumber,
  required,
} from "../../../../values/mod.ts";
import { nonNegative, objects } from "../../shared/mod.ts";

const PROBES = ["livenessProbe", "readinessProbe", "startupProbe"];
const HANDLERS = ["exec", "httpGet", "tcpSocket", "grpc", "sleep"];
const HEADER_ERROR =
  "a valid HTTP header must consist of alphanumeric characters or '-' (e.g. 'X-Header-Name', regex used for validation is '[-A-Za-z0-9]+')";

/**
 * Returns the validation errors of the lifecycle and the probes of a container, or of an init container with
 * `restartPolicy: Always`.
 *
 * @param spec The spec of the Pod.
 */
export function validateHandlers(
  container: JsonObject,
  field: string,
  spec: JsonObject,
): FieldError[] {
  const grace = getInteger(spec, "terminationGracePeriodSeconds");
  const lifecycle = getOwn(container, "lifecycle");
  const errors: FieldError[] = [];
  for (const name of ["postStart", "preStop"]) {
    const handler = isObject(lifecycle) ? getOwn(lifecycle, name) : undefined;
    if (!isObject(handler)) continue;
    errors.push(...validateHandler(handler, child(child(field, "lifecycle"), name), grace));
  }
  for (const name of PROBES) {
    const probe = getOwn(container, name);
    if (isObject(probe)) errors.push(...validateProbe(probe, child(field, name), name));
  }
  return errors;
}

/** Returns an error for the lifecycle and each probe of an init container without `restartPolicy: Always`. */
export function forbidHandlers(container: JsonObject, field: string): FieldError[] {
  const text = "may not be set for init containers without restartPolicy=Always";
  return ["lifecycle", ...PROBES].filter((name) => isObject(getOwn(container, name)))
    .map((name) => forbiddenField(child(field, name), text));
}

function validateProbe(probe: JsonObject, field: string, name: string): FieldError[] {
  const errors = validateHandler(probe, field, 0);
  errors.push(
    ...nonNegative(
      probe,
      field,
      "initialDelaySeconds",
      "timeoutSeconds",
      "periodSeconds",
      "successThreshold",
      "failureThreshold",
    ),
  );
  const grace = getOwn(probe, "terminationGracePeriodSeconds");
  const at = child(field, "terminationGracePeriodSeconds");
  if (isNumber(grace) && grace <= 0) {
    errors.push(invalidValue(at, grace, "must be greater than 0"));
  }
  if (name === "readinessProbe") {
    if (grace !== undefined) {
      errors.push(invalidValue(at, grace, "must not be set for readinessProbes"));
    }
  } else if (getOwn(probe, "successThreshold") !== 1) {
    const value = getOwn(probe, "successThreshold") ?? 0;
    errors.push(invalidValue(child(field, "successThreshold"), value, "must be 1"));
  }
  return errors;
}

function validateHandler(handler: JsonObject, field: string, grace: number | bigint): FieldError[] {
  const [first, ...others] = HANDLERS.filter((kind) => isObject(getOwn(handler, kind)));
  if (first === undefined) return [required(field, "must specify a handler type")];
  const action = getOwn(handler, first) as JsonObject;
  return [
    ...validateAction(first, action, child(field, first), grace),
    ...others.map((kind) =>
      forbiddenField(child(field, kind), "may not specify more than 1 handler type")
    ),
  ];
}

function validateAction(
  kind: string,
  action: JsonObject,
  field: string,
  grace: number | bigint,
): FieldError[] {
  if (kind === "sleep") {
    const seconds = getInteger(action, "seconds");
    if (seconds >= 0 && seconds <= grace) return [];
    const text = `must be non-negative and less than terminationGracePeriodSeconds (${grace})`;
    return [invalidValue(field, seconds, text)];
  }
  if (kind === "exec") {
    return getArray(action, "command").length === 0 ? [required(child(field, "command"))] : [];
  }
  const port = getOwn(action, "port") ?? 0;
  const errors = portErrors(port, child(field, "port"));
  if (kind !== "httpGet") return errors;
  const scheme = getString(action, "scheme");
  if (getString(action, "path") === "") errors.unshift(required(child(field, "path")));
  if (scheme !== "HTTP" && scheme !== "HTTPS") {
    errors.push(notSupported(child(field, "scheme"), scheme, ["HTTP", "HTTPS"]));
  }
  for (const header of objects(action, "httpHeaders")) {
    const name = getString(header, "name");
    if (/^[-A-Za-z0-9]+$/.test(name)) continue;
    errors.push(invalidValue(child(field, "httpHeaders"), name, HEADER_ERROR));
  }
  return errors;
}

function portErrors(port: Json, field: string): FieldError[] {
  const wrong = typeof port === "number" ? portNumber(port) : portName(String(port));
  return wrong.map((text) => invalidValue(field, port, text));
}
