import { noopMetrics, realClock, requireCount, safeLogger, TokenBucket } from "../base/mod.ts";
import { Access, connectionAdvice, onceEach, Requester, requireRetries } from "./request/mod.ts";
import { createCredentials, Trust } from "./credentials/mod.ts";
import {
  impersonationHeaders,
  readTextFile,
  requireConfig,
  requireSafeToken,
  requireServerUrl,
} from "./config/mod.ts";
import { VERSION } from "./version.ts";
import type { ClientOptions } from "./client_options.ts";
import { connectionsFree, injectedTransport, runtimeTransport } from "./transport/mod.ts";

/** Stands for the server behind a `fetch` that was given; RFC 2606 keeps the name from meaning anything. */
const DEFAULT_SERVER = "https://kubeloop.invalid";

/** client-go's `rest.DefaultBurst`. */
const DEFAULT_BURST = 10;

/** client-go's number: eleven requests in all. */
const DEFAULT_MAX_RETRIES = 10;

/** Puts the parts of a client together, with their defaults. */
export function createRequester(options: ClientOptions): Requester {
  const { fetch, clock = realClock, metrics = noopMetrics } = options;
  const { qps, burst = DEFAULT_BURST, maxRetries = DEFAULT_MAX_RETRIES } = options;
  requireCount("burst", burst, 1);
  requireRetries(maxRetries);
  const logger = safeLogger(options.logger);
  if (options.server === undefined && fetch === undefined) {
    throw new TypeError(
      "Client needs a server: give { server }, the result of loadConfig(), or { fetch }",
    );
  }
  const server = requireServerUrl(options.server ?? DEFAULT_SERVER);
  const config = { ...options, server };
  requireConfig(config);
  if (fetch === undefined) requireSafeToken(config);
  const sources = { config, readFile: options.readFile ?? readTextFile, clock, logger };
  const warningHandler = options.warningHandler ??
    onceEach(({ text }) => logger.warn(`API server warns: ${text}`));
  return new Requester({
    server,
    userAgent: options.userAgent ?? `kubeloop/${VERSION}`,
    access: new Access({
      credentials: createCredentials(sources),
      impersonation: impersonationHeaders(options.impersonate),
      // A `fetch` that was given makes its connections itself.
      trust: fetch === undefined ? new Trust(sources) : undefined,
      transport: fetch === undefined ? runtimeTransport : () => injectedTransport(fetch),
      connectionsFree: fetch === undefined ? connectionsFree : () => Promise.resolve(),
    }),
    advise: (failure) => connectionAdvice(config, failure),
    limiter: qps === undefined ? undefined : new TokenBucket({ qps, burst, clock }),
    maxRetries,
    warningHandler,
    clock,
    logger,
    metrics,
  });
}
