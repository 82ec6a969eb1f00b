import {
  abortable,
  type Clock,
  LinkedAbort,
  type Logger,
  onAbort,
} from "@kubeloop/controller/internal/base";
import type { Service } from "@kubeloop/controller/types";
import {
  type ApiError,
  encodeJson,
  failure,
  isIpAddress,
  type JsonObject,
  quote,
} from "../../values/mod.ts";
import { objectKey, type Storage, type Turns } from "../storage/mod.ts";
import { readAnswer, type WebhookAnswer, WebhookCallError } from "./webhook_answer.ts";
import type { WebhookTarget } from "./webhook_target.ts";

/** The headers of a call, as a real server sends them. */
const HEADERS: Readonly<Record<string, string>> = {
  accept: "application/json, */*",
  "content-type": "application/json",
  "user-agent": "kube-apiserver-admission",
};

/** The parts of the connection to a webhook besides its URL. */
export interface WebhookConnection {
  /** The PEM certificates of the accepted authorities; empty for the authorities that the machine trusts. */
  readonly caBundle: string;
}

/** Answers the requests that an API server sends to webhooks. */
export type WebhookHandler = (
  request: Request,
  connection: WebhookConnection,
) => Response | Promise<Response>;

/** A request for a webhook. */
export interface WebhookCall {
  readonly target: WebhookTarget;
  /** The review, as JSON. */
  readonly review: JsonObject;
  /** How long the webhook may take, in whole seconds. */
  readonly timeoutSeconds: number;
  /** Tells calls apart, for their order. */
  readonly uid: string;
  /** Aborts with the request that needs the webhook. */
  readonly signal: AbortSignal;
  /** The time of the clock at which that request must be answered, in milliseconds. Default: it may take any time. */
  readonly deadlineMs?: number;
}

/** The parts of the server that a caller uses. */
export interface CallerOptions {
  readonly clock: Clock;
  readonly turns: Turns;
  readonly logger: Logger;
  readonly storage: Storage;
  /** Answers the calls; without it, no webhook can be reached. */
  readonly handler: WebhookHandler | undefined;
}

/** Calls webhooks. */
export class WebhookCaller {
  readonly #options: CallerOptions;
  readonly #closing = new AbortController();
  /** The URLs for which a missing handler was reported, up to a number. */
  readonly #reported = new Set<string>();

  /** Creates a caller. */
  constructor(options: CallerOptions) {
    this.#options = options;
  }

  /** Fails the calls that wait for their answer, and all later ones. */
  close(): void {
    this.#closing.abort(timedOut(""));
  }

  /**
   * Calls a webhook and returns its answer, in a turn of its own.
   *
   * @throws {WebhookCallError} If the webhook cannot be reached, is too slow, or does not answer with JSON.
   * @throws The reason of the signal, if that aborts; an {@linkcode ApiError}, if the server is closed.
   */
  async call(call: WebhookCall): Promise<WebhookAnswer> {
    const { clock, turns } = this.#options;
    const leftMs = (call.deadlineMs ?? Infinity) - clock.now();
    const isShort = leftMs < call.timeoutSeconds * 1000;
    const timeoutMs = isShort ? Math.max(leftMs, 0) : call.timeoutSeconds * 1000;
    const url = `${call.target.url}?timeout=${Math.max(Math.ceil(timeoutMs / 1000), 1)}s`;
    const post = `Post ${quote(url)}: `;
    const limit = new LinkedAbort(call.signal);
    const why = "context deadline exceeded";
    const late = isShort ? timedOut(` - ${why}`) : new WebhookCallError(post + why);
    const timer = clock.setTimer(() => limit.abort(late), timeoutMs);
    const release = onAbort(this.#closing.signal, (reason) => limit.abort(reason));
    try {
      return await abortable(this.#ask(call, url, post, limit.signal), limit.signal);
    } finally {
      timer.cancel();
      release();
      limit.release();
      // Runtimes spend different numbers of microtasks inside of requests and handlers.
      await turns.next(`1 webhook ${url}`, call.uid);
      call.signal.throwIfAborted();
    }
  }

  async #ask(
    call: WebhookCall,
    url: string,
    post: string,
    signal: AbortSignal,
  ): Promise<WebhookAnswer> {
    const { handler } = this.#options;
    if (handler === undefined) throw new WebhookCallError(post + this.#unreachable(call.target));
    let answer: Response;
    try {
      const response = await handler(
        new Request(url, {
          method: "POST",
          headers: HEADERS,
          body: encodeJson(call.review, undefined, { escapeHtml: false }),
          signal,
        }),
        { caBundle: call.target.caBundle },
      );
      if (typeof response?.text !== "function") {
        throw new TypeError("the webhooks option must return a Response");
      }
      answer = response;
    } catch (error) {
      const message = messageOf(error);
      // The names of Services exist only here.
      const isUnknown = message.includes("no such host");
      const reason = isUnknown ? this.#unresolved(call.target) ?? message : message;
      throw new WebhookCallError(post + reason, { cause: error });
    }
    const { status, headers } = answer;
    const type = headers.get("content-type") ?? "";
    let text: string;
    try {
      text = await answer.text();
    } catch (error) {
      throw new WebhookCallError(
        `unexpected error when reading response body. Please retry. Original error: ${
          messageOf(error)
        }`,
        { cause: error },
      );
    }
    return readAnswer(status, type, text);
  }

  /** Returns why a webhook cannot be reached, as a real server words it. */
  #unreachable(target: WebhookTarget): string {
    const { url, service } = target;
    this.#report(url);
    const problem = this.#unresolved(target);
    if (problem !== undefined) return problem;
    const { hostname, port } = new URL(url);
    const host = service === undefined ? hostname : this.#specOf(service)?.clusterIP ?? "";
    return service !== undefined || hostname === "localhost" || isIpAddress(hostname)
      ? `dial tcp ${host}:${port || 443}: connect: connection refused`
      : `dial tcp: lookup ${hostname}: no such host`;
  }

  /** Returns why the Service of a webhook has no address to call; undefined if it has one, or if there is no Service. */
  #unresolved({ service }: WebhookTarget): string | undefined {
    if (service === undefined) return undefined;
    const { name, port } = service;
    const spec = this.#specOf(service);
    if (spec === undefined) return `service ${quote(name)} not found`;
    if (spec.clusterIP === "None") return 'cannot route to service with ClusterIP "None"';
    if (spec.type === "ExternalName" || (spec.ports ?? []).some((one) => one.port === port)) {
      return undefined;
    }
    return `no service port ${port} found for service ${quote(name)}`;
  }

  #specOf({ namespace, name }: { readonly namespace: string; readonly name: string }) {
    const stored = this.#options.storage.store("services").get(objectKey(namespace, name));
    return (stored?.parse() as Service | undefined)?.spec;
  }

  #report(url: string): void {
    if (this.#reported.has(url) || this.#reported.size >= 100) return;
    this.#reported.add(url);
    this.#options.logger.warn(
      `The API server cannot call the webhook ${url}: it was created without the "webhooks" option`,
    );
  }
}

/** Returns the error of a request that takes too long. */
function timedOut(why: string): ApiError {
  const message = `Timeout: request did not complete within requested timeout${why}`;
  return failure(504, message, { reason: "Timeout", details: {} });
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
