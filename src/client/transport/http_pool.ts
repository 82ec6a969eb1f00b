import type { Agent, IncomingMessage, request } from "node:http";
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
}

/** Requests over `node:http` and `node:https`, which have no bound on how many there are and join no header lines. */
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
    { method, headers, body, signal }: TransportRequest,
  ): Promise<Response> {
    const { request, agent } = await this.#line(new URL(url).protocol);
    signal.throwIfAborted();
    const lines: Record<string, string[]> = {};
    for (const [name, value] of headers) (lines[name] ??= []).push(value);
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
        reject(new Error("Connection closed before an answer"));
      });
      outgoing.on("error", reject);
      outgoing.on("response", (message: IncomingMessage) => {
        const { statusCode = 0 } = message;
        const isBodyless = statusCode === 204 || statusCode === 304;
        resolve(
          new Response(isBodyless ? null : bodyOf(message, signal), {
            status: statusCode,
            headers: headersOf(message),
          }),
        );
        if (isBodyless) message.resume();
      });
      outgoing.end(body ?? undefined);
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
    const options = isTls ? { ...this.#options, ...await serverNameOptions(this.#serverName) } : {};
    const agent = new Agent({ keepAlive: true, ...options });
    this.#agents.push(agent);
    return { request, agent };
  }
}

function headersOf({ rawHeaders }: IncomingMessage): Headers {
  const headers = new Headers();
  for (let i = 0; i + 1 < rawHeaders.length; i += 2) {
    headers.append(rawHeaders[i]!, rawHeaders[i + 1]!);
  }
  return headers;
}

/** The body of `message`, which waits while nobody reads it. */
function bodyOf(message: IncomingMessage, signal: AbortSignal): ReadableStream<Uint8Array> {
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
      message.on("close", () => fail(new Error("Connection closed before the end of the body")));
    },
    pull: () => void message.resume(),
    cancel() {
      over = true;
      message.destroy();
    },
  }, { highWaterMark: 1 });
}
