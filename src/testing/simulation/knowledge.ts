import type { KubeObject } from "@kubeloop/controller/types";
import type { ServerWrite } from "../api_server/mod.ts";
import type { History, Moment, SentWrite } from "./history.ts";
import { keyOf } from "./identify.ts";
import type { Journal } from "./journal.ts";

/** A version of an object that a process has been given. */
export interface Known {
  readonly type: string;
  readonly object: KubeObject;
}

/**
 * Returns why a delete was made on stale knowledge, or undefined if it was not. It was if the object was deleted by its
 * name alone, and the process had not been given the newest version of the object's owner.
 */
export function staleDelete(
  write: SentWrite,
  { commits, history }: Journal,
): string | undefined {
  if (hasPreconditions(write.body)) return undefined;
  const key = keyOf(write.namespace, write.name);
  const last = commits.findLast(({ write: { name, namespace, resource } }) =>
    resource === write.resource && keyOf(namespace, name) === key
  );
  if (last === undefined) return undefined;
  const owners = last.write.object().metadata.ownerReferences ?? [];
  const at = Number(last.write.resourceVersion);
  for (const owner of owners) {
    const newest = commits.findLast(({ write: { name, namespace, object, resourceVersion } }) =>
      Number(resourceVersion) < at && name === owner.name &&
      (namespace === write.namespace || namespace === "") && object().kind === owner.kind
    );
    if (newest === undefined) continue;
    const { resource } = newest.write;
    const known = lastKnown(history, write.process, resource, newest.write);
    if (known === undefined || isSame(known.object, newest.write)) continue;
    const now = newest.write.object();
    return `${write.process} deletes ${write.resource} ${key} by its name, because of ${resource} ${
      keyOf(newest.write.namespace, owner.name)
    } at version ${known.object.metadata.resourceVersion} (${
      shown(known.object)
    }). Since version ${now.metadata.resourceVersion} that is ${
      newest.write.type === "DELETED" ? "deleted" : shown(now)
    }, and the deleted object is wanted. A precondition with the UID, or a read of the owner from the server, would have prevented it`;
  }
  return undefined;
}

function hasPreconditions(body: string): boolean {
  try {
    const { resourceVersion, uid } = JSON.parse(body).preconditions ?? {};
    return resourceVersion !== undefined || uid !== undefined;
  } catch {
    return false;
  }
}

/** Reports whether a process knows what its user wants of an object: the object itself and its spec. */
function isSame(known: KubeObject, newest: ServerWrite): boolean {
  const now = newest.object();
  return newest.type !== "DELETED" && known.metadata.uid === now.metadata.uid &&
    known.metadata.deletionTimestamp === now.metadata.deletionTimestamp &&
    JSON.stringify(specOf(known)) === JSON.stringify(specOf(now));
}

function specOf(object: KubeObject): unknown {
  const { metadata: _, status: __, apiVersion: ___, kind: ____, ...rest } = object as KubeObject & {
    status?: unknown;
  };
  return rest;
}

function shown(object: KubeObject): string {
  const text = JSON.stringify(specOf(object));
  return text.length > 100 ? `${text.slice(0, 99)}…` : text;
}

/** Returns the last version of an object that a process has been given in its current life. */
export function lastKnown(
  { moments }: History,
  process: string,
  resource: string,
  { name, namespace }: { readonly name: string; readonly namespace: string },
): Known | undefined {
  for (let i = moments.length - 1; i >= 0; i--) {
    const moment = moments[i]!;
    if (moment.kind === "process" && moment.process === process && /^starts/.test(moment.text)) {
      return undefined;
    }
    if (moment.kind !== "seen" && moment.kind !== "read") continue;
    if (moment.process !== process || moment.resource !== resource) continue;
    const found = givenObjects(moment).findLast(({ object: { metadata } }) =>
      metadata.name === name && (metadata.namespace ?? "") === namespace
    );
    if (found !== undefined) return found;
  }
  return undefined;
}

const decoder = new TextDecoder();

/** Returns the objects that a process was given at a moment. */
export function givenObjects(moment: Moment): Known[] {
  if (moment.kind === "seen") {
    return decoder.decode(moment.bytes).split("\n").flatMap((line) => {
      if (line === "") return [];
      try {
        const { type, object } = JSON.parse(line);
        return object?.metadata?.name === undefined ? [] : [{ type, object }];
      } catch {
        return []; // A chunk that was cut.
      }
    });
  }
  if (moment.kind !== "read" || moment.status !== 200) return [];
  try {
    const answer = JSON.parse(moment.text);
    const objects: KubeObject[] = Array.isArray(answer.items) ? answer.items : [answer];
    return objects.map((object) => ({ type: "READ", object }));
  } catch {
    return [];
  }
}
