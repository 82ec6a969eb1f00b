import type { ListOptions } from "../../types/mod.ts";

/** What every request may be told. */
export interface CallOptions {
  /** Stops the request, its retries and the waits between them; it then rejects with `signal.reason`. */
  readonly signal?: AbortSignal | undefined;
  /**
   * How long the request may take, in milliseconds, retries and waits included; the server is told too. It then rejects
   * with a `TimeoutError`. Default: no limit.
   */
  readonly timeoutMs?: number | undefined;
  /**
   * How often the request is made again when the server or the network could not take it right now. Default 10,
   * client-go's.
   */
  readonly maxRetries?: number | undefined;
}

/** Options of a request about objects of a resource. */
export interface ResourceCallOptions extends CallOptions {
  /** The namespace. Lists and watches of all namespaces leave it out; so does everything cluster-scoped. */
  readonly namespace?: string | undefined;
}

/** Options of a request that may be about a part of an object. */
export interface SubresourceOption {
  /** As in `status`, `scale`, `eviction` or `binding`. Default: the object itself. */
  readonly subresource?: string | undefined;
}

/** Names a part of an object, whose type then is not that of the object. */
export interface OfSubresource {
  /** As in `scale`, `eviction` or `binding`. */
  readonly subresource: string;
}

/** Options of a list. */
export interface ListCallOptions extends ListOptions, ResourceCallOptions {}

/** Options of a watch. It has no time limit on this side: `timeoutSeconds` tells the server when to end it. */
export interface WatchCallOptions
  extends Omit<ListOptions, "limit" | "continue">, Omit<ResourceCallOptions, "timeoutMs"> {}

/** Options of `Client.get`. */
export interface GetOptions extends ResourceCallOptions, SubresourceOption {
  /** `"0"`: any version that the server has at hand. Default: the newest. */
  readonly resourceVersion?: string | undefined;
}

/** Options of everything that writes. */
export interface WriteOptions extends ResourceCallOptions, SubresourceOption {
  /** Goes through everything but the storing. */
  readonly dryRun?: boolean | undefined;
  /** Under which name the server records who set which fields. Default: the user agent up to its first slash. */
  readonly fieldManager?: string | undefined;
  /** What the server does about fields it does not know: ignore, warn (its default) or refuse. */
  readonly fieldValidation?: "Ignore" | "Warn" | "Strict" | undefined;
}

/** Options of `Client.patch`. */
export interface PatchOptions extends WriteOptions {
  /**
   * How the patch is meant. Default `merge`, which every resource takes.
   *
   * - `merge`: JSON merge patch (RFC 7396); null removes, arrays are replaced.
   * - `json`: a list of operations (RFC 6902).
   * - `strategic`: merges lists by key; built-in kinds only.
   * - `apply`: server-side apply, see `Client.apply`; needs `fieldManager`.
   */
  readonly type?: "merge" | "json" | "strategic" | "apply" | undefined;
  /** With `apply`: takes over fields that other managers own. */
  readonly force?: boolean | undefined;
}

/** Options of `Client.apply`. */
export interface ApplyOptions extends WriteOptions {
  /** Under which name the fields are owned; the server requires it. */
  readonly fieldManager: string;
  /** Takes over fields that other managers own. */
  readonly force?: boolean | undefined;
}

/** What a deletion may be told. */
export interface DeleteOptions extends ResourceCallOptions {
  /** What becomes of the objects it owns. Default: up to the resource, usually `Background`. */
  readonly propagationPolicy?: "Orphan" | "Background" | "Foreground" | undefined;
  /** How long the object may take to stop, in seconds; 0 means at once. */
  readonly gracePeriodSeconds?: number | undefined;
  /** The object must still be this one; otherwise it stays, and the answer is 409. */
  readonly preconditions?: {
    readonly uid?: string | undefined;
    readonly resourceVersion?: string | undefined;
  } | undefined;
  /** Goes through everything but the storing. */
  readonly dryRun?: boolean | undefined;
}

/** Options of `Client.deleteCollection`: which objects, and how. */
export interface DeleteCollectionOptions extends DeleteOptions {
  /** Which labels the objects must have. Default: any. */
  readonly labelSelector?: string | undefined;
  /** Which fields the objects must have. Default: any. */
  readonly fieldSelector?: string | undefined;
}

/** Options of `Client.getRaw`. */
export interface RawOptions extends CallOptions {
  /** Query parameters. */
  readonly query?: Readonly<Record<string, string>> | undefined;
}
