import {
  apiVersionOf,
  type KubeObject,
  type ResourceDescriptor,
  resourceName,
} from "@kubeloop/controller/types";
import { canonical, type KindInfo } from "../schema/mod.ts";
import { encodeJson } from "../values/mod.ts";
import { capabilities } from "./strategy/strategy.ts";
import type { StoredObject } from "../storage/mod.ts";

/** What a resource is, apart from the texts that follow from it. */
export interface ResourceDefinition extends ResourceDescriptor {
  /** The name of one, as in `pod`. */
  readonly singular: string;
  /** The kind of a list, as in `PodList`. */
  readonly listKind: string;
  /** What kubectl calls it for short. */
  readonly shortNames?: readonly string[];
  /** The groups of resources it is in, as in `all`. */
  readonly categories?: readonly string[];
  /** What can be done with it; default: everything. */
  readonly verbs?: readonly string[];
  /** Its subresources that are served. */
  readonly subresources?: readonly SubresourceDefinition[];
  /** What every answer warns of, when the version is deprecated. */
  readonly deprecation?: string;
  /** Whether its keys in continue tokens have no leading slash: it has no watch cache in the API server. */
  readonly uncached?: boolean;
}

/** A part of a resource with a path of its own. */
export interface SubresourceDefinition {
  /** The last part of the path. */
  readonly name: string;
  /** The kind it speaks; default: the resource's. */
  readonly kind?: string;
  /** The group of that kind. */
  readonly group?: string;
  /** The version of that kind. */
  readonly version?: string;
  /** What can be done with it. */
  readonly verbs: readonly string[];
}

/** How objects in the storage and objects in the served version are told from each other. */
export interface Conversion {
  /** From the storage version to the served one. */
  fromStorage(object: KubeObject): KubeObject;
  /** From the served version to the storage version. */
  toStorage(object: KubeObject): KubeObject;
}

/** Everything a resource version can do: all verbs. */
export const ALL_VERBS: readonly string[] = [
  "create",
  "delete",
  "deletecollection",
  "get",
  "list",
  "patch",
  "update",
  "watch",
];

/** One served version of a resource, with how its objects are written. */
export class ResourceInfo {
  /** What it is. */
  readonly definition: ResourceDefinition;
  /** What the pure modules know it by. */
  readonly kind: KindInfo;
  /** The `apiVersion` of its objects. */
  readonly apiVersion: string;
  /** The full name that its store goes by; versions of a resource share it. */
  readonly storageName: string;
  /** Whether it comes from a CustomResourceDefinition. */
  readonly custom: boolean;
  /** The kind as stored: {@linkcode ResourceInfo.kind} unless there is a conversion. */
  readonly storageKind: KindInfo;
  readonly #conversion: Conversion | undefined;
  /** The text that a stored object starts with and a list item lacks. */
  readonly #prefix: string;

  /** Describes `definition`, stored as `storage` says when it is not stored as it is served. */
  constructor(
    definition: ResourceDefinition,
    kind: KindInfo,
    storage?: { name: string; kind: KindInfo; conversion: Conversion },
  ) {
    this.definition = definition;
    this.kind = kind;
    this.custom = kind.custom !== undefined;
    this.apiVersion = apiVersionOf(definition);
    this.storageName = storage?.name ?? resourceName(definition);
    this.storageKind = storage?.kind ?? kind;
    this.#conversion = storage?.conversion;
    this.#prefix = `{"kind":"${kind.kind}","apiVersion":"${this.apiVersion}",`;
  }

  /** The API group. */
  get group(): string {
    return this.definition.group;
  }

  /** The name in URLs. */
  get plural(): string {
    return this.definition.plural;
  }

  /** Whether its objects live in namespaces. */
  get namespaced(): boolean {
    return this.definition.namespaced;
  }

  /** What writes may do. */
  get capabilities(): ReturnType<typeof capabilities> {
    return capabilities(this.kind);
  }

  /** Whether `verb` is served. */
  allows(verb: string): boolean {
    return (this.definition.verbs ?? ALL_VERBS).includes(verb);
  }

  /** The subresource of that name. */
  subresource(name: string): SubresourceDefinition | undefined {
    return this.definition.subresources?.find((sub) => sub.name === name);
  }

  /** Writes an object of the storage version. */
  readonly encodeStored = (object: KubeObject): string => write(object, this.storageKind);

  /** The object of the served version in the storage version. */
  toStorage(object: KubeObject): KubeObject {
    return this.#conversion === undefined ? object : this.#conversion.toStorage(object);
  }

  /** The stored object in the served version, as a fresh copy. */
  read(stored: StoredObject): KubeObject {
    return this.fromStorage(stored.parse());
  }

  /** A parsed object of the storage version in the served version. */
  fromStorage(object: KubeObject): KubeObject {
    return this.#conversion === undefined ? object : this.#conversion.fromStorage(object);
  }

  /** The stored object in the served version, as text. */
  text(stored: StoredObject): string {
    if (this.#conversion === undefined) return stored.text;
    return write(this.read(stored), this.kind);
  }

  /** The stored object as an item of a list, as text: built-in kinds leave out kind and apiVersion there. */
  itemText(stored: StoredObject): string {
    const text = this.text(stored);
    if (this.custom || !text.startsWith(this.#prefix)) return text;
    return "{" + text.slice(this.#prefix.length);
  }

  /** Writes any object of the served version. */
  encode(object: KubeObject): string {
    return write(object, this.kind);
  }

  /** Writes the object of a bookmark: only kind, apiVersion and metadata. */
  encodeBookmark(
    { kind, apiVersion, metadata: { resourceVersion, annotations } }: KubeObject,
  ): string {
    return encodeJson(
      this.custom
        ? { apiVersion, kind, metadata: { annotations, resourceVersion } }
        : { kind, apiVersion, metadata: { resourceVersion, annotations } },
    );
  }
}

function write(object: KubeObject, { custom, schema }: KindInfo): string {
  return encodeJson(custom === undefined ? canonical(object, schema) : object, schema);
}
