import {
  describeError,
  type Logger,
  oneLine,
  parseJson,
  type Redact,
  redactOf,
  stringifyJson,
  visibleJson,
  visibleText,
} from "../base/mod.ts";
import { bearerOf, isSameToken, Refusal, requireOwnPage } from "./admission.ts";
import { type ServedPage, servedPage } from "./page.ts";

const MIN_TOKEN_LENGTH = 16;
/** The maximum length of the query of a request, in characters. */
const MAX_QUERY_LENGTH = 4_096;
const MAX_ERROR_LENGTH = 1_000;

/** Headers of each answer: nothing of it is kept, guessed, framed, or named to another site. */
export const HEADERS: Readonly<Record<string, string>> = {
  "cache-control": "no-store",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY",
};

/** Options of a {@linkcode GuardedPage}. */
export interface GuardedPageOptions {
  /** The data of the page, with its mode. Requests without the token get it, too. */
  readonly data: unknown;
  /** The token that each request needs, of at least 16 characters. */
  readonly token: string;
  /** Receives errors. Its redaction is applied to errors that a page gets. */
  readonly logger: Logger;
  /** Answers a request of the page other than for itself. It may throw a {@linkcode Refusal}. */
  readonly route: (request: Request, url: URL) => Promise<Response>;
}

/** Serves a page and its requests: each request needs the token, and a Host and an Origin of this machine. */
export class GuardedPage {
  readonly #options: GuardedPageOptions;
  readonly #redact: Redact;
  #page: Promise<ServedPage> | undefined;

  /**
   * Creates a page.
   *
   * @throws {RangeError} If the token is short, or has unusual characters.
   */
  constructor(options: GuardedPageOptions) {
    requireToken(options.token);
    this.#options = options;
    this.#redact = redactOf(options.logger);
  }

  /** Answers a request. It never rejects. */
  readonly answer = async (request: Request): Promise<Response> => {
    try {
      return await this.#answer(request);
    } catch (error) {
      if (error instanceof Refusal) return refusal(error.status, error.message);
      const text = visibleText(oneLine(this.#redact(describeError(error))), MAX_ERROR_LENGTH);
      this.#options.logger.warn(`The page cannot be answered: ${text}`);
      return refusal(500, text);
    }
  };

  async #answer(request: Request): Promise<Response> {
    const url = new URL(request.url);
    requireOwnPage(request, url);
    const { pathname, search } = url;
    if (search.length > MAX_QUERY_LENGTH) {
      throw new Refusal(414, `The query is longer than ${MAX_QUERY_LENGTH} characters`);
    }
    if (pathname === "/") return await this.#pageFor(request, url.searchParams.get("token"));
    if (!isSameToken(bearerOf(request), this.#options.token)) {
      throw new Refusal(401, "The token is wrong: open the URL that the program has printed");
    }
    return await this.#options.route(request, url);
  }

  /**
   * Returns the page, which has nothing but its program. A page that is loaded again has taken the token out of its URL, so a
   * request without a token gets the page too.
   */
  async #pageFor(request: Request, token: string | null): Promise<Response> {
    requireMethod(request, "GET");
    if (token !== null && !isSameToken(token, this.#options.token)) {
      const text = "The token is wrong: open the URL that the program has printed\n";
      return new Response(text, {
        status: 401,
        headers: { ...HEADERS, "content-type": "text/plain; charset=utf-8" },
      });
    }
    const { html, policy } = await (this.#page ??= servedPage(this.#options.data));
    return new Response(html, {
      headers: {
        ...HEADERS,
        "content-security-policy": policy,
        "content-type": "text/html; charset=utf-8",
      },
    });
  }
}

/**
 * Checks a token.
 *
 * @throws {RangeError} If it has fewer than 16 characters, or others than letters, digits, `-` and `_`.
 */
export function requireToken(token: string): void {
  if (/^[\w-]+$/.test(token) && token.length >= MIN_TOKEN_LENGTH && token.length <= 256) return;
  throw new RangeError(
    `token must have from ${MIN_TOKEN_LENGTH} to 256 characters: letters, digits, "-" and "_"`,
  );
}

/** Refuses other methods. */
export function requireMethod({ method }: Request, wanted: "GET" | "POST"): void {
  if (method !== wanted) throw new Refusal(405, `This path takes ${wanted}`);
}

/** Reads the JSON body of a request. */
export async function jsonOf(request: Request, maxBytes: number): Promise<unknown> {
  // A form of another site cannot send this type without a preflight request.
  const type = request.headers.get("content-type") ?? "";
  if (!type.toLowerCase().startsWith("application/json")) {
    throw new Refusal(415, "The body must be sent as application/json");
  }
  const length = Number(request.headers.get("content-length") ?? 0);
  if (length > maxBytes) throw new Refusal(413, "The body is too long");
  const text = await request.text();
  if (text.length > maxBytes) throw new Refusal(413, "The body is too long");
  try {
    return parseJson(text);
  } catch {
    throw new Refusal(400, "The body is not JSON");
  }
}

/** Answers with a JSON value, whose invisible characters are visible. */
export function answerJson(value: unknown, status = 200): Response {
  return new Response(visibleJson(stringifyJson(value)), {
    status,
    headers: { ...HEADERS, "content-type": "application/json" },
  });
}

function refusal(status: number, error: string): Response {
  const response = answerJson({ error }, status);
  if (status === 405) response.headers.set("allow", "GET, POST");
  return response;
}
