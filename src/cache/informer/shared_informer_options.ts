import {
  type CacheEnvironment,
  ENVIRONMENT_CHECKS,
  isDelay,
  isFlag,
  isFunction,
  isObject,
  isText,
  type OptionChecks,
} from "../../base/mod.ts";
import type { Cached, KubeObject, ResourceDescriptor } from "../../types/mod.ts";
import type { TransformFunc } from "../queue/mod.ts";
import type { HandlerSnapshot } from "./handler_registration.ts";
import type { Indexers } from "../store/mod.ts";
import type { InformerSnapshot } from "./informer.ts";
import { type ReflectorTuning, TUNING_CHECKS, type WatchErrorHandler } from "../reflector/mod.ts";

/**
 * Options of a {@linkcode SharedInformer}.
 *
 * @typeParam T The interface of the objects.
 */
export interface SharedInformerOptions<T extends KubeObject>
  extends CacheEnvironment, ReflectorTuning {
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
  /**
   * The indices of the cache. The informer keeps parsed objects unless each function is `metaNamespaceIndexFunc` or comes
   * from `pathIndexFunc`. Default: none.
   */
  readonly indexers?: Indexers<Cached<T>> | undefined;
  /**
   * Changes objects before they are cached, usually to save memory. It may be called twice with an object. It must not
   * change the name or namespace: if it does, both are restored, and the informer logs an error. The informer keeps
   * parsed objects. Default: none.
   */
  readonly transform?: TransformFunc<T> | undefined;
  /**
   * Whether the informer keeps parsed objects from the start, for a program that reads each object more than about four
   * times before it changes, or that lists many objects often. Default: not until they are needed; see
   * {@linkcode SharedInformer.keepParsed}.
   */
  readonly keepParsed?: boolean | undefined;
  /**
   * Reports whether the field sets of a field manager in `metadata.managedFields` are kept. An object that none of these
   * managers has written is cached without `fieldsV1` and `fieldsType`, which saves a fifth of the memory of many objects.
   * Default: all field sets are kept.
   */
  readonly keepsFieldsOf?: ((manager: string) => boolean) | undefined;
  /** Called with failed lists and watches. Default: writes a log line. */
  readonly watchErrorHandler?: WatchErrorHandler | undefined;
}

/** Options of {@linkcode SharedInformer.addEventHandler} and {@linkcode SharedInformer.addChangeHandler}. */
export interface EventHandlerOptions {
  /**
   * The period after which the handler is notified of every object again, in milliseconds; 0 for never. Less than a
   * second becomes a second. Default: the period of the informer.
   */
  readonly resyncPeriodMs?: number | undefined;
  /**
   * Whether the handler is called with updates that do not change the resource version: replays of a resync, and of a
   * list after a gap in the watch. Default true.
   */
  readonly replays?: boolean | undefined;
}

/** The checks of the options of a {@linkcode SharedInformer}. */
export const SHARED_INFORMER_CHECKS: OptionChecks<SharedInformerOptions<KubeObject>> = {
  ...ENVIRONMENT_CHECKS,
  ...TUNING_CHECKS,
  resource: isObject,
  name: isText,
  resyncPeriodMs: isDelay,
  indexers: isObject,
  transform: isFunction,
  keepParsed: isFlag,
  keepsFieldsOf: isFunction,
  watchErrorHandler: isFunction,
};

/** The checks of the options of a handler. */
export const HANDLER_CHECKS: OptionChecks<EventHandlerOptions> = {
  resyncPeriodMs: isDelay,
  replays: isFlag,
};

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
  /** The number of bytes that the objects take; undefined if the informer keeps parsed objects. */
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
