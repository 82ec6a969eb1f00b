import {
  checkedElsewhere,
  isRecord,
  oneLine,
  type OptionChecks,
  requireOptions,
  visibleText,
} from "../base/mod.ts";
import {
  apiVersionOf,
  type DeepReadonly,
  type KubeObject,
  type ObjectReference,
  type ResourceDescriptor,
} from "../types/mod.ts";

/** A report of a controller about an object. */
export interface EventReport {
  /** The severity: `Warning` for an event that needs attention. */
  readonly type: "Normal" | "Warning";
  /** The reason, a short CamelCase word such as `Rolled`. Cut after 128 bytes. */
  readonly reason: string;
  /** The description, for people. Cut after 1,024 bytes; line breaks become spaces. */
  readonly note: string;
  /** The successful or failed action, a short CamelCase word. Default `Reconcile`. */
  readonly action?: string | undefined;
  /** A second object of the event, such as a created Job. */
  readonly related?: {
    readonly resource: ResourceDescriptor;
    readonly object: DeepReadonly<KubeObject>;
  } | undefined;
}

const PARTS: OptionChecks<EventReport> = {
  type: checkedElsewhere,
  reason: checkedElsewhere,
  note: checkedElsewhere,
  action: checkedElsewhere,
  related: checkedElsewhere,
};

/**
 * Checks a report.
 *
 * @throws {TypeError} If a field is missing or of another type.
 */
export function requireReport(report: EventReport): void {
  const given: unknown = report;
  if (!isRecord(given)) {
    throw new TypeError("An event needs a report: { type, reason, note }");
  }
  requireOptions("the report of an event", given, PARTS);
  const { type, reason, note, action } = given;
  if (type !== "Normal" && type !== "Warning") {
    throw new TypeError(
      `The type of an event must be "Normal" or "Warning": received ${show(type)}`,
    );
  }
  for (const [field, value] of Object.entries({ reason, action: action ?? "Reconcile" })) {
    if (typeof value === "string" && value.trim() !== "") continue;
    throw new TypeError(
      `The ${field} of an event must be a word, such as "Rolled": received ${show(value)}`,
    );
  }
  if (typeof note !== "string") {
    throw new TypeError(`The note of an event must be a text: received ${show(note)}`);
  }
}

/**
 * Returns the reference to an object: client-go's `reference.GetReference`.
 *
 * @throws {TypeError} If `resource` is not a resource, or the object has no name.
 */
export function referenceOf(
  resource: ResourceDescriptor,
  object: DeepReadonly<KubeObject>,
): ObjectReference & { readonly name: string } {
  const { kind, version }: { kind?: unknown; version?: unknown } = isRecord(resource as unknown)
    ? resource
    : {};
  if (typeof kind !== "string" || typeof version !== "string") {
    throw new TypeError("An event needs the resource of its object, such as Pods");
  }
  const metadata: unknown = (object as KubeObject | undefined)?.metadata;
  const { name, namespace, uid, resourceVersion } = isRecord(metadata) ? metadata : {};
  if (typeof name !== "string" || name === "") {
    throw new TypeError(
      `An event about a ${kind} needs its metadata.name: pass an object that was read from the server`,
    );
  }
  // The other fields are optional, and may have any type in an answer of a server.
  return {
    apiVersion: apiVersionOf(resource),
    kind,
    name,
    ...(isText(namespace) ? { namespace } : {}),
    ...(isText(uid) ? { uid } : {}),
    ...(isText(resourceVersion) ? { resourceVersion } : {}),
  };
}

/** Returns the identity of the object of a reference, without its resource version. */
export function identityOf(reference: ObjectReference | undefined): string {
  const { apiVersion, kind, namespace, name, uid } = reference ?? {};
  return JSON.stringify([apiVersion, kind, namespace, name, uid]);
}

function isText(value: unknown): value is string {
  return typeof value === "string" && value !== "";
}

function show(value: unknown): string {
  if (typeof value === "string") return JSON.stringify(value.slice(0, 50));
  return value === undefined || value === null ? String(value) : `a value of type ${typeof value}`;
}

const MARK = "…";
const MARK_BYTES = 3;

/**
 * Returns text for a field of at most `maxBytes` bytes: on one line, with invisible characters escaped as in JSON. Text that
 * is too long ends with `…`.
 */
export function fittingText(text: string, maxBytes: number): string {
  // Bounds the work for a note of megabytes.
  const isCut = text.length > maxBytes;
  const shown = visibleText(oneLine(isCut ? text.slice(0, maxBytes) : text), Infinity);
  const encoder = new TextEncoder();
  if (!isCut && encoder.encode(shown).length <= maxBytes) return shown;
  // encodeInto() stops before the character that does not fit.
  const { read } = encoder.encodeInto(shown, new Uint8Array(maxBytes - MARK_BYTES));
  return shown.slice(0, read) + MARK;
}
