/**
 * A `Request` that keeps its User-Agent, which names the writer to the in-process API server. Chromium drops this header,
 * because a page must not choose the value that it sends over a network.
 *
 * @module
 */

const Native = globalThis.Request;

class RequestWithAgent extends Native {
  readonly #headers: Headers | undefined;

  constructor(input: RequestInfo | URL, init?: RequestInit) {
    super(input, init);
    const agent = agentOf(init?.headers ?? (input instanceof Native ? input.headers : undefined));
    if (agent === undefined || super.headers.has("user-agent")) return;
    this.#headers = new Headers(super.headers);
    this.#headers.set("user-agent", agent);
  }

  override get headers(): Headers {
    return this.#headers ?? super.headers;
  }
}

function agentOf(headers: HeadersInit | undefined): string | undefined {
  if (headers === undefined) return undefined;
  if (headers instanceof Headers) return headers.get("user-agent") ?? undefined;
  const entries = Array.isArray(headers) ? headers : Object.entries(headers);
  return entries.find(([name]) => name!.toLowerCase() === "user-agent")?.[1];
}

globalThis.Request = RequestWithAgent;
