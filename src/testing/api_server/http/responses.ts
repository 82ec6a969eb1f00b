import { type Clock, type Random, randomUuid } from "@kubeloop/controller/base";
import { yamlText } from "./yaml_text.ts";
import { type ApiError, encodeJson, type Json } from "../values/mod.ts";

/** Bodies up to this size tell their length; longer ones are sent in chunks. */
const CONTENT_LENGTH_MAX = 2048;

/** Bodies up to this size are not worth compressing. */
const GZIP_MIN = 128 * 1024;

const encoder = new TextEncoder();

/** How a JSON answer is written. */
export interface JsonOptions {
  /** Whether it is indented. */
  readonly pretty?: boolean;
  /** Whether it is compressed when it is large. */
  readonly gzip?: boolean;
}

/** Writes responses with the headers that every answer of the API server carries. */
export class ResponseWriter {
  readonly #clock: Clock;
  readonly #random: Random;
  readonly #flowSchemaUid: string;
  readonly #priorityLevelUid: string;

  /** Takes two uids from `random` for the flow-control headers. */
  constructor(clock: Clock, random: Random) {
    this.#clock = clock;
    this.#random = random;
    this.#flowSchemaUid = randomUuid(random);
    this.#priorityLevelUid = randomUuid(random);
  }

  /** The headers of an answer; `flow` is false where it was refused before flow control. */
  headers(contentType: string | undefined, flow = true): Headers {
    const headers = new Headers();
    headers.set("Audit-Id", randomUuid(this.#random));
    headers.set("Cache-Control", "no-cache, private");
    if (contentType !== undefined) headers.set("Content-Type", contentType);
    if (flow) {
      headers.set("X-Kubernetes-Pf-Flowschema-Uid", this.#flowSchemaUid);
      headers.set("X-Kubernetes-Pf-Prioritylevel-Uid", this.#priorityLevelUid);
    }
    headers.set("Date", new Date(this.#clock.wallNow()).toUTCString());
    return headers;
  }

  /** A JSON answer: one line, or indented without a newline at the end. */
  json(code: number, text: string, { pretty = false, gzip = false }: JsonOptions = {}): Response {
    const body = pretty ? indentJson(text) : `${text}\n`;
    return this.#text(code, body, this.headers("application/json"), gzip);
  }

  /** A YAML answer with sorted keys. */
  yaml(code: number, text: string, gzip = false): Response {
    const body = yamlText(JSON.parse(text));
    return this.#text(code, body, this.headers("application/yaml"), gzip);
  }

  /** A plain text answer, as health checks and the router's 404 give it. */
  plain(code: number, text: string): Response {
    const headers = this.headers("text/plain; charset=utf-8");
    headers.set("X-Content-Type-Options", "nosniff");
    return this.#text(code, text, headers);
  }

  /** The router's answer to a path that nothing serves. */
  pageNotFound(): Response {
    return this.plain(404, "404 page not found\n");
  }

  /** The answer to a refused request. */
  error(error: ApiError, style: { format?: "json" | "yaml"; pretty?: boolean } = {}): Response {
    const { format = "json", pretty = false } = style;
    const headers = this.headers(`application/${format}`, error.code !== 401);
    for (const [name, value] of Object.entries(error.headers)) headers.set(name, value);
    const text = encodeJson(error.status as Json);
    if (format === "yaml") return this.#text(error.code, yamlText(JSON.parse(text)), headers);
    return this.#text(error.code, pretty ? indentJson(text) : `${text}\n`, headers);
  }

  /** 204. */
  empty(): Response {
    return new Response(null, { status: 204, headers: this.headers(undefined) });
  }

  /** A streaming answer. */
  stream(body: ReadableStream<Uint8Array>, contentType: string): Response {
    return new Response(body, { status: 200, headers: this.headers(contentType) });
  }

  #text(code: number, text: string, headers: Headers, gzip = false): Response {
    const bytes = encoder.encode(text);
    if (gzip && bytes.length > GZIP_MIN) {
      headers.set("Content-Encoding", "gzip");
      headers.set("Vary", "Accept-Encoding");
      const body = new Response(bytes).body!.pipeThrough(new CompressionStream("gzip"));
      return new Response(body, { status: code, headers });
    }
    if (bytes.length <= CONTENT_LENGTH_MAX) headers.set("Content-Length", String(bytes.length));
    return new Response(bytes, { status: code, headers });
  }
}

/** Compact JSON as the API server indents it. */
export function indentJson(text: string): string {
  return encodeJson(JSON.parse(text), undefined, { indent: true });
}
