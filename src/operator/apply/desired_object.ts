import { encodeBase64, isRecord, own, type Redact, showJson } from "../../base/mod.ts";
import { managerEntries, plainJson } from "../../fields/mod.ts";
import {
  apiVersionOf,
  type Cached,
  controllerOf,
  controllerReference,
  type KubeObject,
  type OwnerReference,
  type ResourceDescriptor,
} from "../../types/mod.ts";
import { NotOwnedError } from "./not_owned_error.ts";

/** The controller owner of applied objects. */
export interface ApplyOwner {
  /** The owner, as in the cache. */
  readonly object: Cached<KubeObject>;
  /** The resource of the owner. */
  readonly resource: ResourceDescriptor;
}

/** A desired object, ready to be sent. */
export interface DesiredObject {
  readonly name: string;
  readonly namespace: string | undefined;
  /** The complete object. */
  readonly body: Readonly<Record<string, unknown>>;
}

/**
 * Completes an object for an apply: with `apiVersion`, `kind`, the namespace, and the owner reference if `owned` is true.
 *
 * @throws {TypeError} If the object has no name, has another kind, was read from the server, cannot be expressed in JSON, or
 * cannot have this owner.
 */
export function desiredObject(
  resource: ResourceDescriptor,
  object: unknown,
  owner: ApplyOwner | undefined,
  owned: boolean,
): DesiredObject {
  const what = `Cannot apply a ${resource.kind}`;
  const plain = isRecord(object) ? plainJson(object) : undefined;
  const metadata = own(plain, "metadata");
  if (!isRecord(plain) || !isRecord(metadata)) {
    throw new TypeError(`${what}: expected an object with metadata.name`);
  }
  const { name, namespace: given } = metadata;
  if (typeof name !== "string" || name === "") {
    throw new TypeError(
      `${what} without metadata.name: server-side apply needs the name, ` +
        "derive one from the owner, such as `${object.metadata.name}-web`",
    );
  }
  const named = `Cannot apply ${resource.kind} ${JSON.stringify(name)}`;
  if (metadata["managedFields"] !== undefined) {
    throw new TypeError(
      `${named}: it was read from the server, as metadata.managedFields show. ` +
        "Give only the fields that you want to own, not a copy of the whole object",
    );
  }
  const type = { apiVersion: apiVersionOf(resource), kind: resource.kind };
  for (const [key, expected] of Object.entries(type)) {
    const found = plain[key];
    if (found === undefined || found === "" || found === expected) continue;
    throw new TypeError(
      `${named}: its ${key} is ${showJson(found)}, but that of the resource is "${expected}"`,
    );
  }
  if (given !== undefined && (typeof given !== "string" || given === "")) {
    throw new TypeError(`${named}: metadata.namespace is ${showJson(given)}`);
  }
  const namespace = resource.namespaced ? given ?? owner?.object.metadata.namespace : given;
  if (resource.namespaced && namespace === undefined) {
    throw new TypeError(
      `${named} without metadata.namespace: ` +
        (owner === undefined ? "set it" : `set it, because its owner is cluster-scoped`),
    );
  }
  const completed: Record<string, unknown> = { ...metadata };
  if (namespace !== undefined) completed["namespace"] = namespace;
  if (owned && owner !== undefined) {
    requireReachable(owner, resource, namespace, named);
    completed["ownerReferences"] = withOwner(metadata["ownerReferences"], owner, named);
  }
  const fields = resource.group === "" && resource.kind === "Secret" ? withData(plain) : plain;
  return { name, namespace, body: { ...fields, ...type, metadata: completed } };
}

/**
 * Moves the `stringData` of a Secret to its `data`. The server does so too, but the applier would own only the fields of
 * `stringData`: keys that are no longer applied would stay in `data`.
 */
function withData(secret: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const { stringData, data, ...rest } = secret;
  if (!isRecord(stringData) || Object.values(stringData).some((one) => typeof one !== "string")) {
    return secret;
  }
  const encoded = Object.entries(stringData).map((
    [key, text],
  ) => [key, encodeBase64(text as string)]);
  return { ...rest, data: { ...(isRecord(data) ? data : {}), ...Object.fromEntries(encoded) } };
}

/** Refuses an owner that the garbage collector cannot find: it would delete the object. */
function requireReachable(
  { object, resource: ofOwner }: ApplyOwner,
  resource: ResourceDescriptor,
  namespace: string | undefined,
  what: string,
): void {
  const home = object.metadata.namespace;
  if (!ofOwner.namespaced || home === undefined) return;
  if (resource.namespaced && namespace === home) return;
  const place = resource.namespaced ? `in namespace "${namespace}"` : "which is cluster-scoped,";
  throw new TypeError(
    `${what} ${place} with the owner ${ofOwner.kind} "${object.metadata.name}" in namespace "${home}": ` +
      "the garbage collector would delete it. Pass { owner: false } and delete it in a finalizer",
  );
}

function withOwner(given: unknown, owner: ApplyOwner, what: string): unknown[] {
  const reference = controllerReference(owner.object, owner.resource);
  const others = (Array.isArray(given) ? given : []).filter((one) =>
    own(one, "uid") !== reference.uid
  );
  const rival = others.find((one) => own(one, "controller") === true);
  if (rival !== undefined) {
    throw new NotOwnedError(otherController(what, rival as OwnerReference, reference));
  }
  return [...others, reference];
}

/** The conditions under which an existing object may be changed. */
export interface Claim {
  /** The intended controller owner; undefined for none. */
  readonly owner: ApplyOwner | undefined;
  /** Whether an object without a controller owner may be taken over. */
  readonly adopt: boolean;
  /** The field manager. It may change the objects that it has applied before, unless another owner controls them. */
  readonly fieldManager: string;
  /** Hides the credentials of the client in messages, because a server may repeat them. */
  readonly redact: Redact;
}

/**
 * Checks that an existing object may be changed.
 *
 * @throws {NotOwnedError} If another owner controls the object; or if it has no controller owner, the field manager has not
 * applied it, and it may not be adopted.
 */
export function requireNotOthers(
  found: Cached<KubeObject>,
  resource: ResourceDescriptor,
  { owner, adopt, fieldManager, redact }: Claim,
): void {
  const what = `Cannot apply ${resource.kind} ${showJson(found.metadata.name)}`;
  const controller = controllerOf(found);
  if (owner !== undefined && controller !== undefined) {
    if (controller.uid === owner.object.metadata.uid) return;
    const ours = controllerReference(owner.object, owner.resource);
    throw new NotOwnedError(redact(otherController(what, controller, ours)));
  }
  if (adopt || isManagedBy(found, fieldManager)) return;
  throw new NotOwnedError(redact(
    `${what}: it exists already, and ` +
      (controller === undefined ? "no owner controls it" : `${nameOf(controller)} controls it`) +
      `, nor has the field manager "${fieldManager}" applied it. ` +
      "Give yours another name, delete it, or take it over with { adopt: true }",
  ));
}

/** Reports whether a field manager has written an object. */
function isManagedBy(object: Cached<KubeObject>, fieldManager: string): boolean {
  return managerEntries(object).some(({ manager, subresource }) =>
    manager === fieldManager && !subresource
  );
}

function otherController(
  what: string,
  controller: OwnerReference,
  owner: OwnerReference,
): string {
  return `${what}: it is controlled by ${nameOf(controller)}, not by ${nameOf(owner)}. ` +
    "Give it another name, or pass { owner: false } to apply fields to it without owning it";
}

function nameOf({ kind, name, uid }: OwnerReference): string {
  return `${kind} "${name}" (uid ${uid})`;
}
