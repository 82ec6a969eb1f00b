import { noopMetrics, PacedLogger, realClock, safeLogger, TokenBucket } from "../base/mod.ts";
import {
  AuthenticatedTransport,
  connectionAdvice,
  onceEach,
  Redactor,
  Requester,
  requireMiddleware,
  requireRetries,
} from "./request/mod.ts";
import { Certificates, createCredentialsProvider } from "./credentials/mod.ts";
import {
  impersonationHeaders,
  proxyAuthorization,
  readTextFile,
  requireConfig,
  requireSafeToken,
  requireServerUrl,
} from "./config/mod.ts";
import { VERSION } from "./version.ts";
import type { ClientOptions } from "./client_options.ts";
import {
  connectionsFree,
  injectedTransport,
  injectedUpgrader,
  runtimeTransport,
  runtimeUpgrader,
} from "./transport/mod.ts";

/** The server URL used with `options.fetch`. RFC 2606 reserves `.invalid`, so the name never resolves. */
const DEFAULT_SERVER = "https://kubeloop.invalid";

/** client-go's `rest.DefaultBurst`. */
const DEFAULT_BURST = 10;

/**
 * Larger than a page of 500 objects of half a megabyte each, and than 100,000 Pods at once. A body that is twice as
 * large cannot become a string in V8.
 */
const DEFAULT_MAX_BODY_BYTES = 256 * 1024 * 1024;

/** The maximum in client-go: eleven requests in total. */
const DEFAULT_MAX_RETRIES = 10;

/** Creates the requester of a client, with the defaults of `options`. */
export function createRequester(options: ClientOptions): Requester {
  const { fetch, upgrade, clock = realClock, metrics = noopMetrics } = options;
  const { qps, burst = DEFAULT_BURST, maxRetries = DEFAULT_MAX_RETRIES } = options;
  const { maxBodyBytes = DEFAULT_MAX_BODY_BYTES, middleware = [] } = options;
  requireRetries(maxRetries);
  requireMiddleware(middleware);
  const redactor = new Redactor();
  const logger = safeLogger(options.logger, redactor.redact);
  if (options.server === undefined && fetch === undefined) {
    throw new TypeError(
      "Client needs a server: give { server }, the result of loadConfig(), or { fetch }",
    );
  }
  const server = requireServerUrl(options.server ?? DEFAULT_SERVER);
  const config = { ...options, server };
  requireConfig(config);
  requireSafeToken(config);
  if (options.proxyUrl !== undefined) redactor.addHeader(proxyAuthorization(options.proxyUrl));
  const sources = { config, readFile: options.readFile ?? readTextFile, clock, logger };
  const warnings = new PacedLogger(logger, clock);
  const warningHandler = options.warningHandler ??
    onceEach(({ text }) => warnings.warn(`API server warns: ${text}`));
  return new Requester({
    server,
    host: new URL(server).host,
    userAgent: options.userAgent ?? `kubeloop/${VERSION}`,
    transport: new AuthenticatedTransport({
      provider: createCredentialsProvider(sources),
      redactor,
      impersonation: impersonationHeaders(options.impersonate),
      // `options.fetch` makes its own connections.
      certificates: fetch === undefined ? new Certificates(sources) : undefined,
      transport: fetch === undefined ? runtimeTransport : () => injectedTransport(fetch),
      upgrader: upgrade !== undefined
        ? () => injectedUpgrader(upgrade)
        : fetch === undefined
        ? runtimeUpgrader
        : undefined,
      connectionsFree: fetch === undefined ? connectionsFree : () => Promise.resolve(),
    }),
    advise: (failure) => connectionAdvice(config, failure),
    limiter: qps === undefined ? undefined : new TokenBucket({ qps, burst, clock }),
    // A copy, because the caller may change the array.
    middleware: [...middleware],
    maxRetries,
    maxBodyBytes,
    redact: redactor.redact,
    warningHandler,
    clock,
    logger,
    metrics,
  });
}
