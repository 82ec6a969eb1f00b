import type { ResourceRegistry } from "../../kinds/mod.ts";
import { parseAccept, type ResponseWriter } from "../../http/mod.ts";
import { encodeJson, type JsonObject, readJson } from "../../../values/mod.ts";
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
 * Answers a request for OpenAPI: `/openapi/v2`, the index `/openapi/v3`, or a document below it. A client that takes no
 * format of the document, which is JSON, and protobuf for OpenAPI v2, gets a 406 without a body.
 */
export function openApiAnswer(asked: OpenApiRequest): Response {
  const { path, query, request, registry, writer } = asked;
  const documents = known.get(registry) ?? new Documents(registry);
  known.set(registry, documents);
  if (path.startsWith("/openapi/v2/")) return writer.pageNotFound();
  if (path === ROOT) {
    // The real server guesses this media type from the text.
    if (request.headers.get("if-none-match") === "*") return writer.bare(304);
    return writer.bytes(200, UTF8.encode(indexText(documents)), "text/plain; charset=utf-8");
  }
  if (path === "/openapi/v2") {
    const format = formatOf(request.headers, [...JSON_TYPES, ...OPENAPI_PROTOBUF_NAMES]);
    return answer(asked, documents.whole(), "Accept-Encoding, Accept", format);
  }
  const name = path.slice(ROOT.length + 1);
  const document = documents.ofPath(name);
  if (document === undefined) return writer.bare(404);
  const hash = query.get("hash") ?? "";
  if (hash !== "" && hash !== document.hash) {
    const moved = writer.bytes(301, new Uint8Array(), "application/json");
    moved.headers.set("Location", urlOf(name, document.hash));
    return moved;
  }
  return answer(asked, document, "Accept", formatOf(request.headers, JSON_TYPES));
}

function answer(
  { query, request, writer, nowMs }: OpenApiRequest,
  document: Document,
  vary: string,
  format: string | undefined,
): Response {
  if (format === undefined) {
    // The real server writes nothing if no part of the header is a media type.
    const isParsed = parseAccept(request.headers.get("accept")).length > 0;
    const refused = writer.bare(isParsed ? 406 : 200);
    refused.headers.set("Vary", vary);
    return refused;
  }
  const etag = `"${document.hash}"`;
  const fresh = [etag, "*"].includes(request.headers.get("if-none-match") ?? "");
  const response = fresh
    ? writer.bare(304)
    : JSON_TYPES.includes(format)
    ? writer.bytes(200, UTF8.encode(document.text), "application/json")
    : writer.bytes(200, protobufOf(document), OPENAPI_PROTOBUF);
  response.headers.set("Etag", etag);
  response.headers.set("Vary", vary);
  if ((query.get("hash") ?? "") !== "") {
    response.headers.set("Cache-Control", "public, immutable");
    response.headers.set("Expires", new Date(nowMs + YEAR_MS).toUTCString().replace("GMT", "UTC"));
  }
  return response;
}

/** Returns the index. It has a hash of each document, by which a client knows whether it has the document already. */
function indexText(documents: Documents): string {
  const paths: JsonObject = {};
  for (const path of documents.paths) {
    paths[path] = { serverRelativeURL: urlOf(path, documents.hashOf(path)) };
  }
  return encodeJson({ paths });
}

function urlOf(path: string, hash: string): string {
  return `${ROOT}/${path}?hash=${hash}`;
}

/** Returns the document in protobuf. It is encoded when it is first asked for. */
function protobufOf(document: Document): Uint8Array<ArrayBuffer> {
  const bytes = encoded.get(document) ?? encodeDocument(readJson<JsonObject>(document.text));
  encoded.set(document, bytes);
  return bytes;
}

/** Returns the media type among `types` that the client likes best; undefined if it takes none. */
function formatOf(headers: Headers, types: readonly string[]): string | undefined {
  return parseAccept(headers.get("accept")).find(({ type }) => types.includes(type))?.type;
}
