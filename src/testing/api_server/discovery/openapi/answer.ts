import type { ResourceRegistry } from "../../kinds/mod.ts";
import { parseAccept, type ResponseWriter } from "../../http/mod.ts";
import { encodeJson, failure, type JsonObject, readJson } from "../../../values/mod.ts";
import { type Document, Documents } from "./documents.ts";
import { encodeDocument, OPENAPI_PROTOBUF, OPENAPI_PROTOBUF_NAMES } from "./protobuf.ts";

const ROOT = "/openapi/v3";

/** Unlike other JSON, these texts have no newline at their end. */
const UTF8: TextEncoder = new TextEncoder();

const YEAR_MS = 365 * 24 * 3_600_000;

/** The media types of an answer in JSON. */
const JSON_TYPES: readonly string[] = ["*/*", "application/*", "application/json"];

const encoded = new WeakMap<Document, Uint8Array<ArrayBuffer>>();

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
 * @throws {ApiError} 406, if the client takes no format of the document: JSON, and protobuf for OpenAPI v2.
 */
export function openApiAnswer(asked: OpenApiRequest): Response {
  const { path, request, registry, writer } = asked;
  const documents = known.get(registry) ?? new Documents(registry);
  known.set(registry, documents);
  if (path === "/openapi/v2/") return writer.pageNotFound();
  if (path === ROOT) {
    // The real server guesses this media type from the text.
    return writer.bytes(200, UTF8.encode(indexText(documents)), "text/plain; charset=utf-8");
  }
  if (path === "/openapi/v2") {
    const format = formatOf(request.headers, [...JSON_TYPES, ...OPENAPI_PROTOBUF_NAMES]);
    return answer(asked, documents.whole(), "Accept-Encoding", format);
  }
  const format = formatOf(request.headers, JSON_TYPES);
  const document = documents.ofPath(path.slice(ROOT.length + 1));
  return document === undefined ? writer.bare(404) : answer(asked, document, "Accept", format);
}

function answer(
  { query, request, writer, nowMs }: OpenApiRequest,
  document: Document,
  vary: string,
  format: string,
): Response {
  const etag = `"${document.hash}"`;
  const fresh = request.headers.get("if-none-match") === etag;
  const response = fresh
    ? writer.bare(304)
    : JSON_TYPES.includes(format)
    ? writer.bytes(200, UTF8.encode(document.text), "application/json")
    : writer.bytes(200, protobufOf(document), OPENAPI_PROTOBUF);
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

/** Returns the document in protobuf. It is encoded when it is first asked for. */
function protobufOf(document: Document): Uint8Array<ArrayBuffer> {
  const bytes = encoded.get(document) ?? encodeDocument(readJson<JsonObject>(document.text));
  encoded.set(document, bytes);
  return bytes;
}

/** Returns the media type among `types` that the client likes best. */
function formatOf(headers: Headers, types: readonly string[]): string {
  const accept = parseAccept(headers.get("accept"));
  if (accept.length === 0) return "*/*";
  const found = accept.find(({ type }) => types.includes(type));
  if (found !== undefined) return found.type;
  throw failure(406, "only the following media types are accepted: application/json", {
    reason: "NotAcceptable",
  });
}
