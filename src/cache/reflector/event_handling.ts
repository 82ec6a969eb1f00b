import { describeError, type Logger, toError, visibleText } from "../../base/mod.ts";
import {
  apiVersionOf,
  INITIAL_EVENTS_END,
  isExactVersion,
  type KubeObject,
  receivedVersion,
  type ResourceDescriptor,
  type Status,
  StatusError,
  type WatchEvent,
  type WatchLine,
} from "../../types/mod.ts";
import type { ReflectorStore } from "./reflector_store.ts";
import type { ReflectorStatus } from "./reflector_status.ts";

/** Reports whether `object` is a Table, which the server renders for `kubectl get` and which holds no objects. */
export function isTable(
  { kind, apiVersion }: { readonly kind?: unknown; readonly apiVersion?: unknown },
): boolean {
  return kind === "Table" && typeof apiVersion === "string" &&
    apiVersion.startsWith("meta.k8s.io/");
}

/** The context of a watch, as far as its events need it. */
export interface WatchEventContext {
  /** The watched resource, if it is known. */
  readonly options: { readonly resource?: ResourceDescriptor | undefined };
  /** The prefix of log lines. */
  readonly name: string;
  /** Receives lines about single events. */
  readonly eventLogger: Logger;
  readonly status: ReflectorStatus;
}

/** The target of watch events: a store, or the temporary store of a streaming list. */
export type EventStore<T extends KubeObject> = Pick<
  ReflectorStore<T>,
  "add" | "update" | "delete" | "bookmark"
>;

/** The start of a watch. */
export interface WatchStart {
  /** The requested resource version. */
  readonly resourceVersion: string;
  /** Called with each resource version that the watch reaches, from which another watch can start. */
  readonly advance: (resourceVersion: string) => void;
  /** Whether to stop at the bookmark that ends the initial events of a streaming list. Default false. */
  readonly initialEventsOnly?: boolean;
}

/**
 * Handles the events of one watch, synchronously and one at a time: validates each event, applies it to the store and
 * calls `advance` with its resource version.
 *
 * An event without a version from which a watch can start, such as one with `"0"` or a number, is applied too. But a
 * watch from the version before it could miss what followed, and one from "" or "0" misses deletions; so a watch whose
 * last event has none ends in a list.
 */
export class WatchEvents<T extends KubeObject> {
  /** The number of events and bookmarks handled. Skipped events do not count. */
  count = 0;
  /** The error that an ERROR event reported. */
  error: StatusError | undefined;
  /** The resource version of the bookmark that ended the initial events of a streaming list. */
  initialEventsEnd: string | undefined;
  /** Whether the last event had no version from which a watch can start. */
  lostVersion = false;

  readonly #context: WatchEventContext;
  readonly #store: EventStore<T>;
  readonly #advance: (resourceVersion: string) => void;
  readonly #initialEventsOnly: boolean;
  readonly #apiVersion: string | undefined;
  /**
   * Whether events come in the order of resource versions. A watch from "" or "0" begins with synthetic ADDED events,
   * which come in the order of keys.
   */
  #inOrder: boolean;

  constructor(
    context: WatchEventContext,
    store: EventStore<T>,
    start: WatchStart,
  ) {
    this.#context = context;
    this.#store = store;
    this.#advance = start.advance;
    this.#initialEventsOnly = start.initialEventsOnly ?? false;
    const { resource } = context.options;
    this.#apiVersion = resource && apiVersionOf(resource);
    this.#inOrder = isExactVersion(start.resourceVersion);
  }

  /**
   * Handles one event. A lister-watcher that passes the server's lines on unchanged may yield an ERROR event, which
   * means the same as a thrown StatusError.
   *
   * @returns False if no further event of the stream is wanted.
   */
  handle(event: WatchLine<T>): boolean {
    if (event?.type === "ERROR") {
      this.error = new StatusError(statusOf(event.object));
      return false;
    }
    const flaw = this.#flawOf(event);
    if (flaw !== undefined) {
      this.#context.status.skipped(1);
      this.#context.eventLogger.warn(`${this.#context.name}: skipped a watch event: ${flaw}`);
      return true;
    }
    this.#apply(event);
    this.count++;
    this.#context.status.counters.events++;
    const resourceVersion = receivedVersion(event.object.metadata);
    if (!this.#inOrder && event.type !== "ADDED") this.#inOrder = true;
    if (this.#inOrder) this.#reach(resourceVersion);
    if (!this.#initialEventsOnly || event.type !== "BOOKMARK") return true;
    if (event.object.metadata.annotations?.[INITIAL_EVENTS_END] !== "true") return true;
    this.initialEventsEnd = resourceVersion;
    return false;
  }

  #reach(resourceVersion: string): void {
    const isLost = !isExactVersion(resourceVersion);
    if (!isLost) {
      this.#advance(resourceVersion);
    } else if (!this.lostVersion) {
      const { eventLogger, name } = this.#context;
      eventLogger.warn(
        `${name}: a watch event has no resource version, the objects will be listed again when the watch ends`,
      );
    }
    this.lostVersion = isLost;
  }

  #flawOf(event: WatchEvent<T>): string | undefined {
    const object: unknown = event?.object;
    if (typeof object !== "object" || object === null) return "it has no object";
    const { kind, apiVersion, metadata } = object as Partial<KubeObject>;
    const { resource } = this.#context.options;
    if (resource !== undefined && kind !== undefined && kind !== resource.kind) {
      // Objects of every kind can be requested as PartialObjectMetadata.
      if (kind !== "PartialObjectMetadata") {
        return `its kind is ${textOf(kind)}, must be ${resource.kind}`;
      }
    } else if (resource !== undefined && (apiVersion ?? this.#apiVersion) !== this.#apiVersion) {
      return `its apiVersion is ${textOf(apiVersion)}, must be ${this.#apiVersion}`;
    }
    if (isTable(object)) return "it is a Table";
    if (typeof metadata !== "object" || metadata === null) return "its object has no metadata";
    return undefined;
  }

  #bookmark(resourceVersion: string): void {
    if (isExactVersion(resourceVersion)) this.#store.bookmark?.(resourceVersion);
  }

  #apply(event: WatchEvent<T>): void {
    try {
      switch (event.type) {
        case "ADDED":
          return this.#store.add(event.object);
        case "MODIFIED":
          return this.#store.update(event.object);
        case "DELETED":
          return this.#store.delete(event.object);
        case "BOOKMARK":
          return this.#bookmark(receivedVersion(event.object.metadata));
        default:
          this.#context.eventLogger.warn(
            `${this.#context.name}: ignored a watch event of unknown type ` +
              textOf((event as { type?: unknown }).type),
          );
      }
    } catch (error) {
      this.#context.status.storeFailed(toError(error));
      this.#context.eventLogger.error(
        `${this.#context.name}: the store refused a watch event, which is lost until the next list: ` +
          describeError(error),
      );
    }
  }
}

/** Returns what a server sent as a short text, for a log line. */
function textOf(value: unknown): string {
  return typeof value === "string" ? visibleText(value, 100) : `a value of type ${typeof value}`;
}

/** Returns the Status of an ERROR event, or an InternalError if the event has no object: a server may send anything. */
function statusOf(object: unknown): Status {
  if (typeof object === "object" && object !== null) return object as Status;
  return {
    code: 500,
    reason: "InternalError",
    message: "The watch sent an ERROR event without a Status",
  };
}
