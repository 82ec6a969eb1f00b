import { apiVersionOf, type KubeObject, resourceName } from "@kubeloop/controller/types";
import { canonical, encodeMessage, type KindInfo, prune } from "../schema/mod.ts";
import { cloneJson, encodeJson, type Json, type JsonObject } from "../../values/mod.ts";
import {
  ALL_VERBS,
  type Conversion,
  type KindRecord,
  type ResourceDefinition,
  type SubresourceDefinition,
} from "./record/mod.ts";
import { applyDefaults } from "./defaults.ts";
import { recordOf } from "./record_of.ts";
import type { StoredObject } from "../storage/mod.ts";

/** The webhook that converts the objects of a custom resource between its versions. */
export interface ConversionWebhook {
  /** The `spec.conversion.webhook` of the CustomResourceDefinition. */
  readonly config: JsonObject;
  /** The version of the reviews: the first in the webhook's list that the server knows. */
  readonly reviewVersion: string;
}

/** How objects are read that were stored under an earlier schema of their resource. */
export interface Coercion {
  /** The revision of the change: objects that were written later are as the schema wants them. */
  readonly until: number;
  /** Returns an object in its own version, pruned and defaulted by the current schema. */
  readonly coerce: (object: KubeObject) => KubeObject;
}

/** One served version of a resource, with the encoding and conversion of its objects. */
export class ResourceInfo {
  /** The resource definition. */
  readonly definition: ResourceDefinition;
  /** The kind, which defaulting, strategies, validation and server-side apply take as their argument. */
  readonly kind: KindInfo;
  /** The `apiVersion` of the served objects. */
  readonly apiVersion: string;
  /** The full name of the store (`deployments.apps`), which all versions of a resource share. */
  readonly storageName: string;
  /** Whether a CustomResourceDefinition defines the resource. */
  readonly custom: boolean;
  /** The kind in the storage version: {@linkcode ResourceInfo.kind} unless the resource has a conversion. */
  readonly storageKind: KindInfo;
  /** The webhook that converts between the versions; undefined if the server converts itself. */
  readonly conversionWebhook: ConversionWebhook | undefined;
  /** Stored objects in the served version, converted by the webhook. */
  readonly #converted = new WeakMap<StoredObject, KubeObject>();
  /** The messages of stored objects of a built-in kind, in the served version. */
  readonly #messages = new WeakMap<StoredObject, Uint8Array>();
  readonly #conversion: Conversion | undefined;
  readonly #coercion: Coercion | undefined;
  /** The JSON prefix with `kind` and `apiVersion`, which items of a list of a built-in kind leave out. */
  readonly #prefix: string;

  /**
   * Creates the served version of a resource.
   *
   * @param storage The store, storage version and conversion, if objects are not stored in the served version.
   */
  constructor(
    definition: ResourceDefinition,
    kind: KindInfo,
    storage?: {
      name: string;
      kind: KindInfo;
      conversion?: Conversion | undefined;
      webhook?: ConversionWebhook | undefined;
      coercion?: Coercion | undefined;
    },
  ) {
    this.definition = definition;
    this.kind = kind;
    this.custom = kind.custom !== undefined;
    this.apiVersion = apiVersionOf(definition);
    this.storageName = storage?.name ?? resourceName(definition);
    this.storageKind = storage?.kind ?? kind;
    this.#conversion = storage?.conversion;
    this.#coercion = storage?.coercion;
    this.conversionWebhook = storage?.webhook;
    this.#prefix = `{"kind":"${kind.kind}","apiVersion":"${this.apiVersion}",`;
  }

  /** The API group. */
  get group(): string {
    return this.definition.group;
  }

  /** The plural name, as used in URLs. */
  get plural(): string {
    return this.definition.plural;
  }

  /** Whether the resource is namespaced. */
  get namespaced(): boolean {
    return this.definition.namespaced;
  }

  /** The record of the kind. */
  get record(): KindRecord {
    return recordOf(this.kind);
  }

  /** Reports whether the resource supports `verb`. */
  allows(verb: string): boolean {
    return (this.definition.verbs ?? ALL_VERBS).includes(verb);
  }

  /** Returns the definition of the subresource with that name. */
  subresource(name: string): SubresourceDefinition | undefined {
    return this.definition.subresources?.find((sub) => sub.name === name);
  }

  /** Encodes an object in the storage version as JSON. */
  readonly encodeStored = (object: KubeObject): string => write(object, this.storageKind);

  /**
   * Converts an object from the served version to the storage version. `before` is the stored object before an update.
   */
  toStorage(object: KubeObject, before?: StoredObject): KubeObject {
    const conversion = this.#conversion;
    const form = conversion === undefined ? object : conversion.toStorage(object, before?.parse());
    // The real server does this when it reads what it has stored: an apply can write fields that the schema does not
    // have, and the status has its defaults, too.
    return this.custom ? asStored(this.storageKind, form) : form;
  }

  /**
   * Reports whether a stored object can be read in the served version. It cannot until a webhook has converted it, and
   * {@linkcode ResourceInfo.keep} was called with the result.
   */
  isReadable(stored: StoredObject): boolean {
    return this.conversionWebhook === undefined || this.isServed(stored) ||
      this.#converted.has(stored);
  }

  /** Returns this resource for another server, which knows nothing that a webhook has converted. */
  unconverted(): ResourceInfo {
    const { conversionWebhook: webhook, storageName: name, storageKind: kind } = this;
    if (webhook === undefined) return this;
    const coercion = this.#coercion;
    return new ResourceInfo(this.definition, this.kind, { name, kind, webhook, coercion });
  }

  /** Keeps the served form of a stored object that a webhook has converted. */
  keep(stored: StoredObject, converted: KubeObject): void {
    this.#converted.set(stored, converted);
  }

  /** Keeps what a webhook has made of `original` for a copy of it, which has another revision. */
  keepCopy(copy: StoredObject, original: StoredObject): void {
    const converted = this.#converted.get(original);
    if (converted === undefined) return;
    const metadata = { ...converted.metadata, resourceVersion: String(copy.revision) };
    this.keep(copy, { ...converted, metadata });
  }

  /** Returns a new copy of a stored object, in the served version. It must be readable. */
  read(stored: StoredObject): KubeObject {
    if (this.conversionWebhook === undefined) return this.fromStorage(this.parse(stored));
    if (this.isServed(stored)) return this.parse(stored);
    const converted = this.#converted.get(stored);
    if (converted !== undefined) {
      return cloneJson(converted as unknown as Json) as unknown as KubeObject;
    }
    throw new TypeError(
      `Cannot read ${this.storageName} "${stored.key}" in ${this.apiVersion}: a webhook converts it. ` +
        "Read it by a request, or in the version in which it is stored",
    );
  }

  /** Reports whether an object was stored in another version than the one in which it would be stored now. */
  isOutdated(stored: StoredObject): boolean {
    return this.custom && !isIn(stored, apiVersionOf(this.storageKind));
  }

  /** Returns a new copy of a stored object, in the version in which it is stored. */
  parse(stored: StoredObject): KubeObject {
    const object = stored.parse();
    return this.#isCoerced(stored) ? this.#coercion!.coerce(object) : object;
  }

  #isCoerced({ revision }: StoredObject): boolean {
    return this.#coercion !== undefined && revision <= this.#coercion.until;
  }

  /** Reports whether an object is stored in the served version, so that nothing converts it. */
  isServed(stored: StoredObject): boolean {
    return isIn(stored, this.apiVersion);
  }

  /** Converts an object from the storage version to the served version. */
  fromStorage(object: KubeObject): KubeObject {
    return this.#conversion === undefined ? object : this.#conversion.fromStorage(object);
  }

  /** Encodes a stored object in the served version as JSON. */
  text(stored: StoredObject): string {
    const isServed = this.conversionWebhook === undefined
      ? this.#conversion === undefined
      : this.isServed(stored);
    if (isServed && !this.#isCoerced(stored)) return stored.text;
    return write(this.read(stored), this.kind);
  }

  /** Encodes a stored object as an item of a list. Items of built-in kinds have no `kind` and `apiVersion`. */
  itemText(stored: StoredObject): string {
    const text = this.text(stored);
    if (this.custom || !text.startsWith(this.#prefix)) return text;
    return "{" + text.slice(this.#prefix.length);
  }

  /**
   * Encodes a stored object of a built-in kind in the served version as a protobuf message.
   *
   * @param keep Whether the message is kept as long as the stored object, so that no other reader encodes it again.
   */
  message(stored: StoredObject, keep: boolean): Uint8Array {
    const kept = this.#messages.get(stored);
    if (kept !== undefined) return kept;
    const message = encodeMessage(this.read(stored) as unknown as JsonObject, this.kind.schema);
    if (keep) this.#messages.set(stored, message);
    return message;
  }

  /** Encodes an object in the served version as JSON. */
  encode(object: KubeObject): string {
    return write(object, this.kind);
  }

  /** Encodes the object of a bookmark: that of a built-in kind has the fields that are always encoded. */
  encodeBookmark(object: KubeObject): string {
    if (this.custom) return this.encode(object);
    const { schema } = this.kind;
    const whole = canonical(object as unknown as JsonObject, schema);
    return encodeJson(recordOf(this.kind).inBookmark?.(whole) ?? whole, schema);
  }
}

/** Reports whether a custom resource is stored in a version, with which its JSON begins. */
function isIn({ text }: StoredObject, apiVersion: string): boolean {
  return text.startsWith(`{"apiVersion":${JSON.stringify(apiVersion)},`);
}

/** Returns an object without the fields that the schema of a custom kind does not have, and with its defaults. */
export function asStored(kind: KindInfo, object: KubeObject): KubeObject {
  const { object: known } = prune(object as unknown as JsonObject, kind.custom!.schema);
  return applyDefaults(kind, known as unknown as KubeObject);
}

function write(object: KubeObject, { custom, schema }: KindInfo): string {
  // A canonical object has its keys in the order of the schema.
  return custom === undefined ? encodeJson(canonical(object, schema)) : encodeJson(object, schema);
}
