import type { ResourceRegistry } from "../../kinds/mod.ts";
import { parseAccept, type ResponseWriter } from "../../http/mod.ts";
import { encodeJson, failure, type JsonObject } from "../../values/mod.ts";
import { type Document, Documents } from "./documents.ts";

const ROOT = "/openapi/v3";

const YEAR_MS = 365 * 24 * 3_600_000;

/** The documents of each registry. */
const known = new WeakMap<ResourceRegistry, Documents>();

/** A request for an OpenAPI document. */
export interface OpenApiRequest {
  readonly path: string;
  readonly query: URLSearchParams;
  readonly request: Request;
  readonly registry: ResourceRegistry;
  readonly writer: ResponseWriter;
  /** The current time, in milliseconds since the epoch. */
  readonly nowMs: number;
}

/**
 * Answers a request for OpenAPI: `/openapi/v2`, the index `/openapi/v3`, or the document of a group version below it.
 *
 * @throws {ApiError} 406, if the client does not take JSON.
 */
export function openApiAnswer(asked: OpenApiRequest): Response {
  const { path, request, registry, writer } = asked;
  const documents = known.get(registry) ?? new Documents(registry);
  known.set(registry, documents);
  if (path === "/openapi/v2/") return writer.pageNotFound();
  if (path === ROOT) {
    // The real server guesses this media type from the text.
    const index = writer.json(200, indexText(documents));
    index.headers.set("Content-Type", "text/plain; charset=utf-8");
    return index;
  }
  requireJson(request.headers);
  const document = path === "/openapi/v2"
    ? documents.whole()
    : documents.ofPath(path.slice(ROOT.length + 1));
  if (document === undefined) return writer.bare(404);
  return answer(asked, document, path === "/openapi/v2" ? "Accept-Encoding" : "Accept");
}

function answer(
  { query, request, writer, nowMs }: OpenApiRequest,
  { text, hash }: Document,
  vary: string,
): Response {
  const etag = `"${hash}"`;
  const fresh = request.headers.get("if-none-match") === etag;
  const response = fresh ? writer.bare(304) : writer.json(200, text);
  response.headers.set("Etag", etag);
  response.headers.set("Vary", vary);
  if (query.has("hash")) {
    response.headers.set("Cache-Control", "public, immutable");
    response.headers.set("Expires", new Date(nowMs + YEAR_MS).toUTCString().replace("GMT", "UTC"));
  }
  return response;
}

/** Returns the index. It has a hash of each document, by which a client knows whether it has the document already. */
function indexText(documents: Documents): string {
  const paths: JsonObject = {};
  for (const path of documents.paths) {
    paths[path] = { serverRelativeURL: `${ROOT}/${path}?hash=${documents.hashOf(path)}` };
  }
  return encodeJson({ paths });
}

function requireJson(headers: Headers): void {
  const accept = parseAccept(headers.get("accept"));
  const types = ["*/*", "application/*", "application/json"];
  if (accept.length === 0 || accept.some(({ type }) => types.includes(type))) return;
  throw failure(406, "only the following media types are accepted: application/json", {
    reason: "NotAcceptable",
  });
}
