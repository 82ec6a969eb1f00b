import {
  type Clock,
  describeError,
  ENVIRONMENT_CHECKS,
  isCount,
  isName,
  type Logger,
  oneLine,
  type OptionChecks,
  realClock,
  type Redact,
  redactOf,
  requireMethods,
  requireOptions,
  safeLogger,
  stringifyJson,
  visibleJson,
  visibleText,
} from "../base/mod.ts";
import { bearerOf, isSameToken, Refusal, requireOwnPage } from "./admission.ts";
import type { ActionName, ExportForm, SeeSource } from "./model.ts";
import { type ServedPage, servedPage } from "./page.ts";
import { StateStreams } from "./state_streams.ts";

const DEFAULT_MAX_STREAMS = 8;
const MIN_TOKEN_LENGTH = 16;
/** The maximum lengths of the query of a request and of the body of an action, in characters and bytes. */
const MAX_QUERY_LENGTH = 4_096;
const MAX_BODY_BYTES = 8_192;
const DEFAULT_KEYS = 100;
const MAX_KEYS = 1_000;
const MAX_ERROR_LENGTH = 1_000;

const ACTIONS: readonly string[] = ["reconcile", "pause", "resume"] satisfies ActionName[];
const FILES: Readonly<Record<ExportForm, { readonly end: string; readonly type: string }>> = {
  json: { end: "json", type: "application/json" },
  markdown: { end: "md", type: "text/markdown; charset=utf-8" },
  workload: { end: "ts", type: "text/plain; charset=utf-8" },
};

/** Options of a {@linkcode SeeHandler}. */
export interface SeeHandlerOptions {
  /** The token that each request needs, of at least 16 characters. */
  readonly token: string;
  /** The clock. Default: the real clock. */
  readonly clock?: Clock | undefined;
  /** Receives errors of the source. Its redaction is applied to errors that a page gets. */
  readonly logger?: Logger | undefined;
  /** The maximum number of open pages. Default 8. */
  readonly maxStreams?: number | undefined;
}

const CHECKS: OptionChecks<SeeHandlerOptions> = {
  token: isName,
  clock: ENVIRONMENT_CHECKS.clock,
  logger: ENVIRONMENT_CHECKS.logger,
  maxStreams: isCount(1),
};

/** Headers of each answer: nothing of it is kept, guessed, framed, or named to another site. */
const HEADERS: Readonly<Record<string, string>> = {
  "cache-control": "no-store",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY",
};

/**
 * Answers the requests of the page of a {@linkcode SeeSource}: the page itself, the stream of states, keys, stories, versions,
 * exports and actions. Each request needs the token, and a Host and an Origin of this machine.
 */
export class SeeHandler {
  readonly #source: SeeSource;
  readonly #token: string;
  readonly #logger: Logger;
  readonly #redact: Redact;
  readonly #streams: StateStreams;
  #page: Promise<ServedPage> | undefined;

  /**
   * Creates a handler.
   *
   * @throws {TypeError | RangeError} If an option is unknown or cannot be used, or the token is short.
   */
  constructor(source: SeeSource, options: SeeHandlerOptions) {
    requireMethods("a source of a page", source, "state", "keys", "stories", "subscribe");
    requireOptions("SeeHandler", options, CHECKS);
    const { clock = realClock, maxStreams = DEFAULT_MAX_STREAMS, token } = options;
    requireToken(token);
    this.#source = source;
    this.#token = token;
    this.#logger = safeLogger(options.logger);
    this.#redact = redactOf(this.#logger);
    this.#streams = new StateStreams({ source, clock, logger: this.#logger, maxStreams });
  }

  /** The number of open pages. */
  get openPages(): number {
    return this.#streams.size;
  }

  /** Answers a request. It never rejects. */
  readonly answer = async (request: Request): Promise<Response> => {
    try {
      return await this.#answer(request);
    } catch (error) {
      if (error instanceof Refusal) return refusal(error.status, error.message);
      const text = visibleText(oneLine(this.#redact(describeError(error))), MAX_ERROR_LENGTH);
      this.#logger.warn(`The page cannot be answered: ${text}`);
      return refusal(500, text);
    }
  };

  /** Ends all streams. */
  close(): void {
    this.#streams.close();
  }

  async #answer(request: Request): Promise<Response> {
    const url = new URL(request.url);
    requireOwnPage(request, url);
    const { pathname, search } = url;
    if (search.length > MAX_QUERY_LENGTH) {
      throw new Refusal(414, `The query is longer than ${MAX_QUERY_LENGTH} characters`);
    }
    if (pathname === "/") return await this.#pageFor(request, url.searchParams.get("token"));
    if (!isSameToken(bearerOf(request), this.#token)) {
      throw new Refusal(401, "The token is wrong: open the URL that the program has printed");
    }
    switch (pathname) {
      case "/see/events":
        requireMethod(request, "GET");
        return this.#events();
      case "/see/keys":
        requireMethod(request, "GET");
        return this.#keys(url.searchParams);
      case "/see/stories":
        requireMethod(request, "GET");
        return answerJson({ stories: this.#source.stories(keyOf(url.searchParams)) });
      case "/see/versions":
        requireMethod(request, "GET");
        return this.#versions(url.searchParams);
      case "/see/export":
        requireMethod(request, "GET");
        return this.#export(url.searchParams);
      case "/see/act":
        requireMethod(request, "POST");
        return await this.#act(request);
    }
    throw new Refusal(404, "There is nothing at this path");
  }

  /**
   * Returns the page, which has nothing but its program. A page that is loaded again has taken the token out of its URL, so a
   * request without a token gets the page too, with the status 401.
   */
  async #pageFor(request: Request, token: string | null): Promise<Response> {
    requireMethod(request, "GET");
    if (token !== null && !isSameToken(token, this.#token)) {
      const text = "The token is wrong: open the URL that the program has printed\n";
      return new Response(text, {
        status: 401,
        headers: { ...HEADERS, "content-type": "text/plain; charset=utf-8" },
      });
    }
    const { html, policy } = await (this.#page ??= servedPage({ mode: "live" }));
    return new Response(html, {
      status: token === null ? 401 : 200,
      headers: {
        ...HEADERS,
        "content-security-policy": policy,
        "content-type": "text/html; charset=utf-8",
      },
    });
  }

  #events(): Response {
    const stream = this.#streams.open();
    if (stream === undefined) {
      throw new Refusal(503, "Too many pages are open: close one of them, and load this one again");
    }
    return new Response(stream, {
      headers: { ...HEADERS, "content-type": "text/event-stream; charset=utf-8" },
    });
  }

  #keys(query: URLSearchParams): Response {
    const limit = query.get("limit") ?? `${DEFAULT_KEYS}`;
    if (!/^[0-9]{1,6}$/.test(limit)) throw new Refusal(400, "limit must be a whole number");
    const found = this.#source.keys({
      text: query.get("text") ?? undefined,
      controller: query.get("controller") ?? undefined,
      limit: Math.min(MAX_KEYS, Number(limit)),
    });
    return answerJson(found);
  }

  #versions(query: URLSearchParams): Response {
    const versions = this.#source.versions(keyOf(query));
    if (versions === undefined) throw new Refusal(404, "The object is not in a cache");
    return answerJson(versions);
  }

  #export(query: URLSearchParams): Response {
    const form = query.get("form") ?? "";
    if (!Object.hasOwn(FILES, form)) {
      throw new Refusal(400, `form must be ${Object.keys(FILES).join(", ")}`);
    }
    const { end, type } = FILES[form as ExportForm];
    const subject = keyOf(query);
    const text = this.#source.export({ ...subject, form: form as ExportForm });
    const name = `${subject.controller}-${subject.key}`.replace(/[^A-Za-z0-9.-]/g, "-").slice(
      0,
      100,
    );
    return new Response(text, {
      headers: {
        ...HEADERS,
        "content-type": type,
        "content-disposition": `attachment; filename="${name}.${end}"`,
      },
    });
  }

  async #act(request: Request): Promise<Response> {
    // A form of another site cannot send this type without a preflight request.
    const type = request.headers.get("content-type") ?? "";
    if (!type.toLowerCase().startsWith("application/json")) {
      throw new Refusal(415, "An action is sent as application/json");
    }
    const { controller, key, name } = actionOf(await bodyOf(request));
    return answerJson({ text: await this.#source.act({ controller, key, name }) });
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

function requireMethod({ method }: Request, wanted: "GET" | "POST"): void {
  if (method !== wanted) throw new Refusal(405, `This path takes ${wanted}`);
}

function keyOf(query: URLSearchParams): { readonly controller: string; readonly key: string } {
  const controller = query.get("controller");
  const key = query.get("key");
  if (controller === null || key === null) {
    throw new Refusal(400, "The query needs the parameters controller and key");
  }
  return { controller, key };
}

/** Reads a short body. */
async function bodyOf(request: Request): Promise<unknown> {
  const length = Number(request.headers.get("content-length") ?? 0);
  if (length > MAX_BODY_BYTES) throw new Refusal(413, "The body is too long");
  const text = await request.text();
  if (text.length > MAX_BODY_BYTES) throw new Refusal(413, "The body is too long");
  try {
    return JSON.parse(text);
  } catch {
    throw new Refusal(400, "The body is not JSON");
  }
}

function actionOf(
  body: unknown,
): { readonly name: ActionName; readonly controller: string; readonly key: string } {
  const { controller, key, name } = (body ?? {}) as Readonly<Record<string, unknown>>;
  if (typeof name !== "string" || !ACTIONS.includes(name)) {
    throw new Refusal(400, `name must be ${ACTIONS.join(", ")}`);
  }
  if (typeof controller !== "string" || typeof key !== "string") {
    throw new Refusal(400, "controller and key must be texts");
  }
  return { name: name as ActionName, controller, key };
}

function answerJson(value: unknown, status = 200): Response {
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
