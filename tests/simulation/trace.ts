/**
 * The record of what happened on a simulated cluster, line by line, and its hash.
 *
 * @module
 */

import { type Clock, TextHash } from "../../src/base/mod.ts";

type Fetch = (input: Request | URL | string, init?: RequestInit) => Promise<Response>;

const decoder = new TextDecoder();

/** The trace of one run. */
export class Trace {
  /** The lines; empty unless they are kept. */
  readonly lines: string[] = [];
  readonly #clock: Clock;
  readonly #keep: boolean;
  readonly #hash = new TextHash();

  /** Creates an empty trace; `keep` keeps its lines, beside their hash. */
  constructor(clock: Clock, keep: boolean) {
    this.#clock = clock;
    this.#keep = keep;
  }

  /** The hash of all lines. */
  get hash(): string {
    return this.#hash.hex();
  }

  /** Adds a line with the virtual time. */
  add(text: string): void {
    const line = `${this.#clock.now()} ${text}`;
    this.#hash.add(line);
    if (this.#keep) this.lines.push(line);
  }

  /**
   * Returns a `fetch` that records every answer with its status and the version of the server, every failure, and every
   * chunk of every watch.
   */
  traced(fetch: Fetch, version: () => string): Fetch {
    return async (input, init) => {
      const request = new Request(input, init);
      const { pathname, search, searchParams } = new URL(request.url);
      const what = `${request.headers.get("user-agent")} ${request.method} ${pathname}${search}`;
      let response: Response;
      try {
        response = await fetch(request);
      } catch (error) {
        this.add(`${what} failed: ${nameOf(error)}`);
        throw error;
      }
      this.add(`${what} ${response.status} @${version()} ${response.headers.get("audit-id")}`);
      if (!searchParams.has("watch") || response.body === null) return response;
      const { status } = response;
      return new Response(this.#tracedBody(response.body, what), {
        status,
        headers: response.headers,
      });
    };
  }

  #tracedBody(body: ReadableStream<Uint8Array>, what: string): ReadableStream<Uint8Array> {
    const reader = body.getReader();
    return new ReadableStream<Uint8Array>({
      pull: async (controller) => {
        try {
          const { done, value } = await reader.read();
          if (done) {
            this.add(`${what} ended`);
            controller.close();
            return;
          }
          this.add(`${what} < ${decoder.decode(value)}`);
          controller.enqueue(value);
        } catch (error) {
          this.add(`${what} broke: ${nameOf(error)}`);
          throw error;
        }
      },
      cancel: (reason) => reader.cancel(reason),
    }, { highWaterMark: 0 });
  }
}

/** The message of an error is the runtime's, its name is not. */
function nameOf(error: unknown): string {
  return error instanceof Error ? error.name : String(error);
}
