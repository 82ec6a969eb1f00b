import type { Act, Stale, Version } from "./chronicle.ts";
import { describeChange, describeFields, describeState } from "./object_diff.ts";

/** Returns a virtual time: `91.01 s`. */
export function timeOf(ms: number): string {
  return `${(ms / 1000).toFixed(2)} s`;
}

/** Returns an object without the group of its resource: `widgets default/w`. */
export function plainName(object: string): string {
  return object.replace(/^([^ .]+)\.[^ ]+ /, "$1 ");
}

/** Returns the name of a process, with its life if it is not the first. */
export function lifeName(process: string, life: number): string {
  return life === 1 ? process : `${process} (life ${life})`;
}

/** Returns the writer of a version. */
export function writerName({ act, by }: Version): string {
  return act === undefined ? by : lifeName(act.process, act.life);
}

/** Returns the name of an act without the process: `create configmaps default/w-0 #2`. */
export function actName({ id, process }: Act): string {
  return id.startsWith(`${process} `) ? id.slice(process.length + 1) : id;
}

const VERBS: Readonly<Record<Version["write"]["type"], string>> = {
  ADDED: "creates",
  MODIFIED: "changes",
  DELETED: "deletes",
};

/** Returns the verb of a version. A delete may wait for finalizers or for a grace period. */
export function verbOf({ write }: Version): string {
  if (write.type === "MODIFIED") {
    const before = write.previous()?.metadata.deletionTimestamp;
    const after = write.object().metadata.deletionTimestamp;
    if (before === undefined && after !== undefined) return "begins to delete";
  }
  return VERBS[write.type];
}

/** Returns the change of a version, or the fields of a new object; empty if there is none. */
export function contentOf(version: Version): string {
  const { write } = version;
  const previous = write.previous();
  if (verbOf(version) !== "creates" && verbOf(version) !== "changes") return "";
  return previous === undefined
    ? describeFields(write.object())
    : describeChange(previous, write.object());
}

/** Returns a version in words: `operator changes widgets default/w (spec.size: 3 → 1)`. */
export function describeVersion(version: Version): string {
  const content = contentOf(version);
  return `${writerName(version)} ${verbOf(version)} ${plainName(version.object)}${
    content === "" ? "" : ` (${content})`
  }`;
}

/** Describes stale knowledge: `acted on widgets default/w version 36 (size: 1), while version 43 (size: 3) was true`. */
export function describeStale(stale: Stale): string {
  const text = stale.isOwn ? describeUnread(stale) : describeOutdated(stale);
  return stale.place === undefined ? text : `${text}. It was last read at ${stale.place}`;
}

/** Describes an own write that a process has not read yet. */
function describeUnread({ knew, newest, object }: Stale): string {
  const content = newest.write.type === "ADDED" ? "" : contentOf(newest);
  const what = newest.write.type === "DELETED" ? "own delete" : "own write";
  const still = knew === undefined || knew.type === "DELETED"
    ? "did not have the object yet"
    : `still had version ${knew.number}`;
  return `had not yet read its ${what} of ${plainName(object)} (version ${newest.number}${
    content === "" ? "" : `, ${content}`
  }): its cache ${still}`;
}

function describeOutdated({ knew, newest, object }: Stale): string {
  const name = plainName(object);
  const now = newest.write.object();
  const isDeleted = newest.write.type === "DELETED";
  const since = `since ${timeOf(newest.atMs)}`;
  if (knew === undefined || knew.type === "DELETED") {
    const fields = describeFields(now);
    return `had not seen ${name}, which was there ${since} in version ${newest.number}${
      fields === "" ? "" : ` (${fields})`
    }`;
  }
  const before = describeState(knew.object, isDeleted ? undefined : now);
  const known = `acted on ${name} version ${knew.number}${before === "" ? "" : ` (${before})`}`;
  if (isDeleted) {
    return `${known}, while that object was deleted ${since} (version ${newest.number}, by ${
      writerName(newest)
    })`;
  }
  const isOther = knew.object.metadata.uid !== now.metadata.uid;
  const after = describeState(now, knew.object);
  return `${known}, while version ${newest.number}${
    after === "" ? "" : ` (${after})`
  } was true ${since}${isOther ? ", which is another object of that name" : ""}`;
}
