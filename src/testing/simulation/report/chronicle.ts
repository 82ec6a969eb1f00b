import type { ServerWrite } from "../../api_server/mod.ts";
import {
  type CacheRead,
  type Details,
  givenObjects,
  isCompared,
  keyOf,
  type Known,
  type Moment,
  objectName,
  type Reconciling,
  type SentWrite,
} from "../record/mod.ts";
import type { RunRecord } from "../judge/mod.ts";
import { type Look, looksIn, serverRead } from "./looks.ts";

/** A version of an object, which a write has led to. */
export interface Version {
  /** The index of its moment. */
  readonly at: number;
  readonly atMs: number;
  readonly number: number;
  /** The resource and the key of the object. */
  readonly object: string;
  readonly write: ServerWrite;
  /** The writer. */
  by: string;
  /** The request of a process that led to this version. */
  act?: Act | undefined;
}

/** An object whose newest version a process did not know. */
export interface Stale {
  readonly object: string;
  /** The version that the process had received; undefined if it had not seen the object. */
  readonly knew: Given | undefined;
  /** The newest version. */
  readonly newest: Version;
  /** Whether the process itself has made all the versions that it did not know. */
  readonly isOwn: boolean;
  /** The line that read the old version from a cache, or from the server; undefined if it is not known. */
  readonly place?: string | undefined;
}

/** A version that a process has received. */
export interface Given extends Known {
  readonly number: number;
  readonly atMs: number;
}

/** A write or a call of the external world by a process. */
export interface Act {
  readonly at: number;
  readonly atMs: number;
  readonly process: string;
  /** The number of the life of the process: 1 is the first. */
  readonly life: number;
  /** The name of the act, such as `operator create pods default/w-0 #1`. */
  readonly id: string;
  /** The write; undefined for a call of the external world. */
  readonly write?: SentWrite | undefined;
  /** The version that the process knew of the object of the write. */
  readonly target?: Given | undefined;
  /** The line of the program that has sent it, and its callers; undefined if it is not known. */
  readonly place: string | undefined;
  /** The reconcile that has sent it; undefined if none has. */
  readonly reconcile: Reconciling | undefined;
  /** The number of further calls like it, which are left out. */
  readonly more: number;
  /** The objects whose newest version the process did not know then. */
  stale: readonly Stale[];
  /** The version that the write led to. */
  version?: Version | undefined;
}

/** A version that reached a process. */
export interface Sighting {
  readonly at: number;
  readonly atMs: number;
  readonly process: string;
  readonly life: number;
  readonly version: Version;
  /** Whether it came in a list or a get. */
  readonly isRead: boolean;
  /** The time since the write, in milliseconds; 0 if the process was not running at the time of the write. */
  readonly lateMs: number;
  /** The newest version at that time; undefined if the process has received it. */
  readonly behind: Version | undefined;
  /** The versions in between, which the process never sees. */
  readonly skipped: readonly Version[];
}

/** The knowledge of a process in its present life. */
interface Knowledge {
  life: number;
  sinceMs: number;
  readonly objects: Map<string, Given>;
  readonly resources: Set<string>;
  readonly namespaces: Set<string>;
}

/** The maximum number of stale objects of one act. */
const MAX_STALE = 20;

/** The writes and reads of a run in relation: the writer of each version, and the knowledge of each process. */
export class Chronicle {
  readonly moments: readonly Moment[];
  readonly versions: Version[] = [];
  readonly acts: Act[] = [];
  readonly sightings: Sighting[] = [];
  readonly #byObject = new Map<string, Version[]>();
  readonly #byNumber = new Map<number, Version>();
  readonly #knowledge = new Map<string, Knowledge>();
  readonly #details: Details | undefined;
  /** The resources of the objects of caches, as far as they are known. */
  readonly #resourceOf = new Map<object, string>();
  /** The reads of caches so far. */
  readonly #reads: CacheRead[] = [];
  readonly #readsOf = new Map<Reconciling, CacheRead[]>();
  readonly #lives: { readonly at: number; readonly process: string; readonly life: number }[] = [];

  constructor({ details, history: { moments }, writers }: RunRecord) {
    this.moments = moments;
    this.#details = details;
    const open = new Map<SentWrite, Act>();
    const reads = details?.reads.values() ?? [].values();
    const calls = details?.calls.values() ?? [].values();
    let read = reads.next();
    let call = calls.next();
    for (const [at, moment] of moments.entries()) {
      for (; !read.done && read.value.at <= at; read = reads.next()) this.#read(read.value);
      // The history has no moment for a repeated call, which has its place between two of them.
      for (let i = 1; !call.done && call.value.at <= at; call = calls.next(), i++) {
        const { atMs, more, text } = call.value;
        this.#act(at - 1 + i / (i + 1), atMs, call.value, text, more);
      }
      switch (moment.kind) {
        case "process":
          this.#live(at, moment.atMs, moment.process, moment.text);
          break;
        case "sent":
          open.set(moment.write, this.#act(at, moment.atMs, moment.write, moment.write.id));
          break;
        case "cloud":
          this.#act(at, moment.atMs, moment, moment.text);
          break;
        case "committed":
          this.#commit(at, moment.atMs, moment.write, writers);
          break;
        case "answered":
          if (moment.write.status < 300) this.#link(open.get(moment.write));
          break;
        case "seen":
        case "read":
          this.#give(at, moment);
          break;
        default:
      }
    }
  }

  /** Returns the versions of an object, in order. */
  versionsOf(object: string): readonly Version[] {
    return this.#byObject.get(object) ?? [];
  }

  /** Returns the versions of an object whose name may be generated, as in `pods default/web-*1` of an end state. */
  versionsLike(object: string): readonly Version[] {
    const prefix = /^(.*)\*\d+$/.exec(object)?.[1];
    return prefix === undefined
      ? this.versionsOf(object)
      : this.versions.filter((version) =>
        version.object.startsWith(prefix) &&
        version.write.object().metadata.generateName !== undefined
      );
  }

  /** Returns the last read of the object of a version by a process, and the version that it gave, if there was one. */
  lastRead(
    process: string,
    version: Version,
  ): { readonly place: string; readonly version: Version | undefined } | undefined {
    return this.#readOf(process, version.object, version);
  }

  /** The reconciles, in the order of their starts. */
  get reconciles(): readonly Reconciling[] {
    return this.#details?.reconciles ?? [];
  }

  /** Returns the objects that a reconcile has read up to a moment, each as it was read last. */
  looksOf(reconcile: Reconciling, upTo: number): ReadonlyMap<string, Look> {
    return looksIn(this.#readsOf.get(reconcile) ?? [], upTo, {
      resourceOf: ({ cache, name }) => this.#resourceOf.get(cache) ?? name,
      timeOf: (number) => this.#byNumber.get(number)?.atMs ?? 0,
    });
  }

  /** Returns the newest version of an object before a moment; undefined if it was not written in the run before. */
  newestAt(object: string, at: number): Version | undefined {
    return this.versionsOf(object).findLast((version) => version.at < at);
  }

  /** Returns the number of the life of a process at a moment. */
  lifeAt(process: string, at: number): number {
    return this.#lives.findLast((life) => life.process === process && life.at <= at)?.life ?? 1;
  }

  /** Returns the objects whose newest version a process does not know at the end, except its own writes. */
  staleAtEnd(process: string): readonly Stale[] {
    return this.#staleOf(process).filter(({ isOwn }) => !isOwn);
  }

  #knowledgeOf(process: string): Knowledge {
    let knowledge = this.#knowledge.get(process);
    if (knowledge === undefined) {
      knowledge = {
        life: 1,
        sinceMs: 0,
        objects: new Map(),
        resources: new Set(),
        namespaces: new Set(),
      };
      this.#knowledge.set(process, knowledge);
    }
    return knowledge;
  }

  #live(at: number, atMs: number, process: string, text: string): void {
    if (!text.startsWith("starts")) return;
    const knowledge = this.#knowledgeOf(process);
    if (text !== "starts") knowledge.life++;
    knowledge.sinceMs = atMs;
    knowledge.objects.clear();
    knowledge.resources.clear();
    knowledge.namespaces.clear();
    this.#lives.push({ at, process, life: knowledge.life });
  }

  #act(at: number, atMs: number, by: SentWrite | { process: string }, id: string, more = 0): Act {
    const { process } = by;
    const { life, objects } = this.#knowledgeOf(process);
    const write = "verb" in by ? by : undefined;
    const target = write &&
      objects.get(objectName(write));
    const stale = this.#staleOf(process);
    if (write !== undefined) this.#addOldRead(stale, process, write);
    const { place, reconcile } = this.#details?.originOf(id) ?? {};
    const act: Act = { at, atMs, process, life, id, write, target, place, reconcile, more, stale };
    this.acts.push(act);
    return act;
  }

  #commit(
    at: number,
    atMs: number,
    write: ServerWrite,
    writers: ReadonlyMap<number, string>,
  ): void {
    const number = Number(write.resourceVersion);
    const object = objectName(write);
    const by = writers.get(number) ?? "the cluster";
    const version: Version = { at, atMs, number, object, write, by };
    this.versions.push(version);
    this.#byNumber.set(number, version);
    const versions = this.#byObject.get(object);
    if (versions === undefined) this.#byObject.set(object, [version]);
    else versions.push(version);
  }

  /** Finds the version that a write has led to. */
  #link(act: Act | undefined): void {
    if (act?.write === undefined) return;
    const { name, namespace, process, resource, version } = act.write;
    const found = this.versions.findLast((other) => {
      if (other.at < act.at || other.act !== undefined) return false;
      if (version > 0) return other.number === version;
      const { write } = other;
      return write.resource === resource && write.name === name && write.namespace === namespace &&
        (other.by === process || other.by === "the cluster");
    });
    if (found === undefined) return;
    found.act = act;
    found.by = process;
    act.version = found;
    // One delete may mark the object as terminating and then remove it.
    const before = this.versionsOf(found.object).at(-2);
    if (before !== undefined && before.at > act.at && before.by === process) before.act ??= act;
    this.#addNews(act, found);
    // The last write of another client between the request and its commit.
    const between = this.versionsOf(found.object).findLast((other) =>
      other.at > act.at && other.at < found.at && other.by !== process
    );
    if (between === undefined) return;
    act.stale = [
      { object: found.object, knew: act.target, newest: between, isOwn: false },
      ...act.stale.filter(({ object }) => object !== found.object),
    ];
  }

  /** Returns the objects whose newest version a process does not know. */
  #staleOf(process: string): Stale[] {
    const { life, namespaces, objects, resources } = this.#knowledgeOf(process);
    const out: Stale[] = [];
    for (const [object, versions] of this.#byObject) {
      const newest = versions.at(-1)!;
      const { namespace, resource, type } = newest.write;
      if (!resources.has(resource) || !isCompared(resource)) continue;
      const knew = objects.get(object);
      if (knew === undefined) {
        if (type === "DELETED" || (namespaces.size > 0 && !namespaces.has(namespace))) continue;
      } else if (knew.number >= newest.number || (isGone(knew) && type === "DELETED")) continue;
      const isOwn = versions.every(({ act, by, number }) =>
        (by === process && (act === undefined || act.life === life)) ||
        (knew !== undefined && number <= knew.number)
      );
      const place = this.#readOf(process, object, newest)?.place;
      out.push({ object, knew, newest, isOwn, place });
      if (out.length >= MAX_STALE) break;
    }
    return out;
  }

  /** Adds other objects that other clients have changed between a request and its commit. */
  #addNews(act: Act, { at, object: own }: Version): void {
    const { objects } = this.#knowledgeOf(act.process);
    for (const newest of this.versions.filter((other) => other.at > act.at && other.at < at)) {
      const { by, number, object } = newest;
      const knew = objects.get(object);
      if (object === own || by === act.process || knew === undefined || knew.number >= number) {
        continue;
      }
      const place = this.#readOf(act.process, object, newest)?.place;
      const others = act.stale.filter((stale) => stale.object !== object);
      act.stale = [...others, { object, knew, newest, isOwn: false, place }];
    }
  }

  /**
   * Adds the object of a write if the program has last read an old version of it from a cache, although the process has
   * received a newer one since.
   */
  #addOldRead(stale: Stale[], process: string, write: SentWrite): void {
    const object = objectName(write);
    const newest = this.versionsOf(object).at(-1);
    if (newest === undefined || stale.some((other) => other.object === object)) return;
    const { place, version } = this.#readOf(process, object, newest) ?? {};
    if (place === undefined || version === undefined || version.number >= newest.number) return;
    const { atMs, number } = version;
    const knew = { type: version.write.type, object: version.write.object(), number, atMs };
    const { life } = this.#knowledgeOf(process);
    const isOwn = newest.by === process && newest.act?.life === life;
    stale.push({ object, knew, newest, isOwn, place });
  }

  #read(read: CacheRead): void {
    this.#keep(read);
    if (this.#resourceOf.has(read.cache)) return;
    const version = this.#byNumber.get(Number(read.objects[0]?.metadata.resourceVersion));
    if (version !== undefined) this.#resourceOf.set(read.cache, version.write.resource);
  }

  #keep(read: CacheRead): void {
    if (read.place !== undefined) this.#reads.push(read);
    if (read.reconcile === undefined) return;
    const reads = this.#readsOf.get(read.reconcile);
    if (reads === undefined) this.#readsOf.set(read.reconcile, [read]);
    else reads.push(read);
  }

  /** Returns the last read of an object by the present life of a process, and the version that it gave, if there was one. */
  #readOf(
    process: string,
    object: string,
    newest: Version,
  ): { readonly place: string; readonly version: Version | undefined } | undefined {
    const { name, namespace, resource } = newest.write;
    const key = keyOf(namespace, name);
    const since = this.#lives.findLast((life) => life.process === process)?.at ?? 0;
    for (let i = this.#reads.length - 1; i >= 0; i--) {
      const read = this.#reads[i]!;
      if (read.at < since) return undefined;
      if (read.process !== process) continue;
      if ((this.#resourceOf.get(read.cache) ?? read.name) !== resource) continue;
      if (read.key !== undefined && read.key !== key) continue;
      const found = read.objects.find(({ metadata }) =>
        metadata.name === name && (metadata.namespace ?? "") === namespace
      );
      const version = this.#byNumber.get(Number(found?.metadata.resourceVersion));
      return { place: read.place!, version: version?.object === object ? version : undefined };
    }
    return undefined;
  }

  /** Keeps a read from the server, as one of a cache. */
  #keepRead(at: number, moment: Moment & { kind: "read" }, given: readonly Known[]): void {
    const { place, reconcile } = this.#details?.originOf(moment.id) ?? {};
    if (place === undefined && reconcile === undefined) return;
    this.#keep({ ...serverRead(moment, given), at, place, reconcile });
  }

  #give(at: number, moment: Moment & { kind: "seen" | "read" }): void {
    const { atMs, kind, process, resource } = moment;
    const knowledge = this.#knowledgeOf(process);
    knowledge.resources.add(resource);
    const all = givenObjects(moment);
    if (moment.kind === "read") this.#keepRead(at, moment, all);
    for (const given of all) {
      const { metadata } = given.object;
      const number = Number(metadata.resourceVersion);
      if (metadata.name === undefined) continue;
      knowledge.namespaces.add(metadata.namespace ?? "");
      const object = `${resource} ${keyOf(metadata.namespace ?? "", metadata.name)}`;
      const before = knowledge.objects.get(object);
      knowledge.objects.set(object, { ...given, number, atMs });
      const version = this.#byNumber.get(number);
      if (version === undefined || before?.number === number) continue;
      const versions = this.versionsOf(object);
      const newest = versions.at(-1);
      this.sightings.push({
        at,
        atMs,
        process,
        life: knowledge.life,
        version,
        isRead: kind === "read",
        lateMs: version.atMs >= knowledge.sinceMs ? atMs - version.atMs : 0,
        behind: newest === version ? undefined : newest,
        skipped: before === undefined
          ? []
          : versions.filter((other) => other.number > before.number && other.number < number),
      });
    }
  }
}

function isGone({ type }: Known): boolean {
  return type === "DELETED";
}
