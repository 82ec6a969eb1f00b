import {
  type Clock,
  delay,
  LinkedAbort,
  requireCount,
  requireDelay,
  requireEach,
  requireSync,
} from "@kubeloop/controller/internal/base";
import type { Status } from "@kubeloop/controller/types";
import { type Cut, cutBody, openBody, type Soon } from "./fault_bodies.ts";
import { ApiError, encodeJson, expired, failure, type Json } from "../../values/mod.ts";
import { watchFrame } from "../schema/mod.ts";
import { negotiateFailure, watchFormat } from "./negotiation.ts";
import { encodeStatus, PROTOBUF_STREAM } from "./protobuf_body.ts";
import { targetOf } from "./request_info.ts";
import type { ResponseWriter } from "./responses.ts";

const encoder = new TextEncoder();

/** A request, as the predicate of a fault sees it. */
export interface FaultRequest {
  /** The HTTP method. */
  readonly method: string;
  /** The URL, including the query. */
  readonly url: URL;
  /**
   * The verb: `get`, `list`, `watch`, `create`, `update`, `patch`, `delete` or `deletecollection`. For other paths, the
   * method in lower case.
   */
  readonly verb: string;
  /** The API group; empty for the core group. */
  readonly group: string;
  /** The resource, as in `pods`; empty for other paths. */
  readonly resource: string;
  /** The subresource, as in `status`; empty if the path has none. */
  readonly subresource: string;
  /** The namespace; empty if the path has none. */
  readonly namespace: string;
  /** The name of the object; empty for collections. */
  readonly name: string;
  /** The request headers. */
  readonly headers: Headers;
}

/** The requests that a fault affects. */
export interface FaultTarget {
  /** Reports whether the fault affects this request. Default: it affects every request. */
  readonly when?: ((request: FaultRequest) => boolean) | undefined;
  /** The number of requests, at least 1, after which the fault removes itself. Default: it stays until it is removed. */
  readonly times?: number | undefined;
}

/** An injected fault. */
export interface Fault {
  /** The number of requests that the fault has affected. */
  readonly hits: number;
  /** Removes the fault. Does nothing if it is already removed. */
  remove(): void;
}

type Next = (request: Request) => Promise<Response>;

/** The effect of a fault: it answers itself, passes the request on, or changes the answer. */
type Effect = (request: Request, next: Next, info: FaultRequest) => Promise<Response>;

class ActiveFault implements Fault {
  readonly target: FaultTarget;
  readonly effect: Effect;
  hits = 0;
  readonly #faults: Set<ActiveFault>;

  constructor(faults: Set<ActiveFault>, target: FaultTarget, effect: Effect) {
    this.#faults = faults;
    this.target = target;
    this.effect = effect;
  }

  /** Reports whether the fault affects this request, and counts it. */
  takes(info: FaultRequest): boolean {
    const { when, times } = this.target;
    if (when !== undefined && !requireSync("when", when(info))) return false;
    this.hits++;
    if (times !== undefined && this.hits >= times) this.remove();
    return true;
  }

  remove(): void {
    this.#faults.delete(this);
  }
}

/**
 * Injects faults, to test how a client handles failures. Faults apply in the order in which they were added: each wraps
 * the ones after it and, in the end, the server. A predicate runs once per request.
 *
 * @example The first list fails
 * ```ts
 * import { ApiServer } from "@kubeloop/testing";
 * import { assertEquals } from "@std/assert";
 *
 * await using server = new ApiServer();
 * server.faults.fail(503, { times: 1, when: ({ verb }) => verb === "list" });
 * const path = "http://cluster/api/v1/pods";
 * assertEquals((await server.fetch(path)).status, 503);
 * assertEquals((await server.fetch(path)).status, 200);
 * ```
 */
export class FaultInjector {
  readonly #clock: Clock;
  readonly #writer: ResponseWriter;
  readonly #soon: Soon;
  readonly #faults = new Set<ActiveFault>();
  /** The functions that end the bodies that stay open. */
  readonly #open = new Set<() => void>();
  readonly #closed = new AbortController();

  /**
   * Creates an injector without faults. `clock` measures delays, `writer` adds the headers of the API server, `soon`
   * gives the end of a request a turn of its own.
   */
  constructor(clock: Clock, writer: ResponseWriter, soon: Soon) {
    this.#clock = clock;
    this.#writer = writer;
    this.#soon = soon;
  }

  /** Answers with `answer`: a Status, or only its code. The request does not reach the server. */
  fail(answer: number | Status, target: FaultTarget = {}): Fault {
    const status: Status = typeof answer === "number"
      ? failure(answer, `Injected failure ${answer}`, { reason: reasonOf(answer) }).status
      : { kind: "Status", apiVersion: "v1", ...answer };
    return this.#add(
      target,
      (request) => Promise.resolve(this.#refuse(request, new ApiError(status))),
    );
  }

  /**
   * Answers with any response, such as a page of HTML or a list without metadata. The request does not reach the
   * server.
   */
  respond(
    answer: {
      status?: number | undefined;
      headers?: Record<string, string> | undefined;
      body?: string | undefined;
    },
    target: FaultTarget = {},
  ): Fault {
    const { status = 200, headers = {}, body = "" } = answer;
    return this.#add(target, () => Promise.resolve(new Response(body, { status, headers })));
  }

  /**
   * Answers 429 with a Retry-After header.
   *
   * @param retryAfterSeconds The value of the header.
   * @param target The affected requests; `plain` answers with the plain text of the server's own request limit instead
   * of a Status.
   */
  throttle(
    retryAfterSeconds: number,
    target: FaultTarget & { plain?: boolean | undefined } = {},
  ): Fault {
    const { plain = false, ...rest } = target;
    return this.#add(rest, (request) => {
      if (plain) {
        const response = this.#writer.plain(429, "Too many requests, please try again later.\n");
        response.headers.set("Retry-After", String(retryAfterSeconds));
        return Promise.resolve(response);
      }
      const error = failure(429, "The server is too busy, please try again later", {
        reason: "TooManyRequests",
        details: { retryAfterSeconds },
      });
      return Promise.resolve(this.#refuse(request, error));
    });
  }

  /** Delays requests before they reach the server. */
  delay(delayMs: number, target: FaultTarget = {}): Fault {
    requireEach(requireDelay, { delayMs });
    return this.#add(target, async (request, next) => {
      const abort = new LinkedAbort(request.signal);
      const stop = () => this.#soon(() => abort.abort(connectionError("reset")));
      this.#closed.signal.addEventListener("abort", stop, { once: true });
      try {
        await delay(delayMs, { clock: this.#clock, signal: abort.signal });
      } finally {
        this.#closed.signal.removeEventListener("abort", stop);
        abort.release();
      }
      return next(request);
    });
  }

  /**
   * Drops the connection. `refused` drops it before the request reaches the server. `reset` drops it after the server
   * has carried out the request, so that the client does not learn the outcome.
   */
  drop(how: "refused" | "reset", target: FaultTarget = {}): Fault {
    return this.#add(target, async (request, next) => {
      if (how === "reset") await (await next(request)).body?.cancel();
      throw connectionError(how);
    });
  }

  /** Breaks the connection within the body, by default in the middle of a line. */
  cut(cut: Cut & FaultTarget = {}): Fault {
    return this.#add(cut, (request, next) => this.#cutAnswer(request, next, cut, true));
  }

  /** Ends the body cleanly but too early, by default in the middle of a line. */
  truncate(cut: Cut & FaultTarget = {}): Fault {
    return this.#add(cut, (request, next) => this.#cutAnswer(request, next, cut, false));
  }

  /**
   * Answers that the resource version is too old: watches get an ERROR event and then end, other requests get an HTTP
   * 410.
   *
   * @param target The affected requests; `asStatus` answers watches with HTTP 410 too; `leaveOpen` keeps the watch open
   * after the event.
   */
  expire(
    target: FaultTarget & { asStatus?: boolean | undefined; leaveOpen?: boolean | undefined } = {},
  ): Fault {
    const { asStatus = false, leaveOpen = false, ...rest } = target;
    const error = expired("too old resource version: injected");
    return this.#add(rest, (request, _next, info) => {
      if (asStatus || info.verb !== "watch") {
        return Promise.resolve(this.#refuse(request, error));
      }
      if (watchFormat(request.headers) === "protobuf") {
        const frame = watchFrame("ERROR", encodeStatus(error.status));
        return Promise.resolve(this.#watchOf(request, frame, leaveOpen, PROTOBUF_STREAM));
      }
      const line = encodeJson({ type: "ERROR", object: error.status as Json });
      return Promise.resolve(this.#watchOf(request, encoder.encode(`${line}\n`), leaveOpen));
    });
  }

  /**
   * Answers watches with this text instead of events. The text is sent unchanged: add newlines yourself. Other requests
   * pass unchanged.
   *
   * @param text The body of the watch.
   * @param target The affected watches; `leaveOpen` keeps the stream open after the text.
   */
  watchText(text: string, target: FaultTarget & { leaveOpen?: boolean | undefined } = {}): Fault {
    const { leaveOpen = false, when = () => true, times } = target;
    return this.#add(
      { times, when: (request) => request.verb === "watch" && when(request) },
      (request) => Promise.resolve(this.#watchOf(request, encoder.encode(text), leaveOpen)),
    );
  }

  /**
   * Answers watches with a stream that sends nothing and does not end. Other requests pass unchanged.
   */
  silence(target: FaultTarget = {}): Fault {
    return this.watchText("", { ...target, leaveOpen: true });
  }

  /**
   * Calls `listener` with each request and its answer, and changes neither. A body is read from a clone of the answer. It
   * stays until it is removed or {@linkcode FaultInjector.clear} is called.
   *
   * @example The requests of a controller
   * ```ts
   * import { ApiServer } from "@kubeloop/testing";
   * import { assertEquals } from "@std/assert";
   *
   * await using server = new ApiServer();
   * const seen: string[] = [];
   * server.faults.observe(({ resource, verb }, { status }) => seen.push(`${verb} ${resource} ${status}`));
   * await server.fetch("http://cluster/api/v1/namespaces/default/pods/web");
   * assertEquals(seen, ["get pods 404"]);
   * ```
   */
  observe(listener: (request: FaultRequest, answer: Response) => void): Fault {
    return this.#add({}, async (request, next, info) => {
      const answer = await next(request);
      requireSync("the listener of observe()", listener(info, answer));
      return answer;
    });
  }

  /** Whether there is no fault. */
  get isEmpty(): boolean {
    return this.#faults.size === 0;
  }

  /** Removes every fault. */
  clear(): void {
    this.#faults.clear();
  }

  /** Removes every fault, ends the bodies that faults keep open, and rejects the requests that they delay. */
  close(): void {
    this.clear();
    this.#closed.abort();
    for (const end of [...this.#open]) end();
  }

  /** Answers `request` through the faults that affect it; `next` is the server. */
  run(
    request: Request,
    next: (request: Request) => Promise<Response>,
  ): Promise<Response> {
    if (this.#faults.size === 0) return next(request);
    const info = describeRequest(request);
    const active = [...this.#faults].filter((fault) => fault.takes(info));
    let chain = next;
    for (const fault of active.reverse()) {
      const inner = chain;
      chain = (passed) => fault.effect(passed, inner, info);
    }
    return chain(request);
  }

  #add(target: FaultTarget, effect: Effect): Fault {
    requireCount("times", target.times ?? 1, 1);
    const fault = new ActiveFault(this.#faults, target, effect);
    this.#faults.add(fault);
    return fault;
  }

  #refuse({ headers, url }: Request, error: ApiError): Response {
    return this.#writer.error(error, negotiateFailure(headers, new URL(url).searchParams));
  }

  async #cutAnswer(request: Request, next: Next, cut: Cut, broken: boolean): Promise<Response> {
    const response = await next(request);
    if (response.body === null) return response;
    const headers = new Headers(response.headers);
    headers.delete("Content-Length");
    const isFramed = headers.get("content-type") === PROTOBUF_STREAM;
    const error = broken ? connectionError("reset") : undefined;
    const body = cutBody(response.body, cut, error, isFramed);
    return new Response(body, { status: response.status, headers });
  }

  #watchOf(
    request: Request,
    first: Uint8Array<ArrayBuffer>,
    leaveOpen: boolean,
    contentType: string = "application/json",
  ): Response {
    const body = leaveOpen
      ? openBody(first, { signal: request.signal, soon: this.#soon }, (close) => {
        const end = () => {
          this.#open.delete(end);
          close();
        };
        this.#open.add(end);
        return () => this.#open.delete(end);
      })
      : new Response(first).body!;
    return this.#writer.stream(body, contentType);
  }
}

const REASONS: ReadonlyMap<number, string> = new Map([
  [400, "BadRequest"],
  [401, "Unauthorized"],
  [403, "Forbidden"],
  [404, "NotFound"],
  [409, "Conflict"],
  [410, "Expired"],
  [429, "TooManyRequests"],
  [500, "InternalError"],
  [503, "ServiceUnavailable"],
  [504, "Timeout"],
]);

function reasonOf(code: number): string {
  return REASONS.get(code) ?? "";
}

/** Returns a request as predicates see it. */
export function describeRequest(request: Request): FaultRequest {
  const { url: { href }, info } = targetOf(request);
  const { verb, group, resource, subresource, namespace, name } = info;
  const { method, headers } = request;
  let url: URL | undefined;
  return {
    method,
    // A predicate may change it, so it is not that of the server.
    get url() {
      return url ??= new URL(href);
    },
    verb,
    group,
    resource,
    subresource,
    namespace,
    name,
    headers,
  };
}

/** Returns the error that `fetch` rejects with: a TypeError whose cause has the code of the network failure. */
function connectionError(how: "refused" | "reset"): TypeError {
  const code = how === "refused" ? "ECONNREFUSED" : "ECONNRESET";
  const cause = Object.assign(new Error(`Connection ${how} by an injected fault`), { code });
  return new TypeError("Failed to fetch", { cause });
}
