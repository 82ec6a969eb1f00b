import { describeError, type Logger, toError } from "../../base/mod.ts";
import {
  apiVersionOf,
  INITIAL_EVENTS_END,
  type KubeObject,
  type ResourceDescriptor,
  type Status,
  StatusError,
  type WatchEvent,
  type WatchLine,
} from "../../types/mod.ts";
import type { ReflectorStore } from "./reflector_store.ts";
import type { ReflectorStatus } from "./reflector_status.ts";

/** Whether `object` is a table for people (`kubectl get`), which holds no objects. */
export function isTable(object: { readonly kind?: string; readonly apiVersion?: string }): boolean {
  return object.kind === "Table" && (object.apiVersion ?? "").startsWith("meta.k8s.io/");
}

/** What a watch's events need besides the store. */
export interface WatchEventContext {
  /** What is being watched, if it is known. */
  readonly options: { readonly resource?: ResourceDescriptor | undefined };
  /** How log lines begin. */
  readonly name: string;
  readonly logger: Logger;
  readonly status: ReflectorStatus;
}

/** Where events go: a store, or the temporary one of a streaming list. */
export type EventStore<T extends KubeObject> = Pick<
  ReflectorStore<T>,
  "add" | "update" | "delete" | "bookmark"
>;

/** Where a watch begins. */
export interface WatchStart {
  /** The version that was asked for. */
  readonly resourceVersion: string;
  /** Learns of each version that has been reached. */
  readonly advance: (resourceVersion: string) => void;
  /** Whether only the initial events of a streaming list are wanted, up to their bookmark. Default false. */
  readonly initialEventsOnly?: boolean;
}

/**
 * Takes the events of one watch, one at a time and synchronously: looks whether each is what it should be, applies it to
 * the store and tells `advance` the version that has been reached.
 */
export class WatchEvents<T extends KubeObject> {
  /** How many events and bookmarks were handled; skipped ones do not count. */
  count = 0;
  /** What an ERROR event said. */
  error: StatusError | undefined;
  /** The version of the bookmark that ended the initial events of a streaming list. */
  initialEventsEnd: string | undefined;

  readonly #context: WatchEventContext;
  readonly #store: EventStore<T>;
  readonly #advance: (resourceVersion: string) => void;
  readonly #initialEventsOnly: boolean;
  readonly #apiVersion: string | undefined;
  /** The synthetic ADDED events that a watch from "" or "0" begins with come in the order of keys, not of versions. */
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
    this.#inOrder = start.resourceVersion !== "" && start.resourceVersion !== "0";
  }

  /**
   * Handles one event. A lister-watcher that passes on the server's lines as they are may yield an ERROR, which has the same
   * meaning as a thrown StatusError.
   *
   * @returns False when nothing more is wanted of the stream.
   */
  handle(event: WatchLine<T>): boolean {
    if (event?.type === "ERROR") {
      this.error = new StatusError(statusOf(event.object));
      return false;
    }
    const flaw = this.#flawOf(event);
    if (flaw !== undefined) {
      this.#context.status.skipped(1);
      this.#context.logger.warn(`${this.#context.name}: skipped a watch event: ${flaw}`);
      return true;
    }
    this.#apply(event);
    this.count++;
    this.#context.status.counters.events++;
    const resourceVersion = event.object.metadata.resourceVersion ?? "";
    if (!this.#inOrder && event.type !== "ADDED") this.#inOrder = true;
    if (this.#inOrder) this.#advance(resourceVersion);
    if (!this.#initialEventsOnly || event.type !== "BOOKMARK") return true;
    if (event.object.metadata.annotations?.[INITIAL_EVENTS_END] !== "true") return true;
    this.initialEventsEnd = resourceVersion;
    return false;
  }

  #flawOf(event: WatchEvent<T>): string | undefined {
    const object: unknown = event?.object;
    if (typeof object !== "object" || object === null) return "it has no object";
    const { kind, apiVersion, metadata } = object as Partial<KubeObject>;
    const { resource } = this.#context.options;
    if (resource !== undefined && kind !== undefined && kind !== resource.kind) {
      // Metadata alone is a form that any kind can be had in.
      if (kind !== "PartialObjectMetadata") {
        return `its kind is ${kind}, must be ${resource.kind}`;
      }
    } else if (resource !== undefined && (apiVersion ?? this.#apiVersion) !== this.#apiVersion) {
      return `its apiVersion is ${apiVersion}, must be ${this.#apiVersion}`;
    }
    if (isTable(object)) return "it is a Table";
    if (typeof metadata !== "object" || metadata === null) return "its object has no metadata";
    return undefined;
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
          return this.#store.bookmark?.(event.object.metadata.resourceVersion ?? "");
        default:
          this.#context.logger.warn(
            `${this.#context.name}: ignored a watch event of unknown type ` +
              JSON.stringify((event as { type?: unknown }).type),
          );
      }
    } catch (error) {
      this.#context.status.storeFailed(toError(error));
      this.#context.logger.error(
        `${this.#context.name}: lost an event until the next list, because the store refused it: ` +
          describeError(error),
      );
    }
  }
}

/** The Status of an ERROR event; a server may send anything there. */
function statusOf(object: unknown): Status {
  if (typeof object === "object" && object !== null) return object as Status;
  return {
    code: 500,
    reason: "InternalError",
    message: "The watch sent an ERROR event without a Status",
  };
}
