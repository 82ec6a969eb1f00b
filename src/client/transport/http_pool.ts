import type { Agent, IncomingMessage, request } from "node:http";
import type { Readable } from "node:stream";
import type { createGunzip } from "node:zlib";
import { onAbort } from "../../base/mod.ts";
import { serverNameOptions } from "./server_name.ts";
import type { TransportRequest } from "./transport.ts";

/** The TLS options of `node:https`. */
export interface HttpPoolOptions {
  readonly ca?: string;
  readonly cert?: string;
  readonly key?: string;
  readonly rejectUnauthorized?: boolean;
}

/** The functions and the agent for the requests of one protocol. */
interface Line {
  readonly request: typeof request;
  readonly agent: Agent;
  readonly createGunzip: typeof createGunzip;
}

/**
 * A connection pool on `node:http` and `node:https`. It does not limit the number of concurrent requests, it keeps
 * header lines of the same name separate, and it can close all of its connections.
 */
export class HttpPool {
  readonly #options: HttpPoolOptions;
  readonly #serverName: string | undefined;
  readonly #agents: Agent[] = [];
  readonly #lines = new Map<string, Promise<Line>>();
  #open = 0;
  #draining = false;

  /** Creates a pool without connections. */
  constructor(options: HttpPoolOptions, serverName: string | undefined) {
    this.#options = options;
    this.#serverName = serverName;
  }

  /** Makes a request like the global `fetch`, with the features that the client needs. It does not follow redirects. */
  async request(
    url: string,
    { method, headers, body, signal, expects }: TransportRequest,
  ): Promise<Response> {
    const { request, agent, createGunzip } = await this.#line(new URL(url).protocol);
    signal.throwIfAborted();
    const lines: Record<string, string[]> = {};
    for (const [name, value] of headers) (lines[name] ??= []).push(value);
    // Without Content-Length, node:http sends the body of a DELETE outside of the request, and the server would ignore
    // the preconditions in it.
    const bytes = body === null ? undefined : new TextEncoder().encode(body);
    if (bytes !== undefined) lines["Content-Length"] = [`${bytes.length}`];
    // As `fetch` does. Watches are not compressed, because events must not wait for a compression block to fill.
    if (expects !== "watch" && expects !== "log") lines["Accept-Encoding"] = ["gzip"];
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
        // The message of node:http does not say what happened.
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

  /** Closes the connections as soon as no request is running. */
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

  /** Imports the modules on first use, because importing them takes longer than importing the rest of a program. */
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

/** Returns the uncompressed body of `message`. If either stream breaks off, so does the other. */
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
  return new Error("Connection closed before a response", { cause });
}

function brokenOff(): Error {
  return new Error("Connection closed before the end of the body");
}

/** Returns the body of `message` as a stream. While nobody reads the stream, `message` is paused. */
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
