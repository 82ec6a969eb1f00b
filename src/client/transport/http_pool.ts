import type { Agent, IncomingMessage, request } from "node:http";
import type { Readable } from "node:stream";
import type { createGunzip } from "node:zlib";
import { onAbort } from "../../base/mod.ts";
import { serverNameOptions } from "./server_name.ts";
import type { TransportRequest } from "./transport.ts";

/** How `node:https` names the TLS settings. */
export interface HttpPoolOptions {
  readonly ca?: string;
  readonly cert?: string;
  readonly key?: string;
  readonly rejectUnauthorized?: boolean;
}

/** What requests of one protocol are made with. */
interface Line {
  readonly request: typeof request;
  readonly agent: Agent;
  readonly createGunzip: typeof createGunzip;
}

/**
 * Requests over `node:http` and `node:https`: there may be any number at a time, header lines of one name stay apart, and
 * all connections can be closed.
 */
export class HttpPool {
  readonly #options: HttpPoolOptions;
  readonly #serverName: string | undefined;
  readonly #agents: Agent[] = [];
  readonly #lines = new Map<string, Promise<Line>>();
  #open = 0;
  #draining = false;

  /** Makes no connection yet. */
  constructor(options: HttpPoolOptions, serverName: string | undefined) {
    this.#options = options;
    this.#serverName = serverName;
  }

  /** Like the global `fetch`, as far as a client of an API server needs it: redirects are not followed. */
  async request(
    url: string,
    { method, headers, body, signal, isWatch }: TransportRequest,
  ): Promise<Response> {
    const { request, agent, createGunzip } = await this.#line(new URL(url).protocol);
    signal.throwIfAborted();
    const lines: Record<string, string[]> = {};
    for (const [name, value] of headers) (lines[name] ??= []).push(value);
    const bytes = body === null ? undefined : new TextEncoder().encode(body);
    // Without a length, node:http sends the body of a DELETE as no part of the request: preconditions would be lost.
    if (bytes !== undefined) lines["Content-Length"] = [`${bytes.length}`];
    // As `fetch` does, but for watches: an event must not wait for the compressor's next block.
    if (!isWatch) lines["Accept-Encoding"] = ["gzip"];
    return await new Promise((resolve, reject) => {
      const outgoing = request(url, { method, headers: lines, agent });
      const release = onAbort(signal, (reason) => {
        reject(reason);
        outgoing.destroy();
      });
      this.#open++;
      outgoing.on("close", () => {
        release();
        this.#open--;
        if (this.#draining) this.drain();
        reject(unanswered());
      });
      outgoing.on("error", (error) => {
        // What node:http calls it says nothing of what happened.
        reject(error.message === "socket hang up" ? unanswered(error) : error);
      });
      outgoing.on("response", (message: IncomingMessage) => {
        const { statusCode = 0 } = message;
        const isBodyless = statusCode === 204 || statusCode === 304;
        resolve(
          new Response(isBodyless ? null : bodyOf(unzipped(message, createGunzip), signal), {
            status: statusCode,
            headers: headersOf(message),
          }),
        );
        if (isBodyless) message.resume();
      });
      outgoing.end(bytes);
    });
  }

  /** Closes the connections when nobody uses them anymore. */
  drain(): void {
    this.#draining = true;
    if (this.#open === 0) this.close();
  }

  /** Closes all connections. */
  close(): void {
    for (const agent of this.#agents) agent.destroy();
  }

  #line(protocol: string): Promise<Line> {
    let line = this.#lines.get(protocol);
    if (line === undefined) {
      line = this.#openLine(protocol);
      this.#lines.set(protocol, line);
    }
    return line;
  }

  /** Loads the module when it is needed: that takes longer than all else does that a program has to load. */
  async #openLine(protocol: string): Promise<Line> {
    const isTls = protocol === "https:";
    const { Agent, request } = isTls ? await import("node:https") : await import("node:http");
    const { createGunzip } = await import("node:zlib");
    const options = isTls ? { ...this.#options, ...await serverNameOptions(this.#serverName) } : {};
    const agent = new Agent({ keepAlive: true, ...options });
    this.#agents.push(agent);
    return { request, agent, createGunzip };
  }
}

function headersOf({ rawHeaders }: IncomingMessage): Headers {
  const headers = new Headers();
  for (let i = 0; i + 1 < rawHeaders.length; i += 2) {
    headers.append(rawHeaders[i]!, rawHeaders[i + 1]!);
  }
  return headers;
}

/** The message, uncompressed. It ends as the message does, and the message with it. */
function unzipped(message: IncomingMessage, createGunzip: Line["createGunzip"]): Readable {
  if (message.headers["content-encoding"] !== "gzip") return message;
  const gunzip = createGunzip();
  message.on("error", (error) => gunzip.destroy(error));
  message.on("close", () => {
    if (!message.complete) gunzip.destroy(brokenOff());
  });
  gunzip.on("close", () => {
    if (!message.complete) message.destroy();
  });
  return message.pipe(gunzip);
}

function unanswered(cause?: unknown): Error {
  return new Error("Connection closed before an answer", { cause });
}

function brokenOff(): Error {
  return new Error("Connection closed before the end of the body");
}

/** The bytes of `message`, which waits while nobody reads it. */
function bodyOf(message: Readable, signal: AbortSignal): ReadableStream<Uint8Array> {
  let over = false;
  return new ReadableStream({
    start(controller) {
      message.pause();
      message.on("data", (chunk: Uint8Array) => {
        if (over) return;
        controller.enqueue(chunk);
        if ((controller.desiredSize ?? 0) <= 0) message.pause();
      });
      message.on("end", () => {
        if (!over) controller.close();
        over = true;
      });
      const fail = (error: unknown) => {
        if (!over) controller.error(signal.aborted ? signal.reason : error);
        over = true;
      };
      message.on("error", fail);
      message.on("close", () => fail(brokenOff()));
    },
    pull: () => void message.resume(),
    cancel() {
      over = true;
      message.destroy();
    },
  }, { highWaterMark: 1 });
}
