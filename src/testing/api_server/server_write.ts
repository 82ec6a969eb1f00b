import type { KubeObject } from "@kubeloop/controller/types";
import type { LogEntry, RequestAuthor } from "./storage/mod.ts";

/** A write that the API server has committed, or is about to commit. */
export interface ServerWrite {
  /** The type of the watch event of the write. */
  readonly type: "ADDED" | "MODIFIED" | "DELETED";
  /** The full name of the resource, as in `deployments.apps`. */
  readonly resource: string;
  /** The namespace of the object; empty for a cluster-scoped object. */
  readonly namespace: string;
  /** The name of the object. */
  readonly name: string;
  /** The UID of the object. */
  readonly uid: string;
  /** The resource version of the write. */
  readonly resourceVersion: string;
  /** The User-Agent of the request that made the write; undefined if the server made it by itself. */
  readonly client?: string | undefined;
  /** The sender of that request; undefined if the server made the write by itself. */
  readonly author?: RequestAuthor | undefined;
  /** The object after the write as JSON, in the storage version; for DELETED, its last state. */
  readonly text: string;
  /** Returns a copy of the object after the write; for DELETED, of its last state. */
  object(): KubeObject;
  /** Returns a copy of the object before the write, or undefined for ADDED. */
  previous(): KubeObject | undefined;
}

/** Returns the public form of an entry of the log of `resource`. */
export function serverWrite(resource: string, entry: LogEntry): ServerWrite {
  const { author, object, previous, revision, type } = entry;
  return {
    type,
    resource,
    namespace: object.namespace,
    name: object.name,
    uid: object.uid,
    resourceVersion: String(revision),
    client: author?.userAgent,
    author,
    text: object.text,
    object: () => object.parse(),
    previous: () => previous?.parse(),
  };
}
