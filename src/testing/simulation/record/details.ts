import type { History } from "./history.ts";
import { unnumbered } from "./names.ts";
import { callingPlace } from "./place.ts";

/** The part of an object that a read keeps. */
export interface ReadObject {
  readonly metadata: {
    readonly name?: string | undefined;
    readonly namespace?: string | undefined;
    readonly resourceVersion?: string | undefined;
  };
}

/** A read of an informer's cache. */
export interface CacheRead {
  /** The number of moments before it. */
  readonly at: number;
  readonly process: string;
  /** The cache, and the name of its informer: the full name of the resource, if the informer knows it. */
  readonly cache: object;
  readonly name: string;
  /** The key that was asked for; undefined for a list. */
  readonly key: string | undefined;
  readonly objects: readonly ReadObject[];
  /** The line that has read, and its callers; undefined if the library has read for a reconcile. */
  readonly place: string | undefined;
  /** The reconcile that has read; undefined if none has. */
  readonly reconcile?: Reconciling | undefined;
}

/** A reconcile of a process, by a controller of the library. */
export interface Reconciling {
  /** The number of moments before it. */
  readonly at: number;
  readonly atMs: number;
  readonly process: string;
  /** The name of the controller. */
  readonly controller: string;
  readonly key: string;
  /** The number of moments before its end, and its time and result; undefined if its process did not live to see it. */
  end?: { readonly at: number; readonly atMs: number; readonly error?: string } | undefined;
}

/** The origin of a write, a read or a call. */
export interface Origin {
  /** The line of the program, and its callers; undefined if it is not known. */
  readonly place: string | undefined;
  /** The reconcile; undefined if it is outside of one. */
  readonly reconcile?: Reconciling | undefined;
}

/** A call of the external world that was made before, with the same answer. */
export interface RepeatedCall {
  /** The number of moments before it. */
  readonly at: number;
  readonly atMs: number;
  readonly process: string;
  /** The name of the call, such as `operator calls get(a) #2`. */
  readonly text: string;
  /** The number of further calls like it that are not kept. */
  more: number;
}

const NO_ORIGIN: Origin = { place: undefined };

/** The maximum number of reads of caches that are kept. */
const MAX_READS = 20_000;
/** The maximum number of reconciles that are kept. */
const MAX_RECONCILES = 20_000;
/** The number of first repetitions of a call that are kept. The last one is kept, too. */
const FIRST_CALLS = 3;

/** Details that a run keeps only for a report: the lines of the program, and repeated calls. They change no trace. */
export class Details {
  readonly #history: History;
  readonly #origins = new Map<string, Origin>();
  readonly #reads: CacheRead[] = [];
  readonly #reconciles: Reconciling[] = [];
  readonly #calls = new Map<string, { first: RepeatedCall[]; last: RepeatedCall | undefined }>();

  constructor(history: History) {
    this.#history = history;
  }

  /** The reads of caches, in order. */
  get reads(): readonly CacheRead[] {
    return this.#reads;
  }

  /** The repeated calls, in order. */
  get calls(): readonly RepeatedCall[] {
    return [...this.#calls.values()]
      .flatMap(({ first, last }) => last === undefined ? first : [...first, last])
      .sort((a, b) => a.at - b.at || a.atMs - b.atMs);
  }

  /** The reconciles, in the order of their starts. */
  get reconciles(): readonly Reconciling[] {
    return this.#reconciles;
  }

  /** Returns the origin of a write, a read or a call. */
  originOf(id: string): Origin {
    return this.#origins.get(id) ?? NO_ORIGIN;
  }

  /** Records where a write, a read or a call comes from. */
  setOrigin(id: string, origin: Origin): void {
    this.#origins.set(id, origin);
  }

  /** Records a read of a cache by the function that calls. */
  read(read: Omit<CacheRead, "at" | "place">): void {
    const place = callingPlace();
    if (place === undefined && read.reconcile === undefined) return;
    if (this.#reads.length >= MAX_READS) this.#reads.splice(0, MAX_READS / 2);
    this.#reads.push({ ...read, at: this.#history.moments.length, place });
  }

  /** Records the start of a reconcile. */
  begin(reconcile: Pick<Reconciling, "process" | "controller" | "key">): Reconciling {
    if (this.#reconciles.length >= MAX_RECONCILES) this.#reconciles.splice(0, MAX_RECONCILES / 2);
    const { moments, nowMs } = this.#history;
    const begun: Reconciling = { ...reconcile, at: moments.length, atMs: nowMs };
    this.#reconciles.push(begun);
    return begun;
  }

  /** Records the end of a reconcile, with its error if it failed. */
  end(reconcile: Reconciling, error?: string): void {
    const { moments, nowMs } = this.#history;
    reconcile.end = { at: moments.length, atMs: nowMs, ...(error !== undefined && { error }) };
  }

  /** Records a call that was made before, with the same answer. `text` has no number. */
  repeat(process: string, id: string): void {
    const { moments, nowMs } = this.#history;
    const call = { at: moments.length, atMs: nowMs, process, text: id, more: 0 };
    const what = unnumbered(id);
    const known = this.#calls.get(what);
    if (known === undefined) this.#calls.set(what, { first: [call], last: undefined });
    else if (known.first.length < FIRST_CALLS) known.first.push(call);
    else {
      if (known.last !== undefined) known.first.at(-1)!.more++;
      known.last = call;
    }
  }
}
