import { type Clock, keepBody, type Random, randomUuid } from "@kubeloop/controller/internal/base";
import { yamlText } from "./yaml_text.ts";
import {
  type ApiError,
  encodeJson,
  escapeMarkup,
  failure,
  type Json,
  readJson,
} from "../../values/mod.ts";
import type { Format } from "./negotiation.ts";
import { encodeStatus, PROTOBUF } from "./protobuf_body.ts";

/** The maximum size of a body with a Content-Length header, in bytes. Larger bodies are sent in chunks. */
const CONTENT_LENGTH_MAX = 2048;

/** The size above which bodies are compressed, in bytes. */
const GZIP_MIN = 128 * 1024;

const encoder = new TextEncoder();

/** The error for an object that cannot be written in YAML. */
const UNREADABLE: ApiError = failure(500, "yaml: control characters are not allowed");

/** The encoding options of a JSON answer. */
export interface JsonOptions {
  /** Whether the body is indented. */
  readonly pretty?: boolean;
  /** Whether a large body is compressed. */
  readonly gzip?: boolean;
}

const FLOW_SCHEMA = "X-Kubernetes-Pf-Flowschema-Uid";
const PRIORITY_LEVEL = "X-Kubernetes-Pf-Prioritylevel-Uid";

/** Removes the headers of flow control, for a request that has not passed it. */
export function removeFlowHeaders(headers: Headers): void {
  headers.delete(FLOW_SCHEMA);
  headers.delete(PRIORITY_LEVEL);
}

/** Writes responses with the headers that every answer of the API server has. */
export class ResponseWriter {
  readonly #clock: Clock;
  readonly #random: Random;
  readonly #flowSchemaUid: string;
  readonly #priorityLevelUid: string;

  /** Creates a writer, with two UIDs from `random` for the flow control headers. */
  constructor(clock: Clock, random: Random) {
    this.#clock = clock;
    this.#random = random;
    this.#flowSchemaUid = randomUuid(random);
    this.#priorityLevelUid = randomUuid(random);
  }

  /** Returns the headers of an answer. */
  headers(contentType: string | undefined): Headers {
    const headers = new Headers();
    headers.set("Audit-Id", randomUuid(this.#random));
    headers.set("Cache-Control", "no-cache, private");
    if (contentType !== undefined) headers.set("Content-Type", contentType);
    headers.set(FLOW_SCHEMA, this.#flowSchemaUid);
    headers.set(PRIORITY_LEVEL, this.#priorityLevelUid);
    headers.set("Date", new Date(this.#clock.wallNow()).toUTCString());
    return headers;
  }

  /** Returns a JSON answer: one line, or indented without a newline at the end. */
  json(code: number, text: string, { pretty = false, gzip = false }: JsonOptions = {}): Response {
    const body = pretty ? indentJson(text) : `${text}\n`;
    return this.#text(code, body, this.headers("application/json"), gzip);
  }

  /** Returns a YAML answer with sorted keys. */
  yaml(code: number, text: string, gzip = false): Response {
    const body = yamlText(text);
    if (body === undefined) return this.error(UNREADABLE, { format: "yaml" });
    return this.#text(code, body, this.headers("application/yaml"), gzip);
  }

  /** Returns an answer in protobuf. */
  protobuf(code: number, body: Uint8Array<ArrayBuffer>, gzip = false): Response {
    return this.#body(code, body, this.headers(PROTOBUF), gzip);
  }

  /** Returns a plain text answer, as health checks and the 404 of the router have it. */
  plain(code: number, text: string): Response {
    const headers = this.headers("text/plain; charset=utf-8");
    headers.set("X-Content-Type-Options", "nosniff");
    return this.#text(code, text, headers);
  }

  /** Returns the 400 for a path with an escape sequence that is none. */
  malformedPath(): Response {
    const headers = { "content-type": "text/plain; charset=utf-8" };
    return new Response("400 Bad Request", { status: 400, headers });
  }

  /** Returns the 404 of the router, for a path that nothing serves. */
  pageNotFound(): Response {
    return this.plain(404, "404 page not found\n");
  }

  /** Returns the 500 for a path that names a special verb, such as `watch`, but no resource. */
  unknownRequest({ pathname, search }: URL): Response {
    const path = pathname + search;
    const reason =
      `failed to create RequestInfo: unable to determine kind and namespace from url, ${path}`;
    const text = `Internal Server Error: ${JSON.stringify(path)}: ${reason}\n`;
    const response = this.plain(500, escapeMarkup(text));
    response.headers.delete("Cache-Control");
    return response;
  }

  /** Returns the answer to a refused request. */
  error(error: ApiError, style: { format?: Format; pretty?: boolean } = {}): Response {
    const { format = "json", pretty = false } = style;
    const type = format === "protobuf" ? PROTOBUF : `application/${format}`;
    const headers = this.headers(type);
    for (const [name, value] of Object.entries(error.headers)) headers.set(name, value);
    if (format === "protobuf") return this.#body(error.code, encodeStatus(error.status), headers);
    const text = encodeJson(error.status as Json);
    if (format === "yaml") return this.#text(error.code, yamlText(text) ?? "", headers);
    return this.#text(error.code, pretty ? indentJson(text) : `${text}\n`, headers);
  }

  /** Returns an answer of another media type. */
  bytes(code: number, body: Uint8Array<ArrayBuffer>, contentType: string): Response {
    return new Response(body, { status: code, headers: this.headers(contentType) });
  }

  /** Returns an answer without a body. */
  bare(code: number): Response {
    return new Response(null, { status: code, headers: this.headers(undefined) });
  }

  /** Returns a 204. */
  empty(): Response {
    return this.bare(204);
  }

  /** Returns a streaming answer. With `gzip`, each chunk is compressed separately, so that no event waits for the next. */
  stream(body: ReadableStream<Uint8Array>, contentType: string, gzip = false): Response {
    const headers = this.headers(contentType);
    if (!gzip) return new Response(body, { status: 200, headers });
    compressed(headers);
    const members = new TransformStream<Uint8Array, Uint8Array>({
      transform: async (chunk, controller) => {
        const member = new Response(new Uint8Array(chunk)).body!.pipeThrough(
          new CompressionStream("gzip"),
        );
        controller.enqueue(new Uint8Array(await new Response(member).arrayBuffer()));
      },
    });
    return new Response(body.pipeThrough(members), { status: 200, headers });
  }

  #text(code: number, text: string, headers: Headers, gzip = false): Response {
    return this.#body(code, encoder.encode(text), headers, gzip);
  }

  #body(code: number, bytes: Uint8Array<ArrayBuffer>, headers: Headers, gzip = false): Response {
    if (gzip && bytes.length > GZIP_MIN) {
      compressed(headers);
      const body = new Response(bytes).body!.pipeThrough(new CompressionStream("gzip"));
      return new Response(body, { status: code, headers });
    }
    if (bytes.length <= CONTENT_LENGTH_MAX) headers.set("Content-Length", String(bytes.length));
    return keepBody(new Response(bytes, { status: code, headers }), bytes);
  }
}

function compressed(headers: Headers): void {
  headers.set("Content-Encoding", "gzip");
  headers.set("Vary", "Accept-Encoding");
}

/** Returns compact JSON in the API server's indented format. */
export function indentJson(text: string): string {
  return encodeJson(readJson(text), undefined, { indent: true });
}
