import type { Environment } from "../../base/mod.ts";
import type { Cached, KubeObject, ResourceDescriptor } from "../../types/mod.ts";
import type { TransformFunc } from "../queue/mod.ts";
import type { HandlerSnapshot } from "./handler_registration.ts";
import type { Indexers } from "../store/mod.ts";
import type { InformerSnapshot } from "./informer.ts";
import type { ObjectRef } from "../compact/mod.ts";
import type { ReflectorTuning, WatchErrorHandler } from "../reflector/mod.ts";

/**
 * How an informer keeps its objects: `"plain"` as they are, parsed once; `"compact"` as bytes outside of the JavaScript heap,
 * parsed each time one is read.
 */
export type CacheKind = "plain" | "compact";

/**
 * What an informer hands to its handlers: the objects, or references to them from a compact cache.
 *
 * @typeParam T The interface of the objects.
 * @typeParam C The kind of the cache.
 */
export type Handed<T extends KubeObject, C extends CacheKind> = C extends "compact" ? ObjectRef<T>
  : Cached<T>;

/**
 * Options of a {@linkcode SharedInformer}.
 *
 * @typeParam T The interface of the objects.
 * @typeParam C The kind of the cache.
 */
export interface SharedInformerOptions<T extends KubeObject, C extends CacheKind = "plain">
  extends Environment, ReflectorTuning {
  /**
   * How the objects are kept. `"compact"` takes about half the CPU per event and two thirds of the memory if handlers need
   * little more than keys and few objects are read per event; if every object is read every time, it takes up to a quarter
   * more than `"plain"`. Handlers then get an {@linkcode ObjectRef}; the indexer and listers parse objects, a new one each
   * time. Index functions should be made by {@linkcode pathIndexFunc}: others, and a `transform`, cost a parse per event.
   * Default `"plain"`.
   */
  readonly cache?: C | undefined;
  /** The resource that is listed. Listers and log lines need it. Default: anything. */
  readonly resource?: ResourceDescriptor | undefined;
  /** The name in log lines and metrics. Default: the name of the resource. */
  readonly name?: string | undefined;
  /**
   * How often handlers are notified of everything again unless they ask for a period of their own, and how often the informer
   * checks which of them are due, in milliseconds. The server is not asked for anything. With the default, 0, no handler can
   * have resyncs.
   */
  readonly resyncPeriodMs?: number | undefined;
  /** The indices of the cache. Default: none. */
  readonly indexers?: Indexers<Cached<T>> | undefined;
  /**
   * Changes objects before they are cached, most often to save memory. It may be called twice with an object. It must leave
   * name and namespace alone: if it does not, they are restored, and the informer logs an error. Default: none.
   */
  readonly transform?: TransformFunc<T> | undefined;
  /** Called with failed lists and watches. Default: writes a log line. */
  readonly watchErrorHandler?: WatchErrorHandler | undefined;
  /**
   * Whether cached objects are frozen, so that a handler that changes one fails where it does so, instead of corrupting the
   * cache for everyone. For development and tests: it costs time. Nothing is shared in a compact cache, so nothing is frozen.
   * Default false.
   */
  readonly freezeObjects?: boolean | undefined;
}

/** Options of {@linkcode SharedInformer.addEventHandler}. */
export interface EventHandlerOptions {
  /**
   * How often the handler is notified of everything again, in milliseconds; 0 for never. Less than a second becomes a second.
   * Default: the informer's.
   */
  readonly resyncPeriodMs?: number | undefined;
}

/** The state of a {@linkcode SharedInformer}. */
export interface SharedInformerSnapshot {
  /** Its name in log lines. */
  readonly name: string;
  /** Whether it was started. */
  readonly hasStarted: boolean;
  /** Whether it was stopped; it cannot be started again. */
  readonly isStopped: boolean;
  /** Whether the first list is in the cache. */
  readonly hasSynced: boolean;
  /** The number of objects in the cache. */
  readonly objects: number;
  /** How many bytes the objects of a compact cache take; undefined for other caches. */
  readonly objectBytes: number | undefined;
  /** How many objects the transform has given another name or namespace, which was then restored. */
  readonly keyChanges: number;
  /** The state of the machinery under it; undefined before it was started. */
  readonly informer: InformerSnapshot | undefined;
  /** The states of its handlers, in the order in which they were added. */
  readonly handlers: readonly HandlerSnapshot[];
}
