import { defaultLogger, noopMetrics, realClock, TokenBucket } from "../base/mod.ts";
import { Credentials } from "./_credentials.ts";
import { readTextFile } from "./_environment.ts";
import { Requester } from "./_requester.ts";
import { VERSION } from "./_version.ts";
import type { ClientOptions } from "./client_options.ts";
import { requireSafeToken, requireServerUrl, requireTlsSettings } from "./config.ts";
import { injectedTransport, runtimeTransport } from "./transport.ts";
import { onceEach } from "./warnings.ts";

/** Stands for the server behind a `fetch` that was given; RFC 2606 keeps the name from meaning anything. */
const DEFAULT_SERVER = "https://kubeloop.invalid";

/** client-go's `rest.DefaultBurst`. */
const DEFAULT_BURST = 10;

/** Puts the parts of a client together, with their defaults. */
export function createRequester(options: ClientOptions): Requester {
  const { fetch, clock = realClock, logger = defaultLogger, metrics = noopMetrics } = options;
  if (options.server === undefined && fetch === undefined) {
    throw new TypeError(
      "Client needs a server: give { server }, the result of loadConfig(), or { fetch }",
    );
  }
  const server = requireServerUrl(options.server ?? DEFAULT_SERVER);
  requireTlsSettings(options);
  if (fetch === undefined) requireSafeToken({ ...options, server });
  const warningHandler = options.warningHandler ??
    onceEach(({ text }) => logger.warn(`API server warns: ${text}`));
  return new Requester({
    server,
    userAgent: options.userAgent ?? `kubeloop/${VERSION}`,
    transport: fetch === undefined ? runtimeTransport(options) : injectedTransport(fetch),
    credentials: new Credentials({
      config: options,
      readFile: options.readFile ?? readTextFile,
      clock,
      logger,
    }),
    limiter: options.qps === undefined
      ? undefined
      : new TokenBucket({ qps: options.qps, burst: options.burst ?? DEFAULT_BURST, clock }),
    warningHandler,
    clock,
    logger,
    metrics,
  });
}
