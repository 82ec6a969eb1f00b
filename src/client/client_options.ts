import {
  type CacheEnvironment,
  checkedElsewhere,
  describeValue,
  ENVIRONMENT_CHECKS,
  isCount,
  isFunction,
  isName,
  isRecord,
  type OptionChecks,
  requireOptions,
} from "../base/mod.ts";
import { CONFIG_CHECKS, LOOKUP_CHECKS, type PartialConfig, type ReadFile } from "./config/mod.ts";
import type { Fetch, Upgrade } from "./transport/mod.ts";
import type { Middleware, WarningHandler } from "./request/mod.ts";

/**
 * Options of a `Client`: a `Config`, or a `fetch` that needs no `Config`. The informers of the client inherit its
 * environment.
 */
export interface ClientOptions extends PartialConfig, CacheEnvironment {
  /**
   * Makes the requests instead of the runtime's own `fetch`, for example that of an in-process server. The TLS settings
   * are then not used, and `server` defaults to `https://kubeloop.invalid`.
   */
  readonly fetch?: Fetch | undefined;
  /**
   * Opens the connections of `exec`, `attach` and `portForward` instead of the sockets of the runtime, for example
   * connections to an in-process server. Without it, a client with a `fetch` has no such connections.
   */
  readonly upgrade?: Upgrade | undefined;
  /** The User-Agent. Its part before the first slash is the default field manager. Default `kubeloop/VERSION`. */
  readonly userAgent?: string | undefined;
  /**
   * The maximum number of requests per second. The retries of a watch count, but its first request does not, nor do
   * those about the Leases of a leader election or sharding. Default: no limit, as in controller-runtime since 0.21
   * and unlike client-go, which limits to 5: the server's API Priority and Fairness limits requests better.
   */
  readonly qps?: number | undefined;
  /**
   * The size of a burst: the number of requests that `qps` allows at once after a pause. Default 10, as in client-go.
   */
  readonly burst?: number | undefined;
  /**
   * The maximum number of retries of a request after a temporary failure of the server or the network. The option of a
   * call overrides this one. Default 10, as in client-go.
   */
  readonly maxRetries?: number | undefined;
  /**
   * The middleware of each try of each request, the first one first. It runs after the rate limit and before the
   * credentials are added. Default: none.
   */
  readonly middleware?: readonly Middleware[] | undefined;
  /** Called with each warning of the server. Default: logs each distinct warning once, ten in ten seconds at most. */
  readonly warningHandler?: WarningHandler | undefined;
  /** The maximum length of a line of a watch, in bytes. A longer line ends the watch with an error. Default 16 MiB. */
  readonly maxWatchLineBytes?: number | undefined;
  /**
   * The maximum size of an answer that is read as a whole, such as an object or a page of a list, in bytes after
   * decompression. A larger one is an `AnswerTooLargeError`. Default 256 MiB. An error's body is read up to 64 KiB.
   */
  readonly maxBodyBytes?: number | undefined;
  /** Reads `tokenFile` and the files of certificates and keys. Default: reads from disk. */
  readonly readFile?: ReadFile | undefined;
}

const CHECKS: OptionChecks<ClientOptions> = {
  ...CONFIG_CHECKS,
  ...ENVIRONMENT_CHECKS,
  fetch: isFunction,
  upgrade: isFunction,
  userAgent: isName,
  qps: checkedElsewhere,
  burst: isCount(1),
  maxRetries: checkedElsewhere,
  middleware: checkedElsewhere,
  warningHandler: isFunction,
  maxWatchLineBytes: isCount(1),
  maxBodyBytes: isCount(1),
  readFile: isFunction,
};

/**
 * Checks the options of a client, except for what `requireConfig()` checks.
 *
 * @throws {TypeError} If there are none, one does not exist, or cannot be used.
 * @throws {RangeError} If a number is out of range.
 */
export function requireClientOptions(options: unknown): asserts options is ClientOptions {
  if (!isRecord(options)) {
    throw new TypeError(
      `Client needs options: pass the result of loadConfig(), a server, or a fetch; received ${
        describeValue(options)
      }`,
    );
  }
  const misplaced = Object.keys(LOOKUP_CHECKS).find((name) => options[name] !== undefined);
  // An instance of a class may have members of its own.
  if (misplaced !== undefined && Object.getPrototypeOf(options) === Object.prototype) {
    throw new TypeError(
      `Client has no option "${misplaced}": give it to loadConfig(), and the result to Client`,
    );
  }
  requireOptions("Client", options, CHECKS);
}
