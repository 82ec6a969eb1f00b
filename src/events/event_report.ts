import { checkedElsewhere, isRecord, type OptionChecks, requireOptions } from "../base/mod.ts";
import {
  apiVersionOf,
  type DeepReadonly,
  type KubeObject,
  type ObjectReference,
  type ResourceDescriptor,
} from "../types/mod.ts";

/** What a controller reports about an object. */
export interface EventReport {
  /** The severity: `Normal`, or `Warning` if somebody should look. */
  readonly type: "Normal" | "Warning";
  /** The reason, as a short CamelCase word for programs: `Rolled`. More than 128 bytes are cut. */
  readonly reason: string;
  /** The description, for people. More than 1,024 bytes are cut, and line breaks become spaces. */
  readonly note: string;
  /** The action that was taken, or that failed, as a short CamelCase word. Default `Reconcile`. */
  readonly action?: string | undefined;
  /** A second object that the event involves, such as the Job that was created. */
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
 * @throws {TypeError} If it lacks something, or something is not of its type.
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
 * @throws {TypeError} If `resource` is no resource, or the object has no name.
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
  // A server may send anything in the other fields. An Event without them is still one.
  return {
    apiVersion: apiVersionOf(resource),
    kind,
    name,
    ...(isText(namespace) ? { namespace } : {}),
    ...(isText(uid) ? { uid } : {}),
    ...(isText(resourceVersion) ? { resourceVersion } : {}),
  };
}

/** Returns what identifies the object of a reference. Its resource version does not. */
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
