/**
 * A `Request` for the in-process API server. It keeps its User-Agent, which names the writer: Chromium drops this header,
 * because a page must not choose the value that it sends over a network. And it has a body where the browser has none to
 * read: in Firefox, reading takes an unknown number of turns, in which a virtual clock would move.
 *
 * @module
 */

const Native = globalThis.Request;

type Bytes = Uint8Array<ArrayBuffer>;

class InProcessRequest extends Native {
  readonly #headers: Headers | undefined;
  /** The body; undefined if there is none, or if the browser has it. */
  readonly #sent: Bytes | undefined;

  constructor(input: RequestInfo | URL, init?: RequestInit) {
    super(input, init);
    if (super.body === undefined) {
      this.#sent = bytesOf(init?.body) ??
        (input instanceof InProcessRequest ? input.#sent : undefined);
    }
    const agent = agentOf(init?.headers ?? (input instanceof Native ? input.headers : undefined));
    if (agent === undefined || super.headers.has("user-agent")) return;
    this.#headers = new Headers(super.headers);
    this.#headers.set("user-agent", agent);
  }

  override get headers(): Headers {
    return this.#headers ?? super.headers;
  }

  override get body(): ReadableStream<Bytes> | null {
    if (super.body !== undefined) return super.body;
    return this.#sent === undefined ? null : new Response(this.#sent).body;
  }

  override bytes(): Promise<Bytes> {
    if (super.body !== undefined) return super.bytes();
    return Promise.resolve(this.#sent?.slice() ?? new Uint8Array());
  }

  override async arrayBuffer(): Promise<ArrayBuffer> {
    return (await this.bytes()).buffer;
  }
}

function bytesOf(body: BodyInit | null | undefined): Bytes | undefined {
  if (typeof body === "string") return new TextEncoder().encode(body);
  return body instanceof Uint8Array ? body as Bytes : undefined;
}

function agentOf(headers: HeadersInit | undefined): string | undefined {
  if (headers === undefined) return undefined;
  if (headers instanceof Headers) return headers.get("user-agent") ?? undefined;
  const entries = Array.isArray(headers) ? headers : Object.entries(headers);
  return entries.find(([name]) => name!.toLowerCase() === "user-agent")?.[1];
}

globalThis.Request = InProcessRequest;
