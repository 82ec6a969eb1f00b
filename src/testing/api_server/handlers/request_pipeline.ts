import { attributesOf, Impersonator, ISSUER } from "../access/mod.ts";
import {
  isBareSpecialPath,
  isLongRunning,
  negotiateFailure,
  parseDecodedRequestInfo,
  removeFlowHeaders,
  type RequestInfo,
  requireConsumed,
  requireRoutableAs,
  requireTimeout,
  type ResponseWriter,
  targetOf,
  warningHeaders,
} from "../http/mod.ts";
import {
  discoveryAnswer,
  healthAnswer,
  healthMetricsAnswer,
  metricsAnswer,
  openApiAnswer,
  RequestCounts,
  type RequestLabels,
  resourceLabels,
  rootPathsText,
  statusPageAnswer,
  systemLabels,
  tokenKeysAnswer,
  versionText,
} from "../discovery/mod.ts";
import { metricsApiAnswer } from "../metrics/mod.ts";
import { connect, connectionOf } from "./connections.ts";
import type { Answer, Exchange, ResourceExchange, ServerContext } from "./exchange.ts";
import { ApiError, internalFailure, methodNotAllowed, noSuchResource } from "../../values/mod.ts";
import { isApply } from "./patch_type.ts";
import { protobufOf } from "./protobuf_answer.ts";
import { resolveHandler, resourceExchange } from "./router.ts";
import { objectView } from "./views.ts";
import type { Span } from "../release/mod.ts";
import type { RequestAuthor } from "../storage/mod.ts";
import { RequestObservers } from "./request_observers.ts";
import { openWatch } from "./watch_handler.ts";

/** The parsed target of a request. */
interface Asked {
  readonly url: URL;
  readonly query: URLSearchParams;
  readonly info: RequestInfo;
  /** Whether the request got as far as flow control, which long-running requests do not pass. */
  isControlled: boolean;
  /** Set when the request reaches a handler that counts: a path that nothing serves is not counted, as in a real server. */
  labels?: RequestLabels;
  /** The sender. The name of the user is known once it is authenticated. */
  readonly author: { -readonly [Name in keyof RequestAuthor]: RequestAuthor[Name] };
}

/** Servers that compress streaming lists. */
const COMPRESSED_LISTS: Span = { since: "1.37", gate: "WatchListCompression" };

/** Takes a request through the server: authentication, authorization, routing, the handler, and the response. */
export class RequestPipeline {
  readonly #server: ServerContext;
  readonly #writer: ResponseWriter;
  readonly #requests = new RequestCounts();
  readonly #impersonator: Impersonator;
  /** The listeners for answered requests. */
  readonly observers: RequestObservers;

  /** Creates a pipeline into `server`. */
  constructor(server: ServerContext, writer: ResponseWriter) {
    this.#server = server;
    this.#writer = writer;
    this.observers = new RequestObservers(server.logger);
    this.#impersonator = new Impersonator(server.authorizer, server.registry.release);
  }

  /**
   * Answers a request. A failure becomes an answer too; only an aborted request rejects.
   *
   * @param gzip Whether to compress large answers.
   */
  async answer(request: Request, gzip: boolean): Promise<Response> {
    const { url, query, info } = targetOf(request);
    let asked: Asked | undefined;
    let response: Response;
    let message: string | undefined;
    const startMs = this.observers.areAny ? this.#server.clock.now() : 0;
    // As the outermost handler of a real server answers, without authentication.
    if (isBareSpecialPath(url.pathname)) return this.#writer.unknownRequest(url);
    try {
      const author = authorOf(request, query);
      asked = { url, query, info, isControlled: false, author };
      response = await this.#dispatch(request, asked, gzip);
    } catch (error) {
      const refused = ApiError.is(error) ? error : this.#unexpected(request, error);
      const style = negotiateFailure(request.headers, url.searchParams);
      response = this.#writer.error(refused, style);
      message = refused.status.message;
    }
    if (asked?.isControlled !== true) removeFlowHeaders(response.headers);
    if (asked?.labels !== undefined) this.#requests.add(asked.labels, response.status);
    if (asked !== undefined && this.observers.areAny) {
      this.observers.tell(info, {
        method: request.method,
        query,
        author: asked.author,
        code: response.status,
        message,
        durationMs: this.#server.clock.now() - startMs,
      });
    }
    if (request.method !== "HEAD") return response;
    return new Response(null, { status: response.status, headers: response.headers });
  }

  /** Handles a bug of the server: logs it, and returns the 500 that a real server answers for its own bugs. */
  #unexpected(request: Request, error: unknown): ApiError {
    if (request.signal.aborted) throw request.signal.reason;
    const { logger } = this.#server;
    logger.error(`The API server failed on ${request.method} ${request.url}`, error);
    return internalFailure(error instanceof Error ? error.message : String(error));
  }

  async #dispatch(request: Request, counted: Asked, gzip: boolean): Promise<Response> {
    const { url, query, info } = counted;
    const { headers, method } = request;
    const { authenticator, authorizer, registry } = this.#server;
    // As Go's server answers before any handler is asked.
    if (/%(?![0-9a-f]{2})/i.test(url.pathname)) return this.#writer.malformedPath();
    requireTimeout(info, query);
    const caller = authenticator.authenticate(headers);
    // The authorized path must always be the path that is served.
    const asked = info.malformed ? parseDecodedRequestInfo(method, url.pathname, query) : info;
    const attributes = attributesOf(asked);
    const user = this.#impersonator.userOf(headers, caller, attributes);
    counted.isControlled = !isLongRunning(asked);
    authorizer.require(user, attributes);
    const server = this.#server;
    const { author } = counted;
    author.user = user.username;
    const exchange: Exchange = { server, request, method, query, info, user, author, warnings: [] };
    if (!info.isResource) {
      const labels = systemLabels(info.path, method);
      if (labels !== undefined) counted.labels = labels;
      return this.#nonResource(exchange, url);
    }
    const connection = connectionOf(exchange);
    if (connection !== undefined) {
      counted.labels = resourceLabels(info, query, { connects: true, applies: false });
    }
    if (info.group === "metrics.k8s.io" && server.metrics.isServed) {
      const { clock, metrics, storage } = server;
      const stores = { pods: storage.store("pods"), nodes: storage.store("nodes") };
      const wallMs = clock.wallNow();
      return metricsApiAnswer({
        info,
        method,
        headers,
        query,
        writer: this.#writer,
        metrics,
        stores,
        wallMs,
      });
    }
    if (registry.versions(info.group).length === 0) return this.#writer.pageNotFound();
    try {
      if (connection !== undefined) return await connect(exchange, connection);
      const resourced = resourceExchange(exchange);
      if (resourced === undefined) return this.#writer.pageNotFound();
      counted.labels = resourceLabels(resourced.info, query, {
        connects: resourced.info.subresource === "log",
        applies: isApply(request),
      });
      return await this.#answerResource(resourced, gzip);
    } catch (error) {
      if (!ApiError.is(error) || exchange.warnings.length === 0) throw error;
      const shown = warningHeaders(exchange.warnings).join(", ");
      throw new ApiError(error.status, { ...error.headers, Warning: shown });
    }
  }

  async #answerResource(resourced: ResourceExchange, gzip: boolean): Promise<Response> {
    const resolved = resolveHandler(resourced);
    if (resolved.watch) {
      const { body, contentType, isList } = await openWatch(resourced);
      const isCompressed = gzip && isList && this.#server.registry.release.has(COMPRESSED_LISTS);
      const response = this.#writer.stream(body, contentType, isCompressed);
      return this.#warned(resourced, response);
    }
    return this.#write(resourced, await resolved.handler(resourced), gzip);
  }

  #nonResource({ info, method, query, request }: Exchange, url: URL): Response {
    const { path } = info;
    const { registry } = this.#server;
    const health = healthAnswer(path, query, this.#writer, registry.release);
    if (health !== undefined) return health;
    const page = statusPageAnswer(path, request.headers, registry.release, this.#writer);
    if (page !== undefined) return page;
    if (path === "/metrics/slis") return healthMetricsAnswer(registry.release, this.#writer);
    if (path === "/metrics") {
      const { storage } = this.#server;
      const objects = [...storage.entries()].map(([name, { size }]) => [name, size] as const);
      const source = { release: registry.release, requests: this.#requests, objects };
      return metricsAnswer(method, source, this.#writer);
    }
    const keys = tokenKeysAnswer(path, request, this.#writer, () => ({
      issuer: ISSUER,
      jwk: this.#server.accounts.key.jwk,
    }));
    if (keys !== undefined) return keys;
    if (path.startsWith("/version/") && path !== "/version/") throw noSuchResource();
    if (path === "/" || path === "/index.html") {
      return this.#writer.json(200, rootPathsText(registry), { pretty: true });
    }
    if (path === "/version" || path === "/version/") {
      if (method !== "GET") throw methodNotAllowed();
      requireConsumed(request, ["application/json"]);
      requireRoutableAs(request.headers, "application/json");
      return this.#writer.json(200, versionText(this.#server.registry.release), { pretty: true });
    }
    if (/^\/openapi\/v[23](\/|$)/.test(path)) {
      const nowMs = this.#server.clock.wallNow();
      return openApiAnswer({ path, query, request, registry, writer: this.#writer, nowMs });
    }
    const discovery = discoveryAnswer({
      path,
      host: url.host,
      query,
      request,
      registry,
      writer: this.#writer,
    });
    return discovery ?? this.#writer.pageNotFound();
  }

  #write(exchange: ResourceExchange, answer: Answer, gzip: boolean): Response {
    if (answer.type === "empty") return this.#writer.empty();
    if (answer.type === "log") return this.#writer.stream(answer.body, "text/plain");
    if (answer.type === "protobuf") {
      return this.#warned(exchange, this.#writer.protobuf(answer.code, answer.body, gzip));
    }
    const { representation, resource, server } = exchange;
    // The handlers convert lists to the requested view themselves; single objects are converted here.
    const text = answer.type === "object"
      ? objectView(resource, answer.text, representation, server.clock.wallNow())
      : answer.text;
    return this.#warned(exchange, this.#encode(exchange, answer.code, text, gzip));
  }

  #encode(
    { representation: { format, pretty }, server }: ResourceExchange,
    code: number,
    text: string,
    gzip: boolean,
  ): Response {
    if (format === "protobuf") return this.#writer.protobuf(code, protobufOf(text, server), gzip);
    if (format === "yaml") return this.#writer.yaml(code, text, gzip);
    return this.#writer.json(code, text, { pretty, gzip });
  }

  #warned({ warnings }: ResourceExchange, response: Response): Response {
    for (const header of warningHeaders(warnings)) response.headers.append("Warning", header);
    return response;
  }
}

function authorOf({ headers }: Request, query: URLSearchParams): RequestAuthor {
  return {
    userAgent: headers.get("user-agent") ?? "",
    user: "",
    fieldManager: query.get("fieldManager") ?? "",
  };
}
