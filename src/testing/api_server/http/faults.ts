import { type Clock, delay, LinkedAbort } from "@kubeloop/controller/base";
import type { Status } from "@kubeloop/controller/types";
import { type Cut, cutBody, openBody } from "./fault_bodies.ts";
import { ApiError, encodeJson, expired, failure, type Json } from "../values/mod.ts";
import { parseRequestInfo, queryOf } from "./request_info.ts";
import type { ResponseWriter } from "./responses.ts";

/** A request as the predicate of a fault sees it. */
export interface FaultRequest {
  /** The HTTP method. */
  readonly method: string;
  /** The whole URL. */
  readonly url: URL;
  /** What is asked for: `get`, `list`, `watch`, `create`, `update`, `patch`, `delete`, `deletecollection`. */
  readonly verb: string;
  /** The API group; empty for the core group. */
  readonly group: string;
  /** The resource, as in `pods`; empty for other paths. */
  readonly resource: string;
  /** The subresource, as in `status`. */
  readonly subresource: string;
  /** The namespace; empty when there is none. */
  readonly namespace: string;
  /** The object's name; empty for collections. */
  readonly name: string;
  /** The headers. */
  readonly headers: Headers;
}

/** Which requests a fault is for. */
export interface FaultTarget {
  /** Whether the fault is for this request. Default: it is for every one. */
  readonly when?: (request: FaultRequest) => boolean;
  /** For how many requests; then it removes itself. Default: until it is removed. */
  readonly times?: number;
}

/** A fault that has been set. */
export interface Fault {
  /** How many requests it was for. */
  readonly hits: number;
  /** Takes it away. Harmless when it is gone. */
  remove(): void;
}

type Next = (request: Request) => Promise<Response>;

/** What a fault does: it may answer by itself, pass the request on, or change the answer. */
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

  /** Whether it is for this request; counts it. */
  takes(info: FaultRequest): boolean {
    const { when, times } = this.target;
    if (when !== undefined && !when(info)) return false;
    this.hits++;
    if (times !== undefined && this.hits >= times) this.remove();
    return true;
  }

  remove(): void {
    this.#faults.delete(this);
  }
}

/**
 * Failures on purpose, for tests of what a client does about them. Faults are tried in the order they were set in; each
 * wraps the ones after it and, in the end, the server. A predicate runs once per request.
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
  readonly #faults = new Set<ActiveFault>();
  /** Ends the bodies that stay open. */
  readonly #open = new Set<() => void>();
  readonly #closed = new AbortController();

  /** Faults that take their time from `clock` and their headers from `writer`. */
  constructor(clock: Clock, writer: ResponseWriter) {
    this.#clock = clock;
    this.#writer = writer;
  }

  /** Answers `answer`: a whole Status, or just its code. The server does not see the request. */
  fail(answer: number | Status, target: FaultTarget = {}): Fault {
    const status: Status = typeof answer === "number"
      ? failure(answer, `Injected failure ${answer}`, { reason: reasonOf(answer) }).status
      : { kind: "Status", apiVersion: "v1", ...answer };
    return this.#add(
      target,
      () => Promise.resolve(this.#writer.error(new ApiError(status))),
    );
  }

  /** Answers anything: a page of HTML, a list without metadata. The server does not see the request. */
  respond(
    answer: { status?: number; headers?: Record<string, string>; body?: string },
    target: FaultTarget = {},
  ): Fault {
    const { status = 200, headers = {}, body = "" } = answer;
    return this.#add(target, () => Promise.resolve(new Response(body, { status, headers })));
  }

  /**
   * Answers 429 with Retry-After.
   *
   * @param retryAfterSeconds What the header says.
   * @param target Which requests; `plain` answers the text of the server's own limit instead of a Status.
   */
  throttle(retryAfterSeconds: number, target: FaultTarget & { plain?: boolean } = {}): Fault {
    const { plain = false, ...rest } = target;
    return this.#add(rest, () => {
      if (plain) {
        const response = this.#writer.plain(429, "Too many requests, please try again later.\n");
        response.headers.set("Retry-After", String(retryAfterSeconds));
        return Promise.resolve(response);
      }
      const error = failure(429, "The server is too busy, please try again later", {
        reason: "TooManyRequests",
        details: { retryAfterSeconds },
      });
      return Promise.resolve(this.#writer.error(error));
    });
  }

  /** Lets requests wait before the server sees them. */
  delay(delayMs: number, target: FaultTarget = {}): Fault {
    return this.#add(target, async (request, next) => {
      const abort = new LinkedAbort(request.signal);
      const stop = () => abort.abort(connectionError("reset"));
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
   * Drops the connection: `refused` before the server sees the request, `reset` after it has carried it out, so that
   * nobody learns the outcome. Over a socket of Deno, which cannot drop connections, it is a 502 without a body.
   */
  drop(how: "refused" | "reset", target: FaultTarget = {}): Fault {
    return this.#add(target, async (request, next) => {
      if (how === "reset") await (await next(request)).body?.cancel();
      throw connectionError(how);
    });
  }

  /** Breaks the connection within the body: in the middle of a line unless `cut` says otherwise. */
  cut(cut: Cut & FaultTarget = {}): Fault {
    return this.#add(cut, (request, next) => this.#cutAnswer(request, next, cut, true));
  }

  /** Ends the body cleanly, but too early: in the middle of a line unless `cut` says otherwise. */
  truncate(cut: Cut & FaultTarget = {}): Fault {
    return this.#add(cut, (request, next) => this.#cutAnswer(request, next, cut, false));
  }

  /**
   * Answers that the revision is gone: lists with HTTP 410, watches with an ERROR event and then the end.
   *
   * @param target Which requests; `asStatus` answers watches with HTTP 410 too; `leaveOpen` does not end the watch after
   * the event.
   */
  expire(target: FaultTarget & { asStatus?: boolean; leaveOpen?: boolean } = {}): Fault {
    const { asStatus = false, leaveOpen = false, ...rest } = target;
    const error = expired("too old resource version: injected");
    return this.#add(rest, (request, _next, info) => {
      if (asStatus || info.verb !== "watch") {
        return Promise.resolve(this.#writer.error(error));
      }
      const line = encodeJson({ type: "ERROR", object: error.status as Json });
      return Promise.resolve(this.#watchOf(request, `${line}\n`, leaveOpen));
    });
  }

  /**
   * Answers watches with these texts instead of events; whether each ends with a newline is up to you.
   *
   * @param text What the stream says.
   * @param target Which watches; `leaveOpen` does not end the stream after the text.
   */
  watchText(text: string, target: FaultTarget & { leaveOpen?: boolean } = {}): Fault {
    const { leaveOpen = false, ...rest } = target;
    return this.#add(
      rest,
      (request, next, { verb }) =>
        verb === "watch" ? Promise.resolve(this.#watchOf(request, text, leaveOpen)) : next(request),
    );
  }

  /** Answers watches with a stream that never says anything and never ends. */
  silence(target: FaultTarget = {}): Fault {
    return this.watchText("", { ...target, leaveOpen: true });
  }

  /** Takes every fault away. */
  clear(): void {
    this.#faults.clear();
  }

  /** Takes every fault away and ends what they keep open. */
  close(): void {
    this.clear();
    this.#closed.abort();
    for (const end of [...this.#open]) end();
  }

  /** Lets the faults that are for `request` have their way with it; `next` is the server. */
  run(
    request: Request,
    next: (request: Request) => Promise<Response>,
  ): Promise<Response> {
    if (this.#faults.size === 0) return next(request);
    const info = describe(request);
    const active = [...this.#faults].filter((fault) => fault.takes(info));
    let chain = next;
    for (const fault of active.reverse()) {
      const inner = chain;
      chain = (passed) => fault.effect(passed, inner, info);
    }
    return chain(request);
  }

  #add(target: FaultTarget, effect: Effect): Fault {
    const fault = new ActiveFault(this.#faults, target, effect);
    this.#faults.add(fault);
    return fault;
  }

  async #cutAnswer(request: Request, next: Next, cut: Cut, broken: boolean): Promise<Response> {
    const response = await next(request);
    if (response.body === null) return response;
    const headers = new Headers(response.headers);
    headers.delete("Content-Length");
    const body = cutBody(response.body, cut, broken ? connectionError("reset") : undefined);
    return new Response(body, { status: response.status, headers });
  }

  #watchOf(request: Request, text: string, leaveOpen: boolean): Response {
    const body = leaveOpen
      ? openBody(text, request.signal, (close) => {
        const end = () => {
          this.#open.delete(end);
          close();
        };
        this.#open.add(end);
        return () => this.#open.delete(end);
      })
      : new Response(text).body!;
    return this.#writer.stream(body, "application/json");
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

function describe(request: Request): FaultRequest {
  const url = new URL(request.url);
  const info = parseRequestInfo(request.method, url.pathname, queryOf(url));
  const { verb, group, resource, subresource, namespace, name } = info;
  const { method, headers } = request;
  return { method, url, verb, group, resource, subresource, namespace, name, headers };
}

/** What `fetch` rejects with: a TypeError whose cause tells the network failure. */
function connectionError(how: "refused" | "reset"): TypeError {
  const code = how === "refused" ? "ECONNREFUSED" : "ECONNRESET";
  const cause = Object.assign(new Error(`Connection ${how} by an injected fault`), { code });
  return new TypeError("Failed to fetch", { cause });
}
