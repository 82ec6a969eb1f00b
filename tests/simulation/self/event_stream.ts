import {
  DeletedFinalStateUnknown,
  deletionHandlingMetaNamespaceKeyFunc,
  type ResourceEventHandler,
} from "../../../src/cache/mod.ts";
import type { KubeObject } from "../../../src/types/mod.ts";
import type { HandlerPlan, InformerPlan } from "./plan.ts";
import type { Written } from "./written.ts";

/** The options and callbacks of a stream of events. */
export interface StreamContext {
  readonly name: string;
  readonly informer: InformerPlan;
  readonly handler: HandlerPlan;
  readonly written: Written;
  /** Reports something that must not be. */
  readonly wrong: (text: string) => void;
  /** Tells an event, for the story and the trace. */
  readonly tell: (text: string) => void;
  readonly sleep: (ms: number) => Promise<void>;
  /** Returns true when this call of the handler is to throw. */
  readonly throws: () => boolean;
  /** Called after each event with its key. */
  readonly onEvent: (key: string) => void;
}

/** The state in which the events of one object have left a handler. */
interface Known {
  readonly uid: string;
  readonly revision: number;
}

/**
 * A handler that checks its calls: for each object a valid sequence of one addition, any number of updates and
 * one deletion, from states that the server had, and never back in time.
 */
export class EventStream implements ResourceEventHandler<KubeObject> {
  readonly #context: StreamContext;
  readonly #known = new Map<string, Known>();
  /** The newest version of each object that was seen, after its deletion too. */
  readonly #newest = new Map<string, number>();
  readonly #gone = new Set<string>();
  /** How often each object was replayed. */
  readonly #replays = new Map<string, number>();
  #isCalled = false;
  #isOver = false;

  constructor(context: StreamContext) {
    this.#context = context;
  }

  /** The plan of the handler. */
  get plan(): HandlerPlan {
    return this.#context.handler;
  }

  /** Returns what the handler knows. */
  get known(): ReadonlyMap<string, Known> {
    return this.#known;
  }

  /** Forbids further calls: the handler was removed, or its informer has stopped. */
  end(): void {
    this.#isOver = true;
  }

  /** Returns how often an object was replayed since the last {@linkcode EventStream.forgetReplays}. */
  replaysOf(key: string): number {
    return this.#replays.get(key) ?? 0;
  }

  /** Counts replays from now on. */
  forgetReplays(): void {
    this.#replays.clear();
  }

  onAdd(obj: KubeObject, isInInitialList: boolean): void | Promise<void> {
    const { key, uid, revision } = this.#read("add", obj, true);
    if (this.#known.has(key)) this.#wrong(`${key} is added twice`);
    const newest = this.#newest.get(key);
    if (newest !== undefined && revision <= newest) {
      this.#wrong(`${key} is added at ${revision}, after it was seen at ${newest}`);
    }
    this.#appear(key, uid, revision);
    return this.#called(`add ${key} ${revision}${isInInitialList ? " (initial)" : ""}`, key);
  }

  onUpdate(old: KubeObject, obj: KubeObject): void | Promise<void> {
    const before = this.#read("update", old, false);
    const { key, uid, revision } = this.#read("update", obj, true);
    const known = this.#known.get(key);
    if (known === undefined) this.#wrong(`${key} is updated before it is added`);
    else if (known.revision !== before.revision || known.uid !== before.uid) {
      this.#wrong(`${key} is updated from ${before.revision}, but was last ${known.revision}`);
    }
    if (revision < before.revision) {
      this.#wrong(`${key} goes back from ${before.revision} to ${revision}`);
    }
    if (uid !== before.uid) {
      this.#gone.add(before.uid);
      this.#appear(key, uid, revision);
    } else if (revision === before.revision) {
      this.#replays.set(key, this.replaysOf(key) + 1);
    }
    this.#known.set(key, { uid, revision });
    this.#newest.set(key, revision);
    return this.#called(`update ${key} ${before.revision} to ${revision}`, key);
  }

  onDelete(obj: KubeObject | DeletedFinalStateUnknown<KubeObject>): void | Promise<void> {
    const isTombstone = DeletedFinalStateUnknown.is(obj);
    const last = isTombstone ? obj.obj : obj;
    if (last === undefined) {
      this.#wrong("a tombstone has no object");
      return;
    }
    const { key, uid, revision } = this.#read("delete", last, isTombstone);
    const known = this.#known.get(key);
    if (known === undefined) this.#wrong(`${key} is deleted without having been added`);
    else if (isTombstone && (known.revision !== revision || known.uid !== uid)) {
      this.#wrong(`the tombstone of ${key} shows ${revision}, but it was last ${known.revision}`);
    } else if (revision < known.revision) {
      this.#wrong(`${key} is deleted at ${revision}, after it was seen at ${known.revision}`);
    }
    this.#known.delete(key);
    this.#newest.set(key, Math.max(revision, this.#newest.get(key) ?? 0));
    if (known !== undefined) this.#gone.add(known.uid);
    this.#gone.add(uid);
    return this.#called(`delete ${key} ${revision}${isTombstone ? " (tombstone)" : ""}`, key);
  }

  #appear(key: string, uid: string, revision: number): void {
    // With a selector, an object leaves and comes back.
    const { informer } = this.#context;
    if (this.#gone.has(uid) && informer.labelSelector === undefined) {
      this.#wrong(`${key} comes back with the uid of a deleted object`);
    }
    this.#known.set(key, { uid, revision });
    this.#newest.set(key, revision);
  }

  /** Reads an object, and checks that the server has had it. */
  #read(verb: string, obj: KubeObject, isState: boolean): Known & { readonly key: string } {
    const { informer, written } = this.#context;
    const key = deletionHandlingMetaNamespaceKeyFunc(obj);
    const { uid = "", resourceVersion = "" } = obj.metadata;
    const revision = Number(resourceVersion);
    const version = written.at(informer.kind, key, revision);
    // A handler that missed the deletion and the object after it learns of both at the version of a later write.
    const isLate = verb === "delete" && version !== undefined && this.#known.get(key)?.uid === uid;
    if (!isLate && (version === undefined || version.uid !== uid)) {
      this.#wrong(`${verb} of ${key} at ${resourceVersion}, which the server never had`);
    } else if (version !== undefined && isState && informer.labelSelector === undefined) {
      const content = obj.metadata.annotations?.n ?? "";
      if (this.plan.wantsObjects && version.content !== content) {
        this.#wrong(`${verb} of ${key} at ${resourceVersion} shows ${content}`);
      }
    }
    return { key, uid, revision };
  }

  #called(text: string, key: string): void | Promise<void> {
    const { handler, name, onEvent, sleep, tell, throws } = this.#context;
    tell(`${name}: ${text}`);
    if (this.#isOver) this.#wrong(`is told after its end: ${text}`);
    if (this.#isCalled) this.#wrong(`is called while it is called: ${text}`);
    onEvent(key);
    if (handler.slowMs === undefined) {
      if (throws()) throw new Error("injected failure of a handler");
      return;
    }
    this.#isCalled = true;
    return sleep(handler.slowMs).then(() => {
      this.#isCalled = false;
      if (throws()) throw new Error("injected failure of a handler");
    });
  }

  #wrong(text: string): void {
    this.#context.wrong(`${this.#context.name}: ${text}`);
  }
}
