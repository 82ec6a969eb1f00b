import type { AccountTokens, Authenticator, UserInfo } from "../access/mod.ts";
import type { ControllerContext } from "../controllers/mod.ts";
import type { Representation, RequestInfo } from "../http/mod.ts";
import type { ResourceInfo } from "../kinds/mod.ts";
import type { LagReader, Lags } from "../lag/mod.ts";
import type { LogStore } from "../logs/mod.ts";
import type { ResourceMetrics } from "../metrics/mod.ts";
import type { OpenStreams, PodProgram } from "../programs/mod.ts";
import type { Draws, RequestAuthor, ResourceStore, Turns } from "../storage/mod.ts";
import type { AdmissionWebhooks, ObjectConverter } from "../webhooks/mod.ts";

/** The random sources of the server, one for each purpose, so that a request changes only what it is about. */
export interface ServerRandom {
  readonly uids: Draws;
  /** The suffixes of generated names. */
  readonly names: Draws;
  /** The lifetimes of watches. */
  readonly timeouts: Draws;
}

/** The parts of the server that every handler uses. */
export interface ServerContext extends ControllerContext {
  readonly random: ServerRandom;
  readonly turns: Turns;
  readonly lags: Lags;
  /** Issues the tokens of service accounts. */
  readonly accounts: AccountTokens;
  readonly logs: LogStore;
  readonly authenticator: Authenticator;
  /** The resource usage of Pods and Nodes that tests have set. */
  readonly metrics: ResourceMetrics;
  /** Calls the admission webhooks. */
  readonly admission: AdmissionWebhooks;
  /** Converts custom resources by their webhooks. */
  readonly converter: ObjectConverter;
  /** The programs in the containers of Pods. */
  readonly programs: PodProgram[];
  /** The open streams of Pods. */
  readonly streams: OpenStreams;
  /**
   * The shortest lifetime of a watch without a timeout, in milliseconds. The actual lifetime is random, less than twice
   * as long.
   */
  readonly minRequestTimeoutMs: number;
  /** The number of lines that may wait for a slow client before its watch ends. */
  readonly watchBacklogLimit: number;
}

/** A request and its context, on the way through the server. */
export interface Exchange {
  readonly server: ServerContext;
  readonly request: Request;
  readonly method: string;
  readonly query: URLSearchParams;
  readonly info: RequestInfo;
  readonly user: UserInfo;
  readonly author: RequestAuthor;
  /** The texts of the Warning headers, in order. */
  readonly warnings: string[];
}

/** A request for a resource that exists, with the negotiated representation of the answer. */
export interface ResourceExchange extends Exchange {
  readonly resource: ResourceInfo;
  readonly store: ResourceStore;
  /** The resource that webhooks see, if the request acts on another one. */
  readonly reviewed?: { readonly resource: ResourceInfo; readonly subresource: string };
  /** The request, as lags see it. */
  readonly reader: LagReader;
  readonly representation: Representation;
}

/**
 * The answer of a handler: an object that is yet to be converted to the requested view, a final text, a list that is
 * encoded in protobuf, a log, or no content (204).
 */
export type Answer =
  | { readonly type: "object"; readonly code: number; readonly text: string }
  | { readonly type: "final"; readonly code: number; readonly text: string }
  | { readonly type: "protobuf"; readonly code: number; readonly body: Uint8Array<ArrayBuffer> }
  | { readonly type: "log"; readonly body: ReadableStream<Uint8Array> }
  | { readonly type: "empty" };
