import type { Environment } from "../base/mod.ts";
import type { PartialConfig, ReadFile } from "./config/mod.ts";
import type { Fetch } from "./transport/mod.ts";
import type { WarningHandler } from "./request/mod.ts";

/**
 * Options of a `Client`: a `Config`, or a `fetch` that needs none. The informers of the client inherit its environment.
 */
export interface ClientOptions extends PartialConfig, Environment {
  /**
   * Makes the requests, in place of the runtime's own `fetch` and TLS settings: an in-process server, for one. The server
   * then defaults to `https://kubeloop.invalid`.
   */
  readonly fetch?: Fetch | undefined;
  /** Sent as User-Agent; the part before the first slash becomes the field manager. Default `kubeloop/VERSION`. */
  readonly userAgent?: string | undefined;
  /**
   * Requests per second that this client allows itself; watches count only when they are retried. Default: no limit. Unlike
   * client-go, which takes 5, and like controller-runtime since 0.21: the server's priority and fairness does this better.
   */
  readonly qps?: number | undefined;
  /** With `qps`: how many requests may be made at once after a pause. Default 10, client-go's. */
  readonly burst?: number | undefined;
  /**
   * How often a request is made again when the server or the network could not take it right now; the option of a call
   * goes before it. Default 10, client-go's.
   */
  readonly maxRetries?: number | undefined;
  /** Takes every warning of the server. Default: each different one is logged once. */
  readonly warningHandler?: WarningHandler | undefined;
  /** The longest line of a watch, in bytes; a longer one ends the watch with an error. Default 16 MiB. */
  readonly maxWatchLineBytes?: number | undefined;
  /** Reads `tokenFile` and the files of certificates. Default: from the disk. */
  readonly readFile?: ReadFile | undefined;
}
