import {
  abortable,
  type Clock,
  delay,
  describeError,
  type Logger,
  type MetricsProvider,
  type Redact,
  tellUser,
  toError,
  type TokenBucket,
  withTimeLimit,
} from "../../base/mod.ts";
import { AnswerTooLargeError, StatusError } from "../../types/mod.ts";
import { answerError } from "./answer.ts";
import { AnswerLimit } from "./answer_limit.ts";
import type { ApiRequest, RequestLocation } from "./api_request.ts";
import { type AuthenticatedTransport, CredentialsError } from "./authenticated_transport.ts";
import { type Call, type CallLimits, Calls, clientClosed } from "./calls.ts";
import { readBody, readErrorBody } from "./read_body.ts";
import { type Middleware, throughMiddleware } from "./middleware.ts";
import { requestFailed } from "./request_error.ts";
import { joinObservers, type Observation } from "./client_observer.ts";
import { Retries } from "./retries.ts";
import type { HeaderLine } from "../config/mod.ts";
import type { Credentials } from "../credentials/mod.ts";
import { type TransportRequest, UnsupportedError, type Upgraded } from "../transport/mod.ts";
import { upgradeThrough } from "./upgrade_through.ts";
import { handleWarnings, type WarningHandler } from "./warnings.ts";

/** How long the answer to a request to open a WebSocket may take, in milliseconds: the server calls a kubelet first. */
const UPGRADE_MS = 60_000;

/** Options of a {@linkcode Requester}. */
export interface RequesterOptions {
  readonly server: string;
  /** The host and port of `server`, a label of metrics. */
  readonly host: string;
  readonly userAgent: string;
  readonly transport: AuthenticatedTransport;
  /** Returns advice to append to the message of a connection failure, or an empty string. */
  readonly advise: (failure: unknown) => string;
  readonly limiter: TokenBucket | undefined;
  /** The middleware of each try, before the credentials are added. */
  readonly middleware: readonly Middleware[];
  /** The default for the maximum number of retries of a request. */
  readonly maxRetries: number;
  /** The largest body, in bytes. */
  readonly maxBodyBytes: number;
  /** Replaces the credentials of the client in text from the server. */
  readonly redact: Redact;
  readonly warningHandler: WarningHandler;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: MetricsProvider;
}

/** A successful response whose body has been read. */
export interface Answer<B> extends RequestLocation {
  readonly response: Response;
  readonly body: B;
}

/** A WebSocket that the server has opened. The owner must call `release` in the end. */
export interface OpenSocket extends RequestLocation, Upgraded {
  /** Aborts when the caller's signal aborts, and when the client closes. */
  readonly signal: AbortSignal;
  release(): void;
}

/** A successful response whose body has not been read. The owner must call `release` in the end. */
export interface OpenAnswer extends RequestLocation {
  readonly response: Response;
  /** Aborts when the caller's signal aborts, and when the client closes. */
  readonly signal: AbortSignal;
  /** The limit that ended when the answer began. Its owner may start it again for the next part; it aborts `signal`. */
  readonly limit: AnswerLimit | undefined;
  release(): void;
}

/**
 * Makes requests, with headers, credentials, rate limiting, retries, warnings and metrics. It returns only successful
 * responses and throws an error for the others.
 */
export class Requester {
  readonly #options: RequesterOptions;
  readonly #calls: Calls;
  readonly #observation: Observation | undefined;

  /** @param observed The calls of the requester that this one is derived from, and the observer of its requests. */
  constructor(options: RequesterOptions, observed?: { by: Observation; calls: Calls }) {
    this.#options = options;
    this.#calls = observed?.calls ?? new Calls(options.clock);
    this.#observation = observed?.by;
  }

  /** Returns a requester that shares the connections and calls of this one, and reports its requests to an observer. */
  observed(
    { observer, signal, unlimited, metrics = this.#options.metrics }: Observation,
  ): Requester {
    const limiter = unlimited === true ? undefined : this.#options.limiter;
    const by = {
      observer: joinObservers(this.#observation?.observer, observer),
      signal: this.#boundSignal(signal),
    };
    return new Requester({ ...this.#options, metrics, limiter }, { by, calls: this.#calls });
  }

  /** Returns a requester that shares the connections and calls of this one, and has more middleware. */
  using(middleware: readonly Middleware[]): Requester {
    const all = [...this.#options.middleware, ...middleware];
    const by = this.#observation ?? { observer: {} };
    return new Requester({ ...this.#options, middleware: all }, { by, calls: this.#calls });
  }

  /** The name that the server takes for the field manager of a write that does not give one. */
  get fieldManager(): string {
    return this.#options.userAgent.split("/", 1)[0] ?? "";
  }

  /** The logger, which replaces the credentials of the client in its lines. */
  get logger(): Logger {
    return this.#options.logger;
  }

  /** Runs `fn` as one call with the given limits. `fn` passes the call to its requests as `within`. */
  call<R>(limits: CallLimits, fn: (call: Call) => Promise<R>): Promise<R> {
    return this.#calls.run({ ...limits, signal: this.#boundSignal(limits.signal) }, fn);
  }

  /**
   * Begins a call that lasts until `release`, and makes requests of its own. Its signal aborts with `signal`, and when
   * the client closes.
   *
   * @param what The description of the call in the error of a closed client.
   */
  begin(
    signal: AbortSignal | undefined,
    what?: string,
  ): { readonly signal: AbortSignal; release(): void } {
    const call = this.#calls.begin(this.#boundSignal(signal), what);
    return { signal: call.signal, release: () => this.#calls.end(call) };
  }

  /** The clock of the client. */
  get clock(): Clock {
    return this.#options.clock;
  }

  /** Makes a request and reads the whole response as text. */
  text(request: ApiRequest): Promise<Answer<string>> {
    return this.#read(request, (bytes) => new TextDecoder().decode(bytes));
  }

  /** Makes a request and reads the whole response as bytes. */
  bytes(request: ApiRequest): Promise<Answer<Uint8Array>> {
    return this.#read(request, (bytes) => bytes);
  }

  /**
   * Makes a request and returns the response without reading its body. If a watch still fails with a transient network
   * error after its retries, the response is empty, as in client-go, which returns an empty watch.
   */
  async open(request: ApiRequest): Promise<OpenAnswer> {
    const call = this.#calls.begin(this.#boundSignal(request.signal), callOf(request));
    const { signal } = call;
    const { target, location } = this.#locate(request, undefined);
    const isLimited = request.timeoutMs !== Infinity;
    const limit = this.#limitOf(request, isLimited ? (error) => call.abort(error) : undefined);
    const answer = { ...location, signal, limit, release: () => this.#calls.end(call) };
    try {
      const send = (audit: Audit | undefined) =>
        this.#send(request, target, location, { signal, limit, audit });
      const response = await this.#watched(request, send);
      limit?.pause();
      return { ...answer, response };
    } catch (error) {
      limit?.end();
      if (error instanceof TransientFailure) return { ...answer, response: new Response(null) };
      answer.release();
      throw error;
    }
  }

  /**
   * Asks the server to open a WebSocket with one of `protocols`. Nothing is retried, but with credentials that the
   * server refuses and that can be renewed, it asks once more.
   *
   * @throws {StatusError} If the server refuses.
   */
  async upgrade(request: ApiRequest, protocols: readonly string[]): Promise<OpenSocket> {
    const call = this.#calls.begin(this.#boundSignal(request.signal), callOf(request));
    const { signal } = call;
    const { target, location: { method, redact } } = this.#locate(request, undefined);
    // The query has the command, which may have a password among its arguments.
    const location = { method, redact, url: redact(this.#options.server + request.path) };
    try {
      await this.#throttle(signal);
      const upgraded = await this.#openSocket(request, target, location, protocols, signal);
      return { ...location, ...upgraded, signal, release: () => this.#calls.end(call) };
    } catch (error) {
      this.#calls.end(call);
      throw error;
    }
  }

  /** Ends running calls with a `TerminalError` and closes the connections. Does nothing in a derived requester. */
  async close(): Promise<void> {
    if (this.#observation !== undefined) return;
    this.#calls.close();
    await this.#options.transport.close(clientClosed());
  }

  #read<B>(
    request: ApiRequest,
    bodyOf: (bytes: Uint8Array) => B,
  ): Promise<Answer<B>> {
    const { signal, timeoutMs, within } = request;
    if (within !== undefined) return this.#readWithin(within, request, bodyOf);
    const limits = { what: callOf(request), signal, timeoutMs };
    return this.call(limits, (call) => this.#readWithin(call, request, bodyOf));
  }

  async #readWithin<B>(
    { signal, remainingMs, late }: Call,
    request: ApiRequest,
    bodyOf: (bytes: Uint8Array) => B,
  ): Promise<Answer<B>> {
    await this.#throttle(signal);
    const { target, location } = this.#locate(request, remainingMs());
    const limit = this.#limitOf(request, late);
    try {
      const send = (audit: Audit | undefined) =>
        this.#send(request, target, location, { signal, limit, audit });
      const response = await this.#watched(request, send);
      return await this.#readAnswer(response, location, { signal, limit }, bodyOf);
    } finally {
      limit?.end();
    }
  }

  async #readAnswer<B>(
    response: Response,
    location: RequestLocation,
    { signal, limit }: TryLimits,
    bodyOf: (bytes: Uint8Array) => B,
  ): Promise<Answer<B>> {
    const { maxBodyBytes } = this.#options;
    try {
      const reading = readBody(response, {
        maxBytes: maxBodyBytes,
        signal,
        onBytes: (bytes) => limit?.received(bytes),
      });
      // abortable() stops waiting on an abort, also if the body ignores the signal.
      const bytes = await abortable(reading, signal);
      return { response, body: bodyOf(bytes), ...location };
    } catch (error) {
      signal.throwIfAborted();
      if (AnswerTooLargeError.is(error)) {
        throw new AnswerTooLargeError(maxBodyBytes, `${location.method} ${location.url}`);
      }
      throw requestFailed(location, error, "");
    }
  }

  /** Tells the observer that a request begins, and when it has ended. */
  async #watched(
    { body, method, path }: ApiRequest,
    send: (audit: Audit | undefined) => Promise<Response>,
  ): Promise<Response> {
    const observer = this.#observation?.observer;
    if (observer?.ended === undefined) return await send(undefined);
    const audit: Audit = { id: undefined };
    const { clock } = this.#options;
    const startedMs = clock.now();
    observer.begins?.({ method, path });
    try {
      const response = await send(audit);
      const { status } = response;
      const durationMs = clock.now() - startedMs;
      observer.ended({ method, path, status, durationMs, auditId: audit.id, body });
      return response;
    } catch (error) {
      const status = StatusError.is(error) ? error.code : undefined;
      const durationMs = clock.now() - startedMs;
      observer.ended({ method, path, status, error, durationMs, auditId: audit.id, body });
      throw error;
    }
  }

  /** Returns the signal of a call that the observer's signal ends as well. */
  #boundSignal(signal: AbortSignal | undefined): AbortSignal | undefined {
    const bound = this.#observation?.signal;
    if (bound === undefined || signal === undefined || signal === bound) return signal ?? bound;
    return AbortSignal.any([signal, bound]);
  }

  /** Returns the URL of a request, and its location for error messages. */
  #locate(
    { method, path, query }: ApiRequest,
    timeoutMs: number | undefined,
  ): { readonly target: string; readonly location: RequestLocation } {
    const params = new URLSearchParams(query);
    if (timeoutMs !== undefined) params.set("timeout", `${Math.ceil(timeoutMs) / 1000}s`);
    const search = params.toString();
    const target = this.#options.server + path + (search === "" ? "" : `?${search}`);
    const { redact } = this.#options;
    // A resource version or a continue token comes from the server.
    return { target, location: { method, url: redact(target), redact } };
  }

  async #throttle(signal: AbortSignal): Promise<void> {
    await this.#options.limiter?.wait({ signal });
  }

  /** Returns the time limit of the answer to a request; undefined if the caller has set another. */
  #limitOf(
    request: ApiRequest,
    late: ((error: DOMException) => void) | undefined,
  ): AnswerLimit | undefined {
    if (late === undefined) return undefined;
    return new AnswerLimit(this.#options.clock, callOf(request), late);
  }

  async #send(
    request: ApiRequest,
    target: string,
    location: RequestLocation,
    limits: TryLimits,
  ): Promise<Response> {
    const { signal, limit } = limits;
    const { transport, advise, clock, logger, maxRetries } = this.#options;
    const retries = new Retries(request, maxRetries);
    let renewed = false;
    while (true) {
      let failure: Error;
      let waitMs: number | undefined;
      try {
        const { response, credentials } = await this.#fetch(request, target, limits);
        if (response.ok) return response;
        // The body of an error has a limit of its own.
        limit?.pause();
        // The body is read to its end, if that is near, so that the connection can be reused.
        const text = await abortable(
          readErrorBody(response, clock, signal, request.readStatus),
          signal,
        );
        const refusal = answerError(response, text, location);
        failure = refusal;
        if (
          response.status === 401 && !renewed && credentials !== undefined &&
          await abortable(transport.renew(credentials), signal)
        ) {
          renewed = true;
          continue;
        }
        waitMs = retries.afterAnswer(response);
        if (waitMs !== undefined && waitMs < (refusal.retryAfterMs ?? 0)) {
          const seconds = (refusal.retryAfterMs ?? 0) / 1000;
          logger.warn(
            `${failure.message}: the server asks to wait ${seconds} s, trying again in ${waitMs} ms`,
          );
        }
      } catch (thrown) {
        signal.throwIfAborted();
        if (thrown instanceof CredentialsError) throw requestFailed(location, thrown.cause, "");
        if (thrown instanceof RefusedRequest) throw thrown.cause;
        waitMs = retries.afterFailure(thrown);
        failure = requestFailed(location, thrown, advise(thrown) + retries.history);
        if (
          waitMs === undefined && retries.count > 0 && request.expects === "watch" &&
          retries.isTransient(thrown)
        ) {
          logger.warn(`${failure.message}; given up after ${retries.count} retries`);
          throw new TransientFailure(failure.message);
        }
      }
      limit?.pause();
      if (waitMs === undefined) throw failure;
      this.#count("rest_client_request_retries_total", { verb: request.method });
      logger.debug(`${describeError(failure)}; retry ${retries.count} in ${waitMs} ms`);
      await delay(waitMs, { clock, signal });
      await this.#throttle(signal);
    }
  }

  async #openSocket(
    request: ApiRequest,
    target: string,
    location: RequestLocation,
    protocols: readonly string[],
    signal: AbortSignal,
  ): Promise<Upgraded> {
    const { transport, advise, clock } = this.#options;
    for (let renewed = false;; renewed = true) {
      const { answer, credentials } = await withTimeLimit({
        clock,
        signal,
        limitMs: UPGRADE_MS,
        late: () => new Error(`no answer within ${UPGRADE_MS / 1000} s`),
      }, (signal) => this.#sendUpgrade(request, target, protocols, signal)).catch((thrown) => {
        signal.throwIfAborted();
        if (thrown instanceof UnsupportedError) throw thrown;
        if (thrown instanceof RefusedRequest) throw thrown.cause;
        const isCredentials = thrown instanceof CredentialsError;
        throw requestFailed(
          location,
          isCredentials ? thrown.cause : thrown,
          isCredentials ? "" : advise(thrown),
        );
      });
      if ("socket" in answer) return answer;
      const text = await abortable(readErrorBody(answer, clock, signal), signal);
      if (
        answer.status === 401 && !renewed && credentials !== undefined &&
        await abortable(transport.renew(credentials), signal)
      ) {
        continue;
      }
      throw answerError(answer, text, location);
    }
  }

  async #sendUpgrade(
    request: ApiRequest,
    target: string,
    protocols: readonly string[],
    signal: AbortSignal,
  ): Promise<
    { readonly answer: Response | Upgraded; readonly credentials: Credentials | undefined }
  > {
    const { method, path } = request;
    const { transport, clock, middleware } = this.#options;
    const observer = this.#observation?.observer;
    const startedMs = clock.now();
    let credentials: Credentials | undefined;
    const open = async (
      url: string,
      parts: Pick<TransportRequest, "headers" | "signal">,
    ): Promise<Response | Upgraded> => {
      const sent = await transport.upgrade(url, { ...parts, protocols }, () => {
        this.#beforeSend(request, signal);
      });
      credentials = sent.credentials;
      return sent.answer;
    };
    observer?.begins?.({ method, path });
    const headers = this.#headers(request);
    const pending = middleware.length === 0 ? open(target, { headers, signal }) : upgradeThrough(
      middleware,
      { method, url: target, headers: asHeaders(headers), body: null, signal },
      ({ headers, signal, url }) => open(url, { headers: [...headers], signal }),
    );
    try {
      const answer = await abortable(pending, signal);
      const status = "socket" in answer ? 101 : answer.status;
      this.#count("rest_client_requests_total", { method, code: `${status}` });
      observer?.ended?.({ method, path, status, durationMs: clock.now() - startedMs });
      return { answer, credentials };
    } catch (error) {
      if (!(error instanceof CredentialsError || error instanceof RefusedRequest)) {
        this.#count("rest_client_requests_total", { method, code: "<error>" });
      }
      const durationMs = clock.now() - startedMs;
      observer?.ended?.({ method, path, status: undefined, error, durationMs });
      // An upgrade that ignores the signal may still open a connection later.
      pending.then((answer) => "socket" in answer && answer.socket.destroy(error))
        .catch(() => {});
      throw error;
    }
  }

  /** Makes one try. `credentials` is undefined if a middleware has answered. */
  async #fetch(
    request: ApiRequest,
    target: string,
    { signal, limit, audit }: TryLimits,
  ): Promise<{ readonly response: Response; readonly credentials: Credentials | undefined }> {
    const { method } = request;
    const { transport, middleware } = this.#options;
    let credentials: Credentials | undefined;
    const send = async (
      url: string,
      parts: Pick<TransportRequest, "method" | "headers" | "body" | "signal">,
    ): Promise<Response> => {
      const sent = await transport.send(url, {
        ...parts,
        // Following a redirect could send the token to another host.
        redirect: "manual",
        expects: request.expects ?? "other",
      }, () => {
        // Not before: credentials may come from a program that waits for a person.
        limit?.start();
        this.#beforeSend(request, signal);
      });
      credentials = sent.credentials;
      return sent.response;
    };
    const parts = { method, body: request.body ?? null, signal };
    const headers = this.#headers(request);
    // A middleware may never send the request.
    if (middleware.length > 0) limit?.start();
    const pending = middleware.length === 0
      ? send(target, { ...parts, headers })
      : throughMiddleware(
        middleware,
        { ...parts, url: target, headers: asHeaders(headers) },
        ({ headers, url, ...rest }) => send(url, { ...rest, headers: [...headers] }),
      );
    try {
      const response = await abortable(pending, signal);
      this.#count("rest_client_requests_total", { method, code: `${response.status}` });
      this.#warn(response);
      if (audit !== undefined) audit.id = auditIdOf(response);
      return { response, credentials };
    } catch (error) {
      if (!(error instanceof CredentialsError || error instanceof RefusedRequest)) {
        this.#count("rest_client_requests_total", { method, code: "<error>" });
      }
      // A fetch that ignores the signal may still resolve later. Its body is discarded.
      pending.then((response) => response.body?.cancel()).catch(() => {});
      throw error;
    }
  }

  /** Asks the observer just before a request is sent. */
  #beforeSend({ method, path }: ApiRequest, signal: AbortSignal): void {
    const observer = this.#observation?.observer;
    if (observer?.sends === undefined) return;
    const refusal = observer.sends({ method, path });
    signal.throwIfAborted();
    if (refusal !== undefined) throw new RefusedRequest(refusal);
  }

  #headers(request: ApiRequest): HeaderLine[] {
    const { accept = "application/json", body, contentType, expects } = request;
    const headers: HeaderLine[] = [
      ["Accept", accept],
      ["User-Agent", this.#options.userAgent],
    ];
    if (body !== undefined) headers.push(["Content-Type", contentType ?? "application/json"]);
    // An event must not wait for a compression block to fill. Since Kubernetes 1.37 each flush of a streaming list is a
    // gzip member of its own (watch.go, perFlushGzipWriter), and Deno takes the end of the first for the end of the body.
    if (expects === "watch" || expects === "log") headers.push(["Accept-Encoding", "identity"]);
    return headers;
  }

  #warn(response: Response): void {
    const header = response.headers.get("warning");
    if (header === null) return;
    const { logger, redact, warningHandler } = this.#options;
    handleWarnings(header, redact, (warning) =>
      tellUser(
        () => warningHandler(warning),
        (error) => logger.error(`Warning handler threw: ${toError(error).message}`),
      ));
  }

  #count(name: string, labels: Record<string, string>): void {
    const { host, metrics } = this.#options;
    metrics.counter(name, { host, ...labels }).inc();
  }
}

/** The observer has refused to send a request; `cause` is the error of its caller. */
class RefusedRequest extends Error {
  override readonly name: string = "RefusedRequest";

  constructor(cause: Error) {
    super("Not sent", { cause });
  }
}

function asHeaders(lines: readonly HeaderLine[]): Headers {
  return new Headers(lines.map(([name, value]): [string, string] => [name, value]));
}

/** The limits of one try of a request. */
interface TryLimits {
  readonly signal: AbortSignal;
  /** The time limit of the answer; undefined if the caller has set another. */
  readonly limit: AnswerLimit | undefined;
  /** Receives the `Audit-Id` of the answer; undefined if no observer wants it. */
  readonly audit?: Audit | undefined;
}

/** The `Audit-Id` of the last answer to a request. */
interface Audit {
  id: string | undefined;
}

/** The characters of an `Audit-Id`, which is a UUID unless the caller has chosen another one. */
const AUDIT_ID = /^[A-Za-z0-9._-]{1,64}$/;

/** Returns the `Audit-Id` of an answer; undefined if it has none, or an unusual one. */
function auditIdOf({ headers }: Response): string | undefined {
  const id = headers.get("audit-id");
  return id !== null && AUDIT_ID.test(id) ? id : undefined;
}

/** Returns the description of a request in messages of errors. The query may be long, or confidential. */
function callOf({ method, path }: ApiRequest): string {
  return `${method} ${path}`;
}

/** The error for a transient network failure of a watch after the last retry. */
class TransientFailure extends Error {}
