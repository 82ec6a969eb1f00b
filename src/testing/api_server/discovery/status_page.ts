import { notAcceptable, parseAccept, type ResponseWriter } from "../http/mod.ts";
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
 * Answers `/flagz` and `/statusz`, without the flags and the start time of a real process. Returns undefined for another
 * path.
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
    throw notAcceptable(
      "only the following media types are accepted: application/json, application/yaml, text/plain",
    );
  }
  const { minor, version } = release;
  const versions = path === "/statusz"
    ? `\nBinary version: ${version.slice(1)}\nEmulation version: ${minor}\n`
    : "";
  const text = `\napiserver ${path.slice(1)}\n${WARNING}\n${versions}`;
  const answer = writer.plain(200, text);
  answer.headers.delete("X-Content-Type-Options");
  return answer;
}
