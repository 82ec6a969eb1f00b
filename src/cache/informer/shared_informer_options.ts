import type { Environment } from "../../base/mod.ts";
import type { Cached, KubeObject, ResourceDescriptor } from "../../types/mod.ts";
import type { TransformFunc } from "../queue/mod.ts";
import type { HandlerSnapshot } from "./handler_registration.ts";
import type { Indexers } from "../store/mod.ts";
import type { InformerSnapshot } from "./informer.ts";
import type { ObjectRef } from "../compact/mod.ts";
import type { ReflectorTuning, WatchErrorHandler } from "../reflector/mod.ts";

/**
 * The form in which an informer keeps its objects: `"plain"` parses each object once; `"compact"` keeps the bytes
 * outside of the JavaScript heap and parses an object each time it is read.
 */
export type CacheKind = "plain" | "compact";

/**
 * The type of the objects that an informer passes to its handlers: objects of a plain cache, references of a compact
 * one.
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
   * The form in which the objects are kept. Default `"plain"`.
   *
   * `"compact"` takes about half the CPU per event and two thirds of the memory if handlers need little more than keys
   * and few objects are read per event. If every object is read every time, it takes up to a quarter more than
   * `"plain"`.
   *
   * With `"compact"`, handlers get an {@linkcode ObjectRef}, and the indexer and listers parse a new object on each
   * read. Index functions should be created by {@linkcode pathIndexFunc}: other functions, and a `transform`, cost a
   * parse per event.
   */
  readonly cache?: C | undefined;
  /**
   * The listed resource; events of another kind are skipped. `lister()` requires it. Default: events of every kind are
   * accepted.
   */
  readonly resource?: ResourceDescriptor | undefined;
  /** The name of the informer in log lines and metrics. Default: the name of the resource. */
  readonly name?: string | undefined;
  /**
   * The period after which handlers without a period of their own are notified of every object again, and at which the
   * informer checks which handlers are due, in milliseconds. A resync makes no request. Default 0: no handler gets
   * resyncs.
   */
  readonly resyncPeriodMs?: number | undefined;
  /** The indices of the cache. Default: none. */
  readonly indexers?: Indexers<Cached<T>> | undefined;
  /**
   * Changes objects before they are cached, usually to save memory. It may be called twice with an object. It must not
   * change the name or namespace: if it does, both are restored, and the informer logs an error. Default: none.
   */
  readonly transform?: TransformFunc<T> | undefined;
  /** Called with failed lists and watches. Default: writes a log line. */
  readonly watchErrorHandler?: WatchErrorHandler | undefined;
  /**
   * Whether cached objects are frozen. A handler that changes a frozen object fails at that line, instead of corrupting
   * the cache for everyone. Freezing costs time, so it is meant for development and tests. A compact cache shares no
   * objects, so nothing is frozen. Default false.
   */
  readonly freezeObjects?: boolean | undefined;
}

/** Options of {@linkcode SharedInformer.addEventHandler}. */
export interface EventHandlerOptions {
  /**
   * The period after which the handler is notified of every object again, in milliseconds; 0 for never. Less than a
   * second becomes a second. Default: the period of the informer.
   */
  readonly resyncPeriodMs?: number | undefined;
}

/** The state of a {@linkcode SharedInformer}. */
export interface SharedInformerSnapshot {
  /** The name of the informer in log lines. */
  readonly name: string;
  /** Whether the informer has been started. */
  readonly hasStarted: boolean;
  /** Whether the informer has stopped or is stopping. It cannot be started again. */
  readonly isStopped: boolean;
  /** Whether the first list is in the cache. */
  readonly hasSynced: boolean;
  /** The number of objects in the cache. */
  readonly objects: number;
  /** The number of bytes that the objects of a compact cache take; undefined for a plain cache. */
  readonly objectBytes: number | undefined;
  /**
   * The number of calls in which the transform changed the name or namespace of an object, which were then restored.
   */
  readonly keyChanges: number;
  /** The state of the underlying reflector and queue; undefined before the start. */
  readonly informer: InformerSnapshot | undefined;
  /** The states of the handlers, in the order in which they were added. */
  readonly handlers: readonly HandlerSnapshot[];
}
