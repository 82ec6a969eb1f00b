import { stringifyJson, visibleJson } from "../../base/mod.ts";
import type { StoryBook, StoryQuery } from "./story_book.ts";
import { storiesText } from "./story_text.ts";

const FORMATS: readonly string[] = ["json", "text"];

/**
 * Returns a fetch handler that serves stories, for the path `/debug/reconciles`. The query may have `controller`, `key`,
 * `limit`, and `format` (`json` or `text`). The default format is JSON for clients that accept `application/json`, and text
 * for others.
 *
 * @param book The stories.
 * @returns The handler. It responds with 400 to an invalid query, and with 405 to methods other than GET and HEAD.
 *
 * @example `curl localhost:8080/debug/reconciles?key=default/web`
 * ```ts
 * import { debugReconciles, StoryBook } from "@kubeloop/controller/operator";
 * import { assertEquals } from "@std/assert";
 *
 * const answer = debugReconciles(new StoryBook());
 * const url = "http://localhost/debug/reconciles?controller=widgets&limit=10&format=json";
 * assertEquals(await answer(new Request(url)).json(), { stories: [], dropped: 0 });
 * ```
 */
export function debugReconciles(book: StoryBook): (request: Request) => Response {
  return (request) => {
    const { method } = request;
    if (method !== "GET" && method !== "HEAD") {
      return refusal(405, "Stories are read with GET", { allow: "GET, HEAD" });
    }
    const { searchParams } = new URL(request.url);
    const limit = searchParams.get("limit");
    if (limit !== null && !/^[0-9]{1,9}$/.test(limit)) {
      return refusal(400, "limit must be a whole number of at least 0");
    }
    const accept = request.headers.get("accept") ?? "";
    const format = searchParams.get("format") ??
      (accept.includes("application/json") ? "json" : "text");
    if (!FORMATS.includes(format)) return refusal(400, "format must be json or text");
    const query: StoryQuery = {
      controller: searchParams.get("controller") ?? undefined,
      key: searchParams.get("key") ?? undefined,
      limit: limit === null ? undefined : Number(limit),
    };
    const stories = book.list(query);
    const body = format === "json"
      ? visibleJson(stringifyJson({ stories, dropped: book.snapshot().dropped }))
      : storiesText(stories) || "No reconciles\n";
    return new Response(method === "HEAD" ? null : body, {
      headers: headers(format === "json" ? "application/json" : "text/plain; charset=utf-8"),
    });
  };
}

function headers(contentType: string): Record<string, string> {
  return {
    "content-type": contentType,
    "cache-control": "no-store",
    "x-content-type-options": "nosniff",
  };
}

function refusal(status: number, text: string, more: Record<string, string> = {}): Response {
  return new Response(`${text}\n`, { status, headers: { ...headers("text/plain"), ...more } });
}
