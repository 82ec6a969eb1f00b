import type { Clock, Logger, Random } from "@kubeloop/controller/base";
import type { Representation, RequestInfo } from "../http/mod.ts";
import type { ResourceInfo, ResourceRegistry } from "../kinds/mod.ts";
import type { ResourceStore, Storage, StoredObject, WatchRegistry } from "../storage/mod.ts";
import type { Authorizer, UserInfo } from "../access/mod.ts";

/** What every handler stands on. */
export interface ServerContext {
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
  readonly storage: Storage;
  readonly registry: ResourceRegistry;
  readonly watches: WatchRegistry;
  readonly authorizer: Authorizer;
  /** Tells the server's own controllers of a write. */
  written(
    resource: ResourceInfo,
    stored: StoredObject,
    previous: StoredObject | undefined,
  ): void;
  /** Removes an object and tells the server's own controllers. */
  remove(resource: ResourceInfo, store: ResourceStore, stored: StoredObject): StoredObject;
  /** The least time after which a watch without a timeout ends; the most is twice that. */
  readonly minRequestTimeoutMs: number;
  /** How many lines may wait for a slow reader of a watch. */
  readonly watchBacklogLimit: number;
}

/** One request on its way through the server. */
export interface Exchange {
  readonly server: ServerContext;
  readonly request: Request;
  readonly method: string;
  readonly query: URLSearchParams;
  readonly info: RequestInfo;
  readonly user: UserInfo;
  /** Texts for Warning headers, in order. */
  readonly warnings: string[];
}

/** A request for a resource that exists. */
export interface ResourceExchange extends Exchange {
  readonly resource: ResourceInfo;
  readonly store: ResourceStore;
  readonly representation: Representation;
}

/** What a handler answers: an object that is yet to be shown as the request wants it, a text that is final, or nothing (204). */
export type Answer =
  | { readonly type: "object"; readonly code: number; readonly text: string }
  | { readonly type: "final"; readonly code: number; readonly text: string }
  | { readonly type: "empty" };
