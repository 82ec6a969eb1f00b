import { requireTimeLimit } from "../../base/mod.ts";
import type { ListOptions } from "../../types/mod.ts";
import type { PatchType } from "./patch.ts";

/** Options of every call. */
export interface CallOptions {
  /** Stops the call, its retries and the waits between them; the promise then rejects with `signal.reason`. */
  readonly signal?: AbortSignal | undefined;
  /**
   * The time limit of the whole call, in milliseconds: all its requests, retries and waits, and for `eachListItem` the
   * function too. The server is told how much of it is left. The promise then rejects with a `TimeoutError`. Default
   * `Infinity`: no limit.
   */
  readonly timeoutMs?: number | undefined;
  /**
   * How often a request is made again when the server or the network could not take it right now; may be `Infinity`.
   * Default: that of the client, 10.
   */
  readonly maxRetries?: number | undefined;
}

/** Options of a call about objects of a resource. */
export interface ResourceCallOptions extends CallOptions {
  /** The namespace. Lists and watches of all namespaces leave it out, and so do calls about cluster-scoped resources. */
  readonly namespace?: string | undefined;
}

/** Options of a call that may be about a subresource. */
export interface SubresourceOption {
  /** The subresource, as in `status`, `scale`, `eviction` or `binding`. Default: the object itself. */
  readonly subresource?: string | undefined;
}

/** Options of a call about a subresource that has a kind of its own. */
export interface OfSubresource {
  /** The subresource, as in `scale`, `eviction` or `binding`. */
  readonly subresource: string;
}

/** Options of `Client.list`. */
export interface ListCallOptions extends ListOptions, ResourceCallOptions {
  /**
   * How many objects to ask for at a time when all are read, without `limit` and `continue`; 0 means all at once. Default
   * 500, client-go's.
   */
  readonly pageSize?: number | undefined;
}

/** Options of `Client.eachListItem`. */
export interface EachListItemOptions extends Omit<ListCallOptions, "limit" | "continue"> {}

/** Options of `Client.watch`. A watch has no time limit on this side: `timeoutSeconds` tells the server when to end it. */
export interface WatchCallOptions
  extends Omit<ListOptions, "limit" | "continue">, Omit<ResourceCallOptions, "timeoutMs"> {}

/** Options of `Client.get`. */
export interface GetOptions extends ResourceCallOptions, SubresourceOption {
  /** The resource version: `"0"` for any that the server has at hand. Default: the newest. */
  readonly resourceVersion?: string | undefined;
}

/** Options of a status write. */
export interface StatusWriteOptions extends ResourceCallOptions {
  /** Whether the server only tries the write, and stores nothing. Default false. */
  readonly dryRun?: boolean | undefined;
  /** The field manager, in whose name fields are set. Default: the user agent up to its first slash. */
  readonly fieldManager?: string | undefined;
  /** What the server does about unknown fields: ignores them, warns of them (its default) or refuses the write. */
  readonly fieldValidation?: "Ignore" | "Warn" | "Strict" | undefined;
}

/** Options of a write. */
export interface WriteOptions extends StatusWriteOptions, SubresourceOption {}

/**
 * Options of `Client.patchStatus`.
 *
 * @typeParam K The type of the patch.
 */
export interface StatusPatchOptions<K extends PatchType = "merge"> extends StatusWriteOptions {
  /**
   * The type of the patch. Default `merge`.
   *
   * - `merge`: a JSON merge patch (RFC 7396): null removes a field, an array replaces the array. Every resource takes it.
   * - `strategic`: a strategic merge patch: lists are merged by key. Built-in kinds only.
   * - `json`: a JSON patch (RFC 6902): an array of operations.
   */
  readonly type?: K | undefined;
}

/**
 * Options of `Client.patch`.
 *
 * @typeParam K The type of the patch.
 */
export interface PatchOptions<K extends PatchType = "merge">
  extends StatusPatchOptions<K>, SubresourceOption {}

/** Options of `Client.apply`. */
export interface ApplyOptions extends WriteOptions {
  /** The field manager, which owns the fields that are applied. */
  readonly fieldManager: string;
  /** Whether to take over fields that other managers own. Default false: they are a conflict (409). */
  readonly force?: boolean | undefined;
}

/** Options of `Client.delete`. */
export interface DeleteOptions extends ResourceCallOptions {
  /** What becomes of the objects that the object owns. Default: up to the resource, usually `Background`. */
  readonly propagationPolicy?: "Orphan" | "Background" | "Foreground" | undefined;
  /** How long the object may take to stop, in seconds; 0 means at once. */
  readonly gracePeriodSeconds?: number | undefined;
  /** What the object must still be; otherwise it stays, and the server answers 409. At least one of both is required. */
  readonly preconditions?: {
    /** The UID of the object. */
    readonly uid?: string | undefined;
    /** The resource version of the object. */
    readonly resourceVersion?: string | undefined;
  } | undefined;
  /** Whether the server only tries the deletion. Default false. */
  readonly dryRun?: boolean | undefined;
}

/**
 * Options of `Client.deleteCollection`. The selectors are never undefined or empty: one that got lost would delete all
 * objects.
 */
export interface DeleteCollectionOptions extends DeleteOptions {
  /** Deletes in all namespaces; takes the place of `namespace`. Default false. */
  readonly allNamespaces?: boolean | undefined;
  /** Selects the objects by labels, as text: `app=web`. Default, if it is left out: all objects. */
  readonly labelSelector?: string;
  /** Selects the objects by fields, as text: `spec.nodeName=n1`. Default, if it is left out: all objects. */
  readonly fieldSelector?: string;
}

/** Options of `Client.getRaw`. */
export interface RawOptions extends CallOptions {
  /** Query parameters. */
  readonly query?: Readonly<Record<string, string>> | undefined;
}

/**
 * The options of a request among those of a call.
 *
 * @throws {RangeError} If `timeoutMs` or `maxRetries` cannot be used.
 */
export function callOptions({ signal, timeoutMs, maxRetries }: CallOptions): CallOptions {
  if (timeoutMs !== undefined) requireTimeLimit("timeoutMs", timeoutMs);
  if (maxRetries !== undefined) requireRetries(maxRetries);
  return { signal, timeoutMs: timeoutMs === Infinity ? undefined : timeoutMs, maxRetries };
}

/** Refuses what cannot be a number of retries. */
export function requireRetries(maxRetries: number): void {
  if (maxRetries === Infinity || (Number.isInteger(maxRetries) && maxRetries >= 0)) return;
  throw new RangeError(
    `maxRetries must be a whole number of at least 0, or Infinity: received ${maxRetries}`,
  );
}
