import type { Environment } from "../../base/mod.ts";
import type { KubeObject, ResourceDescriptor } from "../../types/mod.ts";
import type { TransformFunc } from "../queue/mod.ts";
import type { HandlerSnapshot } from "./handler_registration.ts";
import type { Indexers, KeyFunc } from "../store/mod.ts";
import type { InformerSnapshot } from "./informer.ts";
import type { ObjectRef } from "../compact/mod.ts";
import type { ReflectorTuning } from "../reflector/mod.ts";

/**
 * How an informer keeps its objects: `"plain"` as they are, parsed once; `"compact"` as bytes outside of the JavaScript heap,
 * parsed each time one is read.
 */
export type CacheKind = "plain" | "compact";

/**
 * What an informer's handlers are given: the objects, or references to them from a compact cache.
 *
 * @typeParam T The interface of the objects.
 * @typeParam C The kind of the cache.
 */
export type Handed<T, C extends CacheKind> = C extends "compact" ? ObjectRef<T> : T;

/**
 * Options of a {@linkcode SharedInformer}.
 *
 * @typeParam T The interface of the objects.
 * @typeParam C The kind of the cache.
 */
export interface SharedInformerOptions<T extends KubeObject, C extends CacheKind = "plain">
  extends Environment, ReflectorTuning {
  /**
   * How the objects are kept. `"compact"` takes about half the CPU per event and two thirds of the memory where handlers
   * need little more than keys and few objects are read per event; where every object is read every time it takes up to a
   * quarter more than `"plain"`. Handlers are then given an {@linkcode ObjectRef}; the indexer and listers give parsed
   * objects, a new one each time. Index functions should be made by {@linkcode pathIndexFunc}; others, a `keyFunc` and a
   * `transform` cost a parse per event. Default `"plain"`.
   */
  readonly cache?: C;
  /** What is listed; listers and log lines need it. Default: anything. */
  readonly resource?: ResourceDescriptor;
  /** What log lines and metrics call it. Default: the resource's name. */
  readonly name?: string;
  /**
   * How often handlers are told of everything again unless they ask for a period of their own, and how often the informer
   * looks who is due, in milliseconds. The server is not asked for anything. With the default, 0, no handler can have
   * resyncs.
   */
  readonly resyncPeriodMs?: number;
  /** Indices of the cache. Default: none. */
  readonly indexers?: Indexers<T>;
  /** Changes objects before they are cached, most often to save memory. It may see an object twice. Default: none. */
  readonly transform?: TransformFunc<T>;
  /** Gives the objects their keys. Default: namespace and name. */
  readonly keyFunc?: KeyFunc<T>;
  /**
   * Whether cached objects are frozen, so that a handler that changes one fails where it does so, instead of corrupting
   * what everybody else reads. For development and tests: it costs time. Nothing is shared in a compact cache, so nothing
   * is frozen. Default false.
   */
  readonly freezeObjects?: boolean;
}

/** Options of {@linkcode SharedInformer.addEventHandler}. */
export interface EventHandlerOptions {
  /**
   * How often the handler is told of everything again, in milliseconds; 0 for never. Less than a second becomes a second.
   * Default: the informer's.
   */
  readonly resyncPeriodMs?: number;
}

/** What a {@linkcode SharedInformer} is doing and how it has fared. */
export interface SharedInformerSnapshot {
  /** Its name in log lines. */
  readonly name: string;
  /** Whether it was run. */
  readonly hasStarted: boolean;
  /** Whether it was stopped; it cannot be started again. */
  readonly isStopped: boolean;
  /** Whether the first list is in the cache. */
  readonly hasSynced: boolean;
  /** How many objects are in the cache. */
  readonly objects: number;
  /** The machine under it; undefined before it was run. */
  readonly informer: InformerSnapshot | undefined;
  /** Its handlers, in the order they were added in. */
  readonly handlers: readonly HandlerSnapshot[];
}
