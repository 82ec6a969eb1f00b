import type { KubeObject } from "@kubeloop/controller/types";

/**
 * One version of one object as it lies in the storage: its text, and the few facts that lookups need. It is never
 * changed; what reads it parses the text anew, so that nobody can reach another's copy.
 */
export class StoredObject {
  /** `namespace/name`, or the name alone for cluster-scoped objects; lists are ordered by it. */
  readonly key: string;
  /** The object's namespace; empty for cluster-scoped objects. */
  readonly namespace: string;
  /** The object's name. */
  readonly name: string;
  /** The object's uid. */
  readonly uid: string;
  /** The revision that wrote this version. */
  readonly revision: number;
  /** The object's labels, frozen. */
  readonly labels: Readonly<Record<string, string>> | undefined;
  /** The object as JSON, in the storage version. */
  readonly text: string;

  /** Keeps `text`, which is `object` encoded. */
  constructor(object: KubeObject, revision: number, text: string) {
    const { metadata } = object;
    this.namespace = metadata.namespace ?? "";
    this.name = metadata.name ?? "";
    this.key = objectKey(this.namespace, this.name);
    this.uid = metadata.uid ?? "";
    this.revision = revision;
    this.labels = metadata.labels === undefined ? undefined : Object.freeze(metadata.labels);
    this.text = text;
  }

  /** A fresh copy of the object. */
  parse(): KubeObject {
    return JSON.parse(this.text) as KubeObject;
  }
}

/** The key of an object. */
export function objectKey(namespace: string, name: string): string {
  return namespace === "" ? name : `${namespace}/${name}`;
}
