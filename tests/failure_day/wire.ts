import type { Upgraded } from "../../src/client/mod.ts";
import type { ApiServer } from "../../src/testing/mod.ts";
import { watchedBody } from "./watched_body.ts";
import { WatchedSocket } from "./watched_socket.ts";

/** A request of the program under test, before it reaches the server. */
export interface Exchange {
  /** How many requests came before it in this run. */
  readonly index: number;
  readonly request: Request;
  /** The method and the path, as in `GET /api/v1/pods`. */
  readonly what: string;
  /** Whether it asks for a WebSocket. */
  readonly isUpgrade: boolean;
  /** Sends the request to the server. */
  send(): Promise<Response>;
}

/** Answers requests in place of the server; undefined passes the request on. */
export type Script = (exchange: Exchange) => Promise<Response> | Response | undefined;

/** Changes the chunks of a body or of a socket: each chunk may become several. */
export type Chunks = (chunk: Uint8Array) => Iterable<Uint8Array>;

/** The events that the wire reports to the day. */
export interface WireEvents {
  /** Called when a request is sent, when its answer begins, and for each chunk that is read. */
  step(): void;
}

/**
 * The connections between the program and the server, in this process. It counts what happens, knows which connections are
 * still open, and can lose, cut or replace answers.
 */
export class Wire {
  /** The requests so far, as in `GET /api/v1/pods`. */
  readonly requests: string[] = [];
  /** Replaces answers. */
  script: Script | undefined;
  /** Splits what is read. */
  chunks: Chunks | undefined;
  readonly #server: ApiServer;
  readonly #events: WireEvents;
  readonly #open = new Map<object, string>();

  /** Connects a program to `server`. */
  constructor(server: ApiServer, events: WireEvents) {
    this.#server = server;
    this.#events = events;
  }

  /** The requests that wait for an answer, the bodies that are neither read to their end nor cancelled, and the sockets. */
  get open(): string[] {
    return [...this.#open.values()];
  }

  /** The `fetch` of the program. */
  readonly fetch = async (request: Request): Promise<Response> => {
    const connection = {};
    const what = this.#begin(request);
    this.#open.set(connection, `${what} waits for its answer`);
    const close = () => void this.#open.delete(connection);
    try {
      const exchange = this.#exchange(request, what, () => this.#server.fetch(request));
      const answer = await (this.script?.(exchange) ?? exchange.send());
      // As by the runtimes: an abort ends a request also if the answer is there.
      request.signal.throwIfAborted();
      const { body } = answer;
      if (body === null) close();
      else this.#open.set(connection, `the body of ${what} is neither read nor cancelled`);
      this.#events.step();
      if (body === null) return answer;
      return new Response(
        watchedBody(body, {
          signal: request.signal,
          step: () => this.#events.step(),
          chunks: this.chunks,
          close,
        }),
        answer,
      );
    } catch (error) {
      close();
      throw error;
    }
  };

  /** Opens the WebSockets of the program. */
  readonly upgrade = async (request: Request): Promise<Response | Upgraded> => {
    const connection = {};
    const what = this.#begin(request, " (WebSocket)");
    this.#open.set(connection, `${what} waits for its answer`);
    const close = () => void this.#open.delete(connection);
    try {
      let upgraded: Upgraded | undefined;
      const exchange = this.#exchange(request, what, async () => {
        const answer = await this.#server.upgrade(request);
        if (!("socket" in answer)) return answer;
        upgraded = answer;
        return new Response();
      }, true);
      const answer = await (this.script?.(exchange) ?? exchange.send());
      request.signal.throwIfAborted();
      this.#events.step();
      if (upgraded === undefined) {
        close();
        return answer;
      }
      this.#open.set(connection, `the socket of ${what} is not closed`);
      const socket = new WatchedSocket(upgraded.socket, {
        step: () => this.#events.step(),
        chunks: this.chunks,
        close,
      });
      return { ...upgraded, socket };
    } catch (error) {
      close();
      throw error;
    }
  };

  #begin(request: Request, how = ""): string {
    const what = `${request.method} ${new URL(request.url).pathname}${how}`;
    this.requests.push(what);
    this.#events.step();
    return what;
  }

  #exchange(
    request: Request,
    what: string,
    send: () => Promise<Response>,
    isUpgrade = false,
  ): Exchange {
    return { index: this.requests.length - 1, request, what, isUpgrade, send };
  }
}

/** Returns an answer that never comes: only the signal of the request ends it. */
export function silence({ request: { signal } }: Exchange): Promise<Response> {
  return new Promise((_, reject) => {
    if (signal.aborted) reject(signal.reason);
    else signal.addEventListener("abort", () => reject(signal.reason), { once: true });
  });
}
