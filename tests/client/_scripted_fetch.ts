import type { Fetch } from "../../src/client/mod.ts";

/** An answer of a {@linkcode ScriptedFetch}. An Error is thrown. */
export type Answer = Response | Error | ((request: Request) => Response | Promise<Response>);

/** A `fetch` that returns the given answers in order and records the requests. */
export class ScriptedFetch {
  readonly requests: Request[] = [];
  readonly #answers: Answer[];

  constructor(...answers: Answer[]) {
    this.#answers = answers;
  }

  readonly fetch: Fetch = async (request) => {
    this.requests.push(request);
    const answer = this.#answers.shift();
    if (answer === undefined) throw new Error(`No answer for ${request.method} ${request.url}`);
    if (answer instanceof Error) throw answer;
    return typeof answer === "function" ? await answer(request) : answer;
  };

  /** The only request. */
  get request(): Request {
    if (this.requests.length !== 1) throw new Error(`${this.requests.length} requests, not one`);
    return this.requests[0]!;
  }
}

/** Returns a response with a Status. */
export function statusAnswer(
  code: number,
  reason: string,
  headers: Record<string, string> = {},
): Response {
  const body = {
    kind: "Status",
    apiVersion: "v1",
    status: "Failure",
    message: reason,
    reason,
    code,
  };
  return Response.json(body, { status: code, headers });
}

/** Returns the error that Deno throws when a connection fails. */
export function networkError(message: string): TypeError {
  return new TypeError("fetch failed", { cause: new Error(message) });
}

/** Returns a body that yields these chunks and then stays open, ends or fails. */
export function bodyOf(
  chunks: readonly (string | Uint8Array)[],
  end: "open" | "close" | Error = "close",
  onCancel: (reason: unknown) => void = () => {},
): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  let next = 0;
  return new ReadableStream({
    pull(controller) {
      const chunk = chunks[next++];
      if (chunk !== undefined) {
        controller.enqueue(typeof chunk === "string" ? encoder.encode(chunk) : chunk);
      } else if (end === "close") controller.close();
      else if (end !== "open") controller.error(end);
      else return new Promise(() => {});
      return undefined;
    },
    cancel: onCancel,
  });
}
