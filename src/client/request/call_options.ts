import {
  checkedElsewhere,
  describeValue,
  type OptionCheck,
  type OptionChecks,
  requireTimeLimit,
} from "../../base/mod.ts";
import type { ListOptions } from "../../types/mod.ts";
import type { PatchType } from "./patch.ts";

/** Options of every call. */
export interface CallOptions {
  /** Aborts the call, its retries and the waits between them. The promise then rejects with `signal.reason`. */
  readonly signal?: AbortSignal | undefined;
  /**
   * The time limit of the whole call, in milliseconds. It covers all requests, retries and waits, and the function of
   * `eachListItem`. Each request tells the server the remaining time. When the time is up, the promise rejects with a
   * `TimeoutError`. `Infinity` means no limit. Default: each answer must begin within 90 s and continue at 4 kB/s on
   * average; an API server gives up after 60 s by itself.
   */
  readonly timeoutMs?: number | undefined;
  /**
   * The maximum number of retries of a request after a temporary failure of the server or the network. It may be
   * `Infinity`. Default: the option of the client, which is 10 by default.
   */
  readonly maxRetries?: number | undefined;
}

/** Options of a call about objects of a resource. */
export interface ResourceCallOptions extends CallOptions {
  /** The namespace. Omit it for cluster-scoped resources, and for lists and watches of all namespaces. */
  readonly namespace?: string | undefined;
}

/** Options of a call that supports subresources. */
export interface SubresourceOption {
  /** The subresource, such as `status`, `scale`, `eviction` or `binding`. Default: the object itself. */
  readonly subresource?: string | undefined;
}

/** Options of a call for a subresource with its own kind. */
export interface OfSubresource {
  /** The subresource, such as `scale`, `eviction` or `binding`. */
  readonly subresource: string;
}

/** The form of the answer. */
export interface Accept {
  /**
   * The `Accept` header, for another form of the same objects: `application/json;as=Table;v=v1;g=meta.k8s.io` is the
   * table that kubectl prints. Default: the objects as JSON.
   */
  readonly accept?: string | undefined;
}

/** Options of `Client.list`. */
export interface ListCallOptions extends ListOptions, ResourceCallOptions {
  /**
   * The number of objects per page when `list` reads all objects, that is without `limit` and `continue`. 0 means all
   * objects in one request. Default 500, as in client-go.
   */
  readonly pageSize?: number | undefined;
}

/** Options of `Client.eachListItem`. */
export interface EachListItemOptions extends Omit<ListCallOptions, "limit" | "continue"> {}

/**
 * Options of `Client.watch`. The client sets no time limit. `timeoutSeconds` tells the server when to end the watch.
 */
export interface WatchCallOptions
  extends Omit<ListOptions, "limit" | "continue">, Omit<ResourceCallOptions, "timeoutMs">, Accept {}

/** Options of `Client.get`. */
export interface GetOptions extends ResourceCallOptions, SubresourceOption {
  /**
   * The minimum resource version. `"0"` means any version in the server's watch cache. Default: the most recent
   * version.
   */
  readonly resourceVersion?: string | undefined;
}

/** Options of a status write. */
export interface StatusWriteOptions extends ResourceCallOptions {
  /** Whether the server processes the write without storing the result. Default false. */
  readonly dryRun?: boolean | undefined;
  /** The field manager that owns the written fields. Default: the user agent up to its first slash. */
  readonly fieldManager?: string | undefined;
  /** Whether the server ignores unknown fields, warns about them (its default), or rejects the write (`Strict`). */
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
   * - `merge`: a JSON merge patch (RFC 7396). Null removes a field, an array replaces the stored array. All resources
   *   support it.
   * - `strategic`: a strategic merge patch, which merges lists by key. Only built-in kinds support it.
   * - `json`: a JSON patch (RFC 6902), which is an array of operations.
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
  /** The field manager, which owns the applied fields. */
  readonly fieldManager: string;
  /** Whether to take over fields that other field managers own. Default false: such fields are a conflict (409). */
  readonly force?: boolean | undefined;
}

/** Options of `Client.delete`. */
export interface DeleteOptions extends ResourceCallOptions {
  /**
   * Whether the garbage collector orphans the dependents of the object, deletes them in the background, or deletes them
   * before the object (`Foreground`). Default: depends on the resource, usually `Background`.
   */
  readonly propagationPolicy?: "Orphan" | "Background" | "Foreground" | undefined;
  /** The time before the object is deleted, in seconds. 0 means immediately. Default: depends on the resource. */
  readonly gracePeriodSeconds?: number | undefined;
  /**
   * Conditions of the deletion. If the stored object does not match, the server does not delete it and returns a
   * conflict (409). At least one field is required.
   */
  readonly preconditions?: {
    /** The expected UID of the object. */
    readonly uid?: string | undefined;
    /** The expected resource version of the object. */
    readonly resourceVersion?: string | undefined;
  } | undefined;
  /** Whether the server processes the deletion without deleting the object. Default false. */
  readonly dryRun?: boolean | undefined;
}

/**
 * Options of `Client.deleteCollection`. A selector that is present must not be undefined or empty, because a missing
 * value would delete all objects.
 */
export interface DeleteCollectionOptions extends DeleteOptions {
  /** Whether to delete in all namespaces, instead of giving a `namespace`. Default false. */
  readonly allNamespaces?: boolean | undefined;
  /** The label selector of the objects, as in `app=web`. Default: all objects. */
  readonly labelSelector?: string;
  /** The field selector of the objects, as in `spec.nodeName=n1`. Default: all objects. */
  readonly fieldSelector?: string;
}

/** Options of `Client.getRaw`. */
export interface RawOptions extends CallOptions, Accept {
  /** The query parameters. */
  readonly query?: Readonly<Record<string, string>> | undefined;
}

/**
 * Returns the checked call options among the options of a method.
 *
 * @throws {RangeError} If `timeoutMs` or `maxRetries` is out of range.
 */
export function callOptions({ signal, timeoutMs, maxRetries }: CallOptions): CallOptions {
  if (timeoutMs !== undefined) requireTimeLimit("timeoutMs", timeoutMs);
  if (maxRetries !== undefined) requireRetries(maxRetries);
  return { signal, timeoutMs, maxRetries };
}

/**
 * Checks a number of retries.
 *
 * @throws {RangeError} If `maxRetries` is neither a whole number of at least 0 nor `Infinity`.
 */
export function requireRetries(maxRetries: number): void {
  if (maxRetries === Infinity || (Number.isInteger(maxRetries) && maxRetries >= 0)) return;
  throw new RangeError(
    `maxRetries must be a whole number of at least 0, or Infinity: received ${
      describeValue(maxRetries)
    }`,
  );
}

/** The names of the options of a method. The requests check the values, where their messages can say more. */
function named<O extends object>(names: { readonly [K in keyof O]-?: true }): OptionChecks<O> {
  const entries = Object.keys(names).map((name) => [name, checkedElsewhere] as const);
  return Object.fromEntries<OptionCheck>(entries) as OptionChecks<O>;
}

const CALL = { signal: true, timeoutMs: true, maxRetries: true } as const;
const RESOURCE_CALL = { ...CALL, namespace: true } as const;
const LIST_ITEMS = {
  ...RESOURCE_CALL,
  labelSelector: true,
  fieldSelector: true,
  resourceVersion: true,
  resourceVersionMatch: true,
  timeoutSeconds: true,
  allowWatchBookmarks: true,
  sendInitialEvents: true,
  pageSize: true,
} as const;
const STATUS_WRITE = {
  ...RESOURCE_CALL,
  dryRun: true,
  fieldManager: true,
  fieldValidation: true,
} as const;
const DELETE = {
  ...RESOURCE_CALL,
  propagationPolicy: true,
  gracePeriodSeconds: true,
  preconditions: true,
  dryRun: true,
} as const;

/** The checks of the options of the methods of `Client`, by the kind of method. */
interface CallChecks {
  readonly get: OptionChecks<GetOptions>;
  readonly list: OptionChecks<ListCallOptions>;
  readonly eachListItem: OptionChecks<ListCallOptions>;
  readonly watch: OptionChecks<WatchCallOptions>;
  readonly write: OptionChecks<WriteOptions>;
  readonly statusWrite: OptionChecks<StatusWriteOptions>;
  readonly patch: OptionChecks<PatchOptions<PatchType>>;
  readonly statusPatch: OptionChecks<StatusPatchOptions<PatchType>>;
  readonly apply: OptionChecks<ApplyOptions>;
  readonly delete: OptionChecks<DeleteOptions>;
  readonly deleteCollection: OptionChecks<DeleteCollectionOptions>;
  readonly raw: OptionChecks<RawOptions>;
  readonly discovery: OptionChecks<Pick<CallOptions, "signal" | "timeoutMs">>;
}

/** The checks of the options of the methods of `Client`. */
export const CALL_CHECKS: CallChecks = {
  get: named({ ...RESOURCE_CALL, subresource: true, resourceVersion: true }),
  list: named({ ...LIST_ITEMS, limit: true, continue: true }),
  // The method refuses `limit` and `continue` with a message of its own.
  eachListItem: named({ ...LIST_ITEMS, limit: true, continue: true }),
  watch: named({
    namespace: true,
    signal: true,
    maxRetries: true,
    labelSelector: true,
    fieldSelector: true,
    resourceVersion: true,
    resourceVersionMatch: true,
    timeoutSeconds: true,
    allowWatchBookmarks: true,
    sendInitialEvents: true,
    accept: true,
  }),
  write: named({ ...STATUS_WRITE, subresource: true }),
  statusWrite: named(STATUS_WRITE),
  patch: named({ ...STATUS_WRITE, subresource: true, type: true }),
  statusPatch: named({ ...STATUS_WRITE, type: true }),
  apply: named({ ...STATUS_WRITE, subresource: true, force: true }),
  delete: named(DELETE),
  deleteCollection: named({
    ...DELETE,
    allNamespaces: true,
    labelSelector: true,
    fieldSelector: true,
  }),
  raw: named({ ...CALL, query: true, accept: true }),
  discovery: named({ signal: true, timeoutMs: true }),
};
