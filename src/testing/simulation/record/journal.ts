import type { KubeObject } from "@kubeloop/controller/types";
import type { ServerWrite } from "../../api_server/mod.ts";
import { History } from "./history.ts";
import { keyOf, Occurrences } from "./names.ts";

/** A write that the server has carried out, with a name such as `MODIFIED pods default/w-0 #2`. */
export interface Commit {
  readonly id: string;
  readonly write: ServerWrite;
}

/** A write, and who has made it. */
export interface WriteBy {
  /** The process, the neighbour, `user`, `garbage collector` or `the cluster`. */
  readonly by: string;
  /** The type of the watch event of the write. */
  readonly type: ServerWrite["type"];
  /** The full name of the resource. */
  readonly resource: string;
  /** The key of the object. */
  readonly key: string;
  /** Returns a copy of the object after the write; for DELETED, of its last state. */
  object(): KubeObject;
  /** Returns a copy of the object before the write; undefined for ADDED. */
  previous(): KubeObject | undefined;
}

/** The objects that are wanted, by step. */
export interface Wanted {
  /** The objects that exist when everything has settled after the step, and that were not deleted during it. */
  readonly during: ReadonlyMap<number, ReadonlySet<string>>;
  /** All objects that exist when everything has settled after the step. */
  readonly after: ReadonlyMap<number, ReadonlySet<string>>;
}

/** The writes of a run, with their writers. */
export class Journal {
  /** The history of the run. */
  readonly history: History;
  /** Numbers events of the same name. */
  readonly occurrences: Occurrences = new Occurrences();
  /** The newest write of each object, by resource and key. */
  readonly objects: Map<string, ServerWrite> = new Map();
  /** The writer of each version. */
  readonly writers: Map<number, string> = new Map();
  readonly #commits: Commit[] = [];
  readonly #writes: WriteBy[] = [];
  readonly #idByVersion = new Map<string, string>();
  readonly #versionById = new Map<string, string>();
  readonly #uids: Set<string>;

  /**
   * Starts a journal. `uids` belong to the objects of the start; `given` are the writes of the simulation's own objects.
   * Unless `isKept`, only the newest write of each object is kept.
   */
  constructor(
    now: () => number,
    uids: ReadonlySet<string>,
    given: readonly ServerWrite[],
    isKept = true,
  ) {
    for (const write of given) this.objects.set(objectName(write), write);
    this.history = new History(now, isKept);
    this.#uids = new Set(uids);
  }

  /** The writes, in order. */
  get commits(): readonly Commit[] {
    return this.#commits;
  }

  /** Enters a write, and who has made it; undefined for the cluster. */
  enter(write: ServerWrite, writer?: string): void {
    const { resourceVersion, type, uid } = write;
    if (writer !== undefined) this.writers.set(Number(resourceVersion), writer);
    const key = objectName(write);
    if (this.history.isKept) {
      const id = this.occurrences.next(`${type} ${plannedName(write)}`);
      this.#commits.push({ id, write });
      this.#idByVersion.set(resourceVersion, id);
      this.#versionById.set(id, resourceVersion);
      this.history.add({ kind: "committed", id, write });
    }
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

  /** Returns the writes with their writers, in order. */
  writes(): readonly WriteBy[] {
    for (const { write } of this.#commits.slice(this.#writes.length)) {
      const { name, namespace, resource, type } = write;
      this.#writes.push({
        by: this.writerOf(write),
        type,
        resource,
        key: keyOf(namespace, name),
        object: () => write.object(),
        previous: () => write.previous(),
      });
    }
    return this.#writes;
  }

  /** Returns the writer of a write. */
  readonly writerOf = ({ resourceVersion }: ServerWrite): string =>
    this.writers.get(Number(resourceVersion)) ?? "the cluster";

  /** Returns the number of objects of each kind that clients have created and deleted, as in `operator creates pods`. */
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

  /** Returns the objects that are wanted after each step. */
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
}

/** Returns {@linkcode objectName} with a star in place of the generated part, which depends on the seed. */
function plannedName(write: ServerWrite): string {
  if (!write.text.includes("generateName")) return objectName(write);
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
