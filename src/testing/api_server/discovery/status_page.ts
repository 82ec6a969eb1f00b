import { parseAccept, type ResponseWriter } from "../http/mod.ts";
import { failure } from "../../values/mod.ts";
import type { Release } from "../release/mod.ts";

const PAGES = ["/flagz", "/statusz"];

const TEXTS = ["text/plain", "text/*", "*/*"];

const WARNING =
  "Warning: This endpoint is not meant to be machine parseable, has no formatting compatibility guarantees and is for debugging purposes only.";

/** Returns the paths of the pages that describe the process of a server. */
export function statusPages(release: Release): readonly string[] {
  return release.has({ since: "1.36" }) ? PAGES : [];
}

/**
 * Answers `/flagz` and `/statusz`. This server has no flags, and its process is not the server. Returns undefined for
 * another path.
 *
 * @throws {ApiError} 406, if the client does not take plain text.
 */
export function statusPageAnswer(
  path: string,
  headers: Headers,
  release: Release,
  writer: ResponseWriter,
): Response | undefined {
  if (!statusPages(release).includes(path)) return undefined;
  if (!parseAccept(headers.get("accept")).some(({ type }) => TEXTS.includes(type))) {
    throw failure(
      406,
      "only the following media types are accepted: application/json, application/yaml, text/plain",
      { reason: "NotAcceptable" },
    );
  }
  const version = `Binary version: ${
    release.version.slice(1)
  }\nEmulation version: ${release.minor}\n`;
  const text = `\napiserver ${path.slice(1)}\n${WARNING}\n${
    path === "/flagz" ? "" : `\n${version}`
  }`;
  const answer = writer.plain(200, text);
  answer.headers.delete("X-Content-Type-Options");
  return answer;
}
