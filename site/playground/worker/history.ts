import type { ServerWrite } from "@kubeloop/testing";
import { isRecord } from "@kubeloop/controller/internal/base";
import type { KindRow, ObjectName, ObjectVersion } from "../protocol.ts";

/** The maximum number of versions of one object, and the maximum size of all versions, in characters. */
const MAX_VERSIONS = 30;
const MAX_CHARACTERS = 16 * 1024 * 1024;

interface Version extends Pick<ServerWrite, "type" | "resourceVersion" | "client" | "text"> {
  readonly key: string;
}

interface Kind {
  readonly apiVersion: string;
  readonly kind: string;
  count: number;
  isInitial: boolean;
}

/** The versions of the objects of a cluster, within bounds, and the kinds that have objects. */
export class History {
  readonly #versions = new Map<string, Version[]>();
  readonly #inOrder: Version[] = [];
  readonly #kinds = new Map<string, Kind>();
  #characters = 0;

  /** Adds an object of a new cluster. */
  addInitial(resource: string, text: string): void {
    this.#kindOf(resource, text).count++;
  }

  /** Adds a write. */
  add(write: ServerWrite): void {
    const { client, namespace, name, resource, resourceVersion, text, type } = write;
    const kind = this.#kindOf(resource, text);
    kind.isInitial = false;
    if (type === "ADDED") kind.count++;
    if (type === "DELETED") kind.count--;
    const key = keyOf({ resource, namespace, name });
    const version: Version = { key, type, resourceVersion, client, text };
    const versions = this.#versions.get(key) ?? [];
    this.#versions.set(key, versions);
    versions.push(version);
    this.#inOrder.push(version);
    this.#characters += text.length;
    while (this.#characters > MAX_CHARACTERS) this.#drop(this.#inOrder.shift()!);
    if (versions.length > MAX_VERSIONS) this.#drop(versions[0]!);
  }

  /** Returns the kinds that have objects, or had some. */
  kinds(): readonly KindRow[] {
    return [...this.#kinds].map(([resource, kind]) => ({ resource, ...kind }))
      .sort((a, b) => a.kind < b.kind ? -1 : 1);
  }

  /** Returns the kept versions of an object, the oldest first. */
  versionsOf(object: Pick<ObjectName, "resource" | "namespace" | "name">): ObjectVersion[] {
    return (this.#versions.get(keyOf(object)) ?? []).map((version) => ({
      type: version.type,
      resourceVersion: version.resourceVersion,
      ...(version.client !== undefined && { writer: version.client }),
      object: withoutManagedFields(JSON.parse(version.text)),
    }));
  }

  #drop(version: Version): void {
    const versions = this.#versions.get(version.key) ?? [];
    const index = versions.indexOf(version);
    if (index < 0) return; // Dropped before, because its object has had many versions.
    versions.splice(index, 1);
    if (versions.length === 0) this.#versions.delete(version.key);
    this.#characters -= version.text.length;
  }

  #kindOf(resource: string, text: string): Kind {
    const known = this.#kinds.get(resource);
    if (known !== undefined) return known;
    const { apiVersion = "", kind = "" } = JSON.parse(text) as Partial<Kind>;
    const added: Kind = { apiVersion, kind, count: 0, isInitial: true };
    this.#kinds.set(resource, added);
    return added;
  }
}

function keyOf({ name, namespace, resource }: Pick<ObjectName, "resource" | "namespace" | "name">) {
  return `${resource}/${namespace}/${name}`;
}

function withoutManagedFields(object: unknown): unknown {
  if (!isRecord(object) || !isRecord(object["metadata"])) return object;
  const { managedFields: _, ...metadata } = object["metadata"];
  return { ...object, metadata };
}
