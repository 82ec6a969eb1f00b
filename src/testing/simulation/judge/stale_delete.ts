import { parseJson, showJson } from "@kubeloop/controller/internal/base";
import type { KubeObject } from "@kubeloop/controller/types";
import type { ServerWrite } from "../../api_server/mod.ts";
import {
  type Commit,
  type History,
  type Journal,
  keyOf,
  type Known,
  lastKnown,
  type SentWrite,
} from "../record/mod.ts";

/** The age of a change that a process need not know yet, in milliseconds: users may change an object at any time. */
const NEWS_MS = 5000;

/**
 * Returns why a delete was made on stale knowledge, or undefined if it was not. A delete is stale if it names the object
 * without a precondition and the process did not know the desired state of the object's owner.
 */
export function staleDelete(write: SentWrite, journal: Journal): string | undefined {
  if (hasPreconditions(write.body)) return undefined;
  const key = keyOf(write.namespace, write.name);
  const last = journal.commits.findLast(({ write: { name, namespace, resource } }) =>
    resource === write.resource && keyOf(namespace, name) === key
  );
  if (last === undefined) return undefined;
  for (const owner of ownersOf(last.write, journal)) {
    const why = whyStale(write, owner, journal);
    if (why !== undefined) {
      return `${write.process} deletes ${write.resource} ${key} by its name, ${why}`;
    }
  }
  return undefined;
}

/** Returns how the process's knowledge of the owner was out of date; undefined if it was not. */
function whyStale(
  { process }: SentWrite,
  newest: Commit,
  { history }: Journal,
): string | undefined {
  const { name, namespace, resource } = newest.write;
  const known = lastKnown(history, process, resource, newest.write);
  if (known === undefined ? !hasAsked(history, process, resource) : isSame(known, newest.write)) {
    return undefined;
  }
  const committed = history.moments.findLast((moment) =>
    moment.kind === "committed" && moment.id === newest.id
  );
  if (committed === undefined || history.nowMs - committed.atMs < NEWS_MS) return undefined;
  const owner = `${resource} ${keyOf(namespace, name)}`;
  const now = newest.write.object();
  const version = `version ${now.metadata.resourceVersion}`;
  const because = known === undefined
    ? `since it knows of no ${owner}. At ${version} there is one, ${shown(now)}`
    : known.type === "DELETED"
    ? `since it knows of ${owner} that it is deleted. At ${version} there is one again, ${
      shown(now)
    }`
    : `because of ${owner} at version ${known.object.metadata.resourceVersion} (${
      shown(known.object)
    }). Since ${version} that is ${shown(now)}`;
  return `${because}, and the deleted object is wanted. A precondition with the UID, or a read of the owner from the server, would have prevented it`;
}

/**
 * Returns the newest writes of the owners that exist. An object without owner references may be owned by name: its
 * name, a label or an annotation contains the name of an object that a user has created.
 */
function ownersOf(owned: ServerWrite, { commits, writerOf }: Journal): Commit[] {
  const { annotations = {}, labels = {}, name = "", ownerReferences } = owned.object().metadata;
  const newest = new Map<string, Commit>();
  for (const commit of commits) {
    const { write } = commit;
    if (write === owned || (write.namespace !== owned.namespace && write.namespace !== "")) {
      continue;
    }
    newest.set(`${write.resource} ${write.name}`, commit);
  }
  return [...newest.values()].filter(({ write }) => write.type !== "DELETED").filter(
    ({ write }) => {
      if (ownerReferences !== undefined) {
        const { kind } = write.object();
        return ownerReferences.some((owner) => owner.name === write.name && owner.kind === kind);
      }
      if (write.resource === owned.resource) return false;
      const isNamed = name.startsWith(`${write.name}-`) || name === write.name ||
        [...Object.values(labels), ...Object.values(annotations)].includes(write.name);
      return isNamed &&
        commits.some((commit) =>
          commit.write.uid === write.uid && writerOf(commit.write) === "user"
        );
    },
  );
}

/** Reports whether a process has listed the objects of a kind in its current life. */
function hasAsked({ moments }: History, process: string, resource: string): boolean {
  const start = moments.findLastIndex((moment) =>
    moment.kind === "process" && moment.process === process && /^starts/.test(moment.text)
  );
  return moments.slice(start).some((moment) =>
    moment.kind === "read" && moment.process === process && moment.resource === resource &&
    moment.verb === "list" && moment.status === 200
  );
}

function hasPreconditions(body: string): boolean {
  try {
    const { resourceVersion, uid } =
      (parseJson(body) as { preconditions?: KubeObject["metadata"] }).preconditions ??
        {};
    return resourceVersion !== undefined || uid !== undefined;
  } catch {
    return false;
  }
}

/** Reports whether a process knows the object itself and its newest spec. */
function isSame({ object: known, type }: Known, newest: ServerWrite): boolean {
  const now = newest.object();
  return type !== "DELETED" && known.metadata.uid === now.metadata.uid &&
    known.metadata.deletionTimestamp === now.metadata.deletionTimestamp &&
    showJson(specOf(known)) === showJson(specOf(now));
}

function specOf(object: KubeObject): unknown {
  const { metadata: _, status: __, apiVersion: ___, kind: ____, ...rest } = object as KubeObject & {
    status?: unknown;
  };
  return rest;
}

function shown(object: KubeObject): string {
  const text = showJson(specOf(object));
  return text.length > 100 ? `${text.slice(0, 99)}…` : text;
}
