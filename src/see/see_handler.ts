import {
  type Clock,
  ENVIRONMENT_CHECKS,
  isCount,
  isName,
  type Logger,
  type OptionChecks,
  realClock,
  requireMethods,
  requireOptions,
  safeLogger,
} from "../base/mod.ts";
import { Refusal } from "./admission.ts";
import { answerJson, GuardedPage, HEADERS, jsonOf, requireMethod } from "./guarded_page.ts";
import type { ActionName, ExportForm, SeeSource } from "./model.ts";
import { StateStreams } from "./state_streams.ts";

/** A browser opens six connections to a server: one must be left for the other requests of its pages. */
const DEFAULT_MAX_STREAMS = 5;
/** The maximum length of the body of an action, in bytes. */
const MAX_BODY_BYTES = 8_192;
const DEFAULT_KEYS = 100;
const MAX_KEYS = 1_000;

const ACTIONS: readonly string[] = ["reconcile", "pause", "resume"] satisfies ActionName[];
const TYPES: Readonly<Record<ExportForm, string>> = {
  json: "application/json",
  markdown: "text/markdown; charset=utf-8",
  workload: "text/plain; charset=utf-8",
};

/** Options of a {@linkcode SeeHandler}. */
export interface SeeHandlerOptions {
  /** The token that each request needs, of at least 16 characters. */
  readonly token: string;
  /** The clock. Default: the real clock. */
  readonly clock?: Clock | undefined;
  /** Receives errors of the source. Its redaction is applied to errors that a page gets. */
  readonly logger?: Logger | undefined;
  /** The maximum number of open pages. Default 5. */
  readonly maxStreams?: number | undefined;
}

const CHECKS: OptionChecks<SeeHandlerOptions> = {
  token: isName,
  clock: ENVIRONMENT_CHECKS.clock,
  logger: ENVIRONMENT_CHECKS.logger,
  maxStreams: isCount(1),
};

/**
 * Answers the requests of the page of a {@linkcode SeeSource}: the page itself, the stream of states, keys, stories, versions,
 * exports and actions. Each request needs the token, and a Host and an Origin of this machine.
 */
export class SeeHandler {
  /** Answers a request. It never rejects. */
  readonly answer: (request: Request) => Promise<Response>;
  readonly #source: SeeSource;
  readonly #streams: StateStreams;

  /**
   * Creates a handler.
   *
   * @throws {TypeError | RangeError} If an option is unknown or cannot be used, or the token is short.
   */
  constructor(source: SeeSource, options: SeeHandlerOptions) {
    requireMethods("a source of a page", source, "state", "keys", "stories", "subscribe");
    requireOptions("SeeHandler", options, CHECKS);
    const { clock = realClock, maxStreams = DEFAULT_MAX_STREAMS, token } = options;
    const logger = safeLogger(options.logger);
    this.#source = source;
    this.#streams = new StateStreams({ source, clock, logger, maxStreams });
    this.answer = new GuardedPage({
      data: { mode: "live" },
      token,
      logger,
      route: (request, url) => this.#route(request, url),
    }).answer;
  }

  /** The number of open pages. */
  get openPages(): number {
    return this.#streams.size;
  }

  /** Ends all streams. */
  close(): void {
    this.#streams.close();
  }

  async #route(request: Request, { pathname, searchParams }: URL): Promise<Response> {
    switch (pathname) {
      case "/see/events":
        requireMethod(request, "GET");
        return this.#events();
      case "/see/keys":
        requireMethod(request, "GET");
        return this.#keys(searchParams);
      case "/see/stories":
        requireMethod(request, "GET");
        return answerJson({ stories: this.#source.stories(keyOf(searchParams)) });
      case "/see/versions":
        requireMethod(request, "GET");
        return this.#versions(searchParams);
      case "/see/export":
        requireMethod(request, "GET");
        return this.#export(searchParams);
      case "/see/act":
        requireMethod(request, "POST");
        return await this.#act(request);
    }
    throw new Refusal(404, "There is nothing at this path");
  }

  #events(): Response {
    const stream = this.#streams.open();
    if (stream === undefined) {
      throw new Refusal(503, "Too many pages are open: close one of them");
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
    // Not 404: a browser logs that as an error, and the absence of an object is none.
    return answerJson(this.#source.versions(keyOf(query)) ?? null);
  }

  #export(query: URLSearchParams): Response {
    const form = query.get("form") ?? "";
    if (!Object.hasOwn(TYPES, form)) {
      throw new Refusal(400, `form must be ${Object.keys(TYPES).join(", ")}`);
    }
    const text = this.#source.export({ ...keyOf(query), form: form as ExportForm });
    return new Response(text, {
      headers: {
        ...HEADERS,
        "content-type": TYPES[form as ExportForm],
        // The page names the file.
        "content-disposition": "attachment",
      },
    });
  }

  async #act(request: Request): Promise<Response> {
    const { controller, key, name } = actionOf(await jsonOf(request, MAX_BODY_BYTES));
    return answerJson({ text: await this.#source.act({ controller, key, name }) });
  }
}

function keyOf(query: URLSearchParams): { readonly controller: string; readonly key: string } {
  const controller = query.get("controller");
  const key = query.get("key");
  if (controller === null || key === null) {
    throw new Refusal(400, "The query needs the parameters controller and key");
  }
  return { controller, key };
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
