import { parseJson } from "@kubeloop/controller/internal/base";
import type { KubeObject } from "@kubeloop/controller/types";
import type { ServerWrite } from "../../api_server/mod.ts";
import { History } from "./history.ts";
import { keyOf, Occurrences } from "./names.ts";

/** A write that the server has carried out, with its name, as in `MODIFIED pods default/w-0 #2`. */
export interface Commit {
  readonly id: string;
  readonly write: ServerWrite;
}

/** The objects that are wanted, by step. */
export interface Wanted {
  /** Those that exist when everything has settled after the step, and that nobody has deleted meanwhile. */
  readonly during: ReadonlyMap<number, ReadonlySet<string>>;
  /** All that exist when everything has settled after the step. */
  readonly after: ReadonlyMap<number, ReadonlySet<string>>;
}

/** What the server has carried out in a run, and who has asked for it. */
export class Journal {
  /** Everything that happened, for the story. */
  readonly history: History;
  /** Names what happens. */
  readonly occurrences: Occurrences = new Occurrences();
  /** The newest state of each object that was written or given, by resource and key. */
  readonly objects: Map<string, ServerWrite> = new Map();
  /** Who has made the write of each version. */
  readonly writers: Map<number, string> = new Map();
  readonly #commits: Commit[] = [];
  readonly #idByVersion = new Map<string, string>();
  readonly #versionById = new Map<string, string>();
  readonly #uids: Set<string>;

  /** Starts a journal. `uids` are those of the objects that exist already, `given` those that the simulation gives. */
  constructor(now: () => number, uids: ReadonlySet<string>, given: readonly ServerWrite[]) {
    for (const write of given) this.objects.set(objectName(write), write);
    this.history = new History(now);
    this.#uids = new Set(uids);
  }

  /** The writes, in order. */
  get commits(): readonly Commit[] {
    return this.#commits;
  }

  /** Enters a write. */
  enter(write: ServerWrite): void {
    const { resourceVersion, type, uid } = write;
    const key = objectName(write);
    const id = this.occurrences.next(`${type} ${plannedName(write)}`);
    this.#commits.push({ id, write });
    this.#idByVersion.set(resourceVersion, id);
    this.#versionById.set(id, resourceVersion);
    this.history.add({ kind: "committed", id, write });
    if (type === "DELETED") {
      this.objects.delete(key);
      this.#uids.delete(uid);
    } else {
      this.objects.set(key, write);
      this.#uids.add(uid);
    }
  }

  /** Returns the name of the commit of a version, if it was made in this run. */
  idOf(version: string): string | undefined {
    return this.#idByVersion.get(version);
  }

  /** Returns the version that a commit has led to, if there was one of that name. */
  versionOf(id: string): string | undefined {
    return this.#versionById.get(id);
  }

  /** Reports whether an object with that UID exists. */
  exists(uid: string): boolean {
    return this.#uids.has(uid);
  }

  /**
   * Notes who has made the write that `answer`, the body of an answer, is the result of. The first to be answered with a
   * version is its writer. Returns the version, or 0 if the answer names none.
   */
  attribute(answer: string, writer: string): number {
    let read: { details?: { uid?: string }; metadata?: KubeObject["metadata"] };
    try {
      read = parseJson(answer) as typeof read;
    } catch {
      return 0; // The answer of a subresource may be anything.
    }
    const { details, metadata } = read;
    // The answer to a delete names no version.
    if (details?.uid !== undefined) this.#attributeDelete(details.uid, writer);
    // Nor does that to the write that takes the last finalizer away name the version of the deletion.
    if (metadata?.deletionTimestamp !== undefined && !metadata.finalizers?.length) {
      this.#attributeDelete(metadata.uid ?? "", writer);
    }
    const version = metadata?.resourceVersion;
    if (typeof version !== "string") return 0;
    this.#attributeVersion(Number(version), writer);
    return Number(version);
  }

  /** Returns who has made a write. */
  readonly writerOf = ({ resourceVersion }: ServerWrite): string =>
    this.writers.get(Number(resourceVersion)) ?? "the cluster";

  /** Returns how many objects of each kind somebody has created and deleted, as in `operator creates pods`. */
  counts(isCounted: (who: string) => boolean): ReadonlyMap<string, number> {
    const out = new Map<string, number>();
    for (const { write } of this.#commits) {
      const who = this.writerOf(write);
      if (write.type === "MODIFIED" || !isCounted(who)) continue;
      const what = `${who} ${write.type === "ADDED" ? "creates" : "deletes"} ${write.resource}`;
      out.set(what, (out.get(what) ?? 0) + 1);
    }
    return out;
  }

  /** Returns which objects are wanted, for each step. */
  wanted(): Wanted {
    const out = { during: new Map<number, Set<string>>(), after: new Map<number, Set<string>>() };
    const live = new Set<string>();
    let deleted = new Set<string>();
    let steps: number[] = [];
    const close = () => {
      const kept = new Set([...live].filter((key) => !deleted.has(key)));
      for (const step of steps) {
        out.during.set(step, kept);
        out.after.set(step, new Set(live));
      }
      steps = [];
      deleted = new Set();
    };
    for (const moment of this.history.moments) {
      if (moment.kind === "step") steps.push(moment.index);
      if (moment.kind === "settled") close();
      if (moment.kind !== "committed") continue;
      const key = objectName(moment.write);
      if (moment.write.type !== "DELETED") {
        live.add(key);
        continue;
      }
      live.delete(key);
      deleted.add(key);
    }
    close();
    return out;
  }

  #attributeVersion(version: number, writer: string): void {
    if (!this.writers.has(version)) this.writers.set(version, writer);
  }

  #attributeDelete(uid: string, writer: string): void {
    const deleted = this.#commits.findLast(({ write }) =>
      write.type === "DELETED" && write.uid === uid
    );
    if (deleted !== undefined) {
      this.#attributeVersion(Number(deleted.write.resourceVersion), writer);
    }
  }
}

/** As {@linkcode objectName}, but with a star in place of what the server has made up, which depends on the seed. */
function plannedName(write: ServerWrite): string {
  const { generateName } = write.object().metadata;
  const isGenerated = generateName !== undefined && write.name.startsWith(generateName);
  return objectName(isGenerated ? { ...write, name: `${generateName}*` } : write);
}

/** Returns the name of an object with its resource, as in `pods default/w-0`. */
export function objectName(
  { name, namespace, resource }: Pick<ServerWrite, "name" | "namespace" | "resource">,
): string {
  return `${resource} ${keyOf(namespace, name)}`;
}
