import type { SeeState } from "../../mod.ts";
import { EventStreamParser } from "./event_stream.ts";
import type { Connection, PageSource, StateListener, Versions } from "./page_source.ts";

/** The first delay before a lost connection is opened again, and the longest one, in milliseconds. */
const FIRST_DELAY_MS = 500;
const MAX_DELAY_MS = 10_000;
/** A connection that sends neither a state nor a heartbeat for so long is lost, in milliseconds. */
const SILENCE_MS = 45_000;

/** Options of {@linkcode httpSource}. */
export interface HttpSourceOptions {
  /** The token of the printed URL. */
  readonly token: string;
  readonly send: (path: string, init: RequestInit) => Promise<Response>;
  /** Calls `then` after a delay, until the returned function is called. */
  readonly after: (ms: number, then: () => void) => () => void;
}

/** An answer that says that the token is wrong. More attempts with the same token do not help. */
class WrongToken extends Error {}

/** Returns the source of a page that a process serves. */
export function httpSource({ after, send, token }: HttpSourceOptions): PageSource {
  const request = async (path: string, init: RequestInit = {}): Promise<Response> => {
    const headers = { ...init.headers, authorization: `Bearer ${token}` };
    const response = await send(path, { ...init, headers, cache: "no-store" });
    if (response.ok) return response;
    const text = await errorOf(response);
    throw response.status === 401 ? new WrongToken(text) : new Error(text);
  };
  const get = async <Answer>(path: string, query: object): Promise<Answer> =>
    await (await request(`see/${path}?${queryOf(query)}`)).json();
  return {
    watch: (listener, signal) => void watch(request, after, listener, signal),
    keys: (query) => get("keys", query),
    stories: async (name) => (await get<{ stories: [] }>("stories", name)).stories,
    versions: async (name) => await get<Versions | null>("versions", name) ?? undefined,
    act: async (action) => {
      const response = await request("see/act", {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify(action),
      });
      return (await response.json()).text;
    },
    export: async (query) => await (await request(`see/export?${queryOf(query)}`)).text(),
  };
}

/** Reads states until the signal is aborted, and connects again after each failure. */
async function watch(
  request: (path: string, init: RequestInit) => Promise<Response>,
  after: HttpSourceOptions["after"],
  { connection, state }: StateListener,
  signal: AbortSignal,
): Promise<void> {
  const say = (next: Connection) => {
    if (!signal.aborted) connection(next);
  };
  let delayMs = FIRST_DELAY_MS;
  say({ kind: "connecting" });
  while (!signal.aborted) {
    const attempt = new AbortController();
    const stop = () => attempt.abort();
    signal.addEventListener("abort", stop);
    try {
      for await (const text of texts(request, after, attempt)) {
        if (signal.aborted) return;
        say({ kind: "live" });
        delayMs = FIRST_DELAY_MS;
        if (text !== undefined) state(JSON.parse(text) as SeeState);
      }
      say({ kind: "lost", why: "The process has closed the connection." });
    } catch (error) {
      const isRefused = error instanceof WrongToken;
      say({ kind: isRefused ? "refused" : "lost", why: reasonOf(error) });
      if (isRefused) return;
    } finally {
      signal.removeEventListener("abort", stop);
      attempt.abort();
    }
    if (signal.aborted) return;
    await new Promise<void>((resolve) => {
      const cancel = after(delayMs, resolve);
      signal.addEventListener("abort", () => (cancel(), resolve()), { once: true });
    });
    delayMs = Math.min(MAX_DELAY_MS, delayMs * 2);
  }
}

/** Yields the text of each state, and undefined for other signs of life. */
async function* texts(
  request: (path: string, init: RequestInit) => Promise<Response>,
  after: HttpSourceOptions["after"],
  attempt: AbortController,
): AsyncGenerator<string | undefined> {
  const { body } = await request("see/events", { signal: attempt.signal });
  const reader = body!.pipeThrough(new TextDecoderStream()).getReader();
  const parser = new EventStreamParser();
  yield undefined;
  while (true) {
    const cancel = after(SILENCE_MS, () => attempt.abort(new Error("The process is silent.")));
    const { done, value } = await reader.read().finally(cancel);
    if (done) return;
    for (const { data, name } of parser.push(value)) if (name === "state") yield data;
  }
}

async function errorOf(response: Response): Promise<string> {
  try {
    const { error } = await response.json();
    if (typeof error === "string") return error;
  } catch {
    // The answer is not one of the process, such as one of a proxy.
  }
  return `The process has answered with the status ${response.status}.`;
}

function reasonOf(error: unknown): string {
  if (error instanceof TypeError) return "The process does not answer.";
  return error instanceof Error ? error.message : String(error);
}

function queryOf(query: object): string {
  const entries = Object.entries(query).filter(([, value]) => value !== undefined);
  return new URLSearchParams(entries.map(([name, value]) => [name, String(value)])).toString();
}
