import {
  abortable,
  type Clock,
  delay,
  describeError,
  type Logger,
  type MetricsProvider,
  toError,
  type TokenBucket,
} from "../../base/mod.ts";
import { answerError } from "./answer.ts";
import type { ApiRequest, RequestLocation } from "./api_request.ts";
import { type Access, AccessError, type Sent } from "./access.ts";
import { type Call, type CallLimits, Calls, clientClosed } from "./calls.ts";
import { requestFailed } from "./request_error.ts";
import { Retries } from "./retries.ts";
import type { HeaderLine } from "../config/mod.ts";
import { handleWarnings, type WarningHandler } from "./warnings.ts";

/** Options of a {@linkcode Requester}. */
export interface RequesterOptions {
  readonly server: string;
  readonly userAgent: string;
  readonly access: Access;
  /** Returns advice to append to the message of a connection failure, or an empty string. */
  readonly advise: (failure: unknown) => string;
  readonly limiter: TokenBucket | undefined;
  /** The default for the maximum number of retries of a request. */
  readonly maxRetries: number;
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

/** A successful response whose body has not been read. The owner must call `release` in the end. */
export interface OpenAnswer extends RequestLocation {
  readonly response: Response;
  /** Aborts when the caller's signal aborts, and when the client closes. */
  readonly signal: AbortSignal;
  release(): void;
}

/**
 * Makes requests, with headers, credentials, rate limiting, retries, warnings and metrics. It returns only successful
 * responses and throws an error for the others.
 */
export class Requester {
  readonly #options: RequesterOptions;
  readonly #host: string;
  readonly #calls: Calls;

  constructor(options: RequesterOptions) {
    this.#options = options;
    this.#host = new URL(options.server).host;
    this.#calls = new Calls(options.clock);
  }

  /** Runs `fn` as one call with the given limits. `fn` passes the call to its requests as `within`. */
  call<R>(limits: CallLimits, fn: (call: Call) => Promise<R>): Promise<R> {
    return this.#calls.run(limits, fn);
  }

  /** Makes a request and reads the whole response as text. */
  text(request: ApiRequest): Promise<Answer<string>> {
    return this.#read(request, (response) => response.text());
  }

  /** Makes a request and reads the whole response as bytes. */
  bytes(request: ApiRequest): Promise<Answer<Uint8Array>> {
    return this.#read(request, async (response) => new Uint8Array(await response.arrayBuffer()));
  }

  /**
   * Makes a request and returns the response without reading its body. If a watch still fails with a transient network
   * error after its retries, the response is empty, as in client-go, which returns an empty watch.
   */
  async open(request: ApiRequest): Promise<OpenAnswer> {
    const call = this.#calls.begin(request.signal);
    const { signal } = call;
    const location = this.#locate(request, undefined);
    const answer = { ...location, signal, release: () => this.#calls.end(call) };
    try {
      return { ...answer, response: await this.#send(request, location, signal) };
    } catch (error) {
      if (error instanceof TransientFailure) return { ...answer, response: new Response(null) };
      answer.release();
      throw error;
    }
  }

  /** Ends running calls with a `TerminalError` and closes the connections. */
  async close(): Promise<void> {
    const reason = clientClosed();
    this.#calls.close(reason);
    await this.#options.access.close(reason);
  }

  #read<B>(
    request: ApiRequest,
    bodyOf: (response: Response) => Promise<B>,
  ): Promise<Answer<B>> {
    const { method, path, signal, timeoutMs, within } = request;
    if (within !== undefined) return this.#readWithin(within, request, bodyOf);
    const limits = { what: `${method} ${path}`, signal, timeoutMs };
    return this.call(limits, (call) => this.#readWithin(call, request, bodyOf));
  }

  async #readWithin<B>(
    { signal, remainingMs }: Call,
    request: ApiRequest,
    bodyOf: (response: Response) => Promise<B>,
  ): Promise<Answer<B>> {
    await this.#throttle(signal);
    const location = this.#locate(request, remainingMs());
    const response = await this.#send(request, location, signal);
    try {
      // abortable() stops waiting on an abort, also if the body ignores the signal.
      return { response, body: await abortable(bodyOf(response), signal), ...location };
    } catch (error) {
      signal.throwIfAborted();
      throw requestFailed(location, error, "");
    }
  }

  #locate({ method, path, query }: ApiRequest, timeoutMs: number | undefined): RequestLocation {
    const params = new URLSearchParams(query);
    if (timeoutMs !== undefined) params.set("timeout", `${Math.ceil(timeoutMs) / 1000}s`);
    const search = params.toString();
    return { method, url: this.#options.server + path + (search === "" ? "" : `?${search}`) };
  }

  async #throttle(signal: AbortSignal): Promise<void> {
    await this.#options.limiter?.wait({ signal });
  }

  async #send(
    request: ApiRequest,
    location: RequestLocation,
    signal: AbortSignal,
  ): Promise<Response> {
    const { access, advise, clock, logger, maxRetries } = this.#options;
    const retries = new Retries(request, maxRetries);
    let renewed = false;
    while (true) {
      let failure: Error;
      let waitMs: number | undefined;
      try {
        const { response, proof } = await this.#fetch(request, location, signal);
        if (response.ok) return response;
        // The body is read to its end, so that the connection can be reused.
        failure = answerError(response, await abortable(response.text(), signal), location);
        if (response.status === 401 && !renewed && await abortable(access.renew(proof), signal)) {
          renewed = true;
          continue;
        }
        waitMs = retries.afterAnswer(response);
      } catch (thrown) {
        signal.throwIfAborted();
        if (thrown instanceof AccessError) throw requestFailed(location, thrown.cause, "");
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
      if (waitMs === undefined) throw failure;
      this.#count("rest_client_request_retries_total", { verb: request.method });
      logger.debug(`${describeError(failure)}; retry ${retries.count} in ${waitMs} ms`);
      await delay(waitMs, { clock, signal });
      await this.#throttle(signal);
    }
  }

  async #fetch(
    request: ApiRequest,
    location: RequestLocation,
    signal: AbortSignal,
  ): Promise<Sent> {
    const { method } = request;
    const pending = this.#options.access.send(location.url, {
      method,
      headers: this.#headers(request),
      body: request.body ?? null,
      signal,
      // Following a redirect could send the token to another host.
      redirect: "manual",
      expects: request.expects ?? "other",
    });
    try {
      const sent = await abortable(pending, signal);
      this.#count("rest_client_requests_total", { method, code: `${sent.response.status}` });
      this.#warn(sent.response);
      return sent;
    } catch (error) {
      if (!(error instanceof AccessError)) {
        this.#count("rest_client_requests_total", { method, code: "<error>" });
      }
      // A fetch that ignores the signal may still resolve later. Its body is discarded.
      pending.then(({ response }) => response.body?.cancel()).catch(() => {});
      throw error;
    }
  }

  #headers({ accept = "application/json", body, contentType }: ApiRequest): HeaderLine[] {
    const headers: HeaderLine[] = [
      ["Accept", accept],
      ["User-Agent", this.#options.userAgent],
    ];
    if (body !== undefined) headers.push(["Content-Type", contentType ?? "application/json"]);
    return headers;
  }

  #warn(response: Response): void {
    const header = response.headers.get("warning");
    if (header === null) return;
    try {
      handleWarnings(header, this.#options.warningHandler);
    } catch (error) {
      this.#options.logger.error(`Warning handler threw: ${toError(error).message}`);
    }
  }

  #count(name: string, labels: Record<string, string>): void {
    this.#options.metrics.counter(name, { host: this.#host, ...labels }).inc();
  }
}

/** The error for a transient network failure of a watch after the last retry. */
class TransientFailure extends Error {}
