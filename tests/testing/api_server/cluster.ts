import { silentLogger } from "../../../src/base/mod.ts";
import {
  ApiServer,
  type ApiServerOptions,
  SeededRandom,
  VirtualClock,
} from "../../../src/testing/mod.ts";

/** A response whose body has been read. */
export interface Reply {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  // deno-lint-ignore no-explicit-any
  readonly json: any;
}

/** A watch event, with the fields that tests read. */
export interface Line {
  readonly type: string;
  // deno-lint-ignore no-explicit-any
  readonly object: any;
}

/** A server with a virtual clock, and shorthands for the requests of tests. */
export class Cluster {
  readonly clock: VirtualClock = new VirtualClock();
  readonly server: ApiServer;

  constructor(options: ApiServerOptions = {}) {
    this.server = new ApiServer({
      clock: this.clock,
      random: new SeededRandom(7),
      logger: silentLogger,
      ...options,
    });
  }

  /** Returns the path of a collection or object of the core group in the namespace default. */
  static path(plural: string, name = ""): string {
    return `/api/v1/namespaces/default/${plural}${name === "" ? "" : `/${name}`}`;
  }

  fetch(path: string, init: RequestInit = {}): Promise<Response> {
    return this.server.fetch(`http://cluster${path}`, init);
  }

  async call(
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<Reply> {
    const pending = this.fetch(path, {
      method,
      headers: { "content-type": "application/json", ...headers },
      ...(body === undefined
        ? {}
        : { body: typeof body === "string" ? body : JSON.stringify(body) }),
    });
    const response = await this.clock.run(pending);
    const text = await this.clock.run(response.text());
    const isJson = /json/.test(response.headers.get("content-type") ?? "") || text.startsWith("{");
    const json = isJson && text !== ""
      ? JSON.parse(text.split("\n")[0] === "{" ? text : text.split("\n")[0]!)
      : undefined;
    return { status: response.status, headers: response.headers, text, json };
  }

  get(path: string): Promise<Reply> {
    return this.call("GET", path);
  }

  merge(path: string, patch: unknown): Promise<Reply> {
    return this.call("PATCH", path, patch, { "content-type": "application/merge-patch+json" });
  }

  configMap(name: string, rest: Record<string, unknown> = {}): Promise<Reply> {
    return this.call("POST", Cluster.path("configmaps"), { metadata: { name, ...rest } });
  }

  pod(name: string, spec: Record<string, unknown> = {}): Promise<Reply> {
    const containers = [{ name: "c", image: "i" }];
    const body = { metadata: { name }, spec: { containers, ...spec } };
    return this.call("POST", Cluster.path("pods"), body);
  }

  /** Opens a watch; `path` includes the query, except `watch`. */
  async watch(path: string, signal?: AbortSignal): Promise<OpenWatch> {
    const url = `${path}${path.includes("?") ? "&" : "?"}watch=1`;
    const pending = this.fetch(url, signal === undefined ? {} : { signal });
    const response = await this.clock.run(pending);
    const watch = new OpenWatch(response);
    await this.clock.settle();
    return watch;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.server.close();
  }
}

/** An open watch that keeps the events it has received. */
export class OpenWatch {
  readonly response: Response;
  readonly lines: Line[] = [];
  /** How the watch ended; undefined while it is open. */
  ended: "closed" | "broken" | undefined;
  readonly #reader: ReadableStreamDefaultReader<Uint8Array>;
  readonly #done: Promise<void>;

  constructor(response: Response) {
    this.response = response;
    this.#reader = response.body!.getReader();
    this.#done = this.#read();
  }

  /** The types and names of the events, such as `ADDED a`. */
  get events(): string[] {
    return this.lines.map(({ type, object }) => `${type} ${object.metadata?.name ?? ""}`.trim());
  }

  async stop(): Promise<void> {
    // After a stream error, cancel() rejects with that error.
    await this.#reader.cancel().catch(() => {});
    await this.#done;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop();
  }

  async #read(): Promise<void> {
    const decoder = new TextDecoder();
    let rest = "";
    try {
      for (let next = await this.#reader.read(); !next.done; next = await this.#reader.read()) {
        const parts = (rest + decoder.decode(next.value, { stream: true })).split("\n");
        rest = parts.pop()!;
        for (const part of parts) this.lines.push(JSON.parse(part));
      }
      this.ended = "closed";
    } catch {
      this.ended = "broken";
    }
  }
}
