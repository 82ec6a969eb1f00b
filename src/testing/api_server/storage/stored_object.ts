import { readJson } from "../../values/mod.ts";
import type { KubeObject } from "@kubeloop/controller/types";

/**
 * One stored version of an object: its JSON text and the metadata that lookups need. It is immutable. Readers parse the
 * text again each time, so that no two readers share an object.
 */
export class StoredObject {
  /** The key: `namespace/name`, or the name alone for a cluster-scoped object. Lists are ordered by key. */
  readonly key: string;
  /** The namespace of the object; empty for a cluster-scoped object. */
  readonly namespace: string;
  /** The name of the object. */
  readonly name: string;
  /** The UID of the object. */
  readonly uid: string;
  /** The revision of the write that stored this version. */
  readonly revision: number;
  /** The labels of the object, frozen. */
  readonly labels: Readonly<Record<string, string>> | undefined;
  /** The object as JSON, in the storage version. */
  readonly text: string;
  /** The memory that the text takes, in bytes. */
  readonly bytes: number;

  /** Creates a stored version from an object and its encoded `text`. Freezes the labels of `object`. */
  constructor(object: KubeObject, revision: number, text: string) {
    const { metadata } = object;
    this.namespace = metadata.namespace ?? "";
    this.name = metadata.name ?? "";
    this.key = objectKey(this.namespace, this.name);
    this.uid = metadata.uid ?? "";
    this.revision = revision;
    this.labels = metadata.labels === undefined ? undefined : Object.freeze(metadata.labels);
    this.text = text;
    // Engines store a text with one character above U+00FF in two bytes per character.
    this.bytes = /[^\0-\xff]/.test(text) ? 2 * text.length : text.length;
  }

  /** Returns a new copy of the object, in the storage version. */
  parse(): KubeObject {
    return readJson<KubeObject>(this.text);
  }
}

/** Returns the key of an object; `namespace` is empty for a cluster-scoped object. */
export function objectKey(namespace: string, name: string): string {
  return namespace === "" ? name : `${namespace}/${name}`;
}
