import { ByteParts, parseCount } from "../../base/mod.ts";
import type { ByteSocket } from "../../websocket/mod.ts";
import { ChunkedBody } from "./chunked_body.ts";

/** The longest head of an answer, in bytes, together with the informational answers before it. */
const MAX_HEAD_BYTES = 64 * 1024;

/** The longest body of an answer that is not an upgrade, in bytes. The rest is not read. */
const MAX_BODY_BYTES = 64 * 1024;

/** The status codes of answers without a body, whatever their headers say. */
const WITHOUT_BODY: ReadonlySet<number> = new Set([204, 205, 304]);

const SWITCHING_PROTOCOLS = 101;

/** The answer to a request over a connection of its own. */
export interface HttpAnswer {
  readonly status: number;
  readonly headers: Headers;
  /** Returns the connection with the bytes after the head. */
  rest(): ByteSocket;
  /**
   * Returns the answer with its body: what arrives until its end, the end of the connection, or 64 KiB. The caller ends
   * the connection if that takes too long.
   */
  response(): Promise<Response>;
}

/**
 * Reads the head of an answer, of the server or of a proxy. Informational answers before it, such as 103, are skipped.
 *
 * @throws {Error} If the connection ends before, or the bytes are not HTTP/1.1.
 */
export async function readAnswer(socket: ByteSocket): Promise<HttpAnswer> {
  let input = socket;
  for (let left = MAX_HEAD_BYTES;;) {
    const { head, rest } = await readHead(input, left);
    input = withFirst(socket, rest);
    const [first = "", ...lines] = head.split("\r\n");
    const [, code] = /^HTTP\/1\.[01] ([1-5][0-9][0-9])(?: |$)/.exec(first) ?? [];
    const status = parseCount(code ?? "", 599);
    if (status === undefined) {
      throw new Error("The answer is not HTTP/1.1 (invalid HTTP version)");
    }
    if (status >= 200 || status === SWITCHING_PROTOCOLS) {
      return answerOf(status, headersOf(lines), input);
    }
    left -= head.length;
  }
}

function answerOf(status: number, headers: Headers, rest: ByteSocket): HttpAnswer {
  return {
    status,
    headers,
    rest: () => rest,
    response: async () => {
      if (WITHOUT_BODY.has(status)) return new Response(null, { status, headers });
      const body = await readBody(rest, headers);
      return new Response(new Uint8Array(body), { status: Math.max(200, status), headers });
    },
  };
}

/** Reads up to the empty line, and returns the text before it and the bytes after it. */
async function readHead(
  socket: ByteSocket,
  maxBytes: number,
): Promise<{ readonly head: string; readonly rest: Uint8Array }> {
  let bytes = new Uint8Array(4_096);
  let length = 0;
  while (true) {
    const chunk = await socket.read();
    if (chunk === undefined) throw new Error("The connection was closed before an answer (EOF)");
    if (length + chunk.length > bytes.length) {
      const larger = new Uint8Array(2 * (length + chunk.length));
      larger.set(bytes.subarray(0, length));
      bytes = larger;
    }
    bytes.set(chunk, length);
    // The bytes before were searched, but for the beginning of the end.
    const from = Math.max(0, length - 3);
    length += chunk.length;
    const end = endOfHead(bytes.subarray(0, length), from);
    if ((end < 0 ? length : end) > maxBytes) {
      throw new Error(`The head of the answer is longer than ${MAX_HEAD_BYTES} bytes`);
    }
    if (end >= 0) {
      const head = new TextDecoder("latin1").decode(bytes.subarray(0, end));
      return { head, rest: bytes.slice(end + 4, length) };
    }
  }
}

function endOfHead(bytes: Uint8Array, from: number): number {
  for (let at = from; at + 3 < bytes.length; at++) {
    if (
      bytes[at] === 13 && bytes[at + 1] === 10 && bytes[at + 2] === 13 && bytes[at + 3] === 10
    ) return at;
  }
  return -1;
}

function headersOf(lines: readonly string[]): Headers {
  const headers = new Headers();
  for (const line of lines) {
    const colon = line.indexOf(":");
    if (colon < 1) continue;
    try {
      headers.append(line.slice(0, colon), line.slice(colon + 1).trim());
    } catch {
      // Skip malformed header lines.
    }
  }
  return headers;
}

/** Reads a body, whose connection is closed afterwards. If the connection ends before the body, the rest is missing. */
async function readBody(socket: ByteSocket, headers: Headers): Promise<Uint8Array> {
  const isChunked = /\bchunked\b/i.test(headers.get("transfer-encoding") ?? "");
  const body = isChunked
    ? new ChunkedBody(MAX_BODY_BYTES)
    // Without a valid length, the body lasts as long as the connection.
    : new PlainBody(parseCount(headers.get("content-length") ?? "", MAX_BODY_BYTES));
  while (!body.isWhole) {
    const chunk = await socket.read().catch(() => undefined);
    if (chunk === undefined) break;
    body.push(chunk);
  }
  return body.content();
}

/** A body of a length that the head tells, or that lasts until the connection ends. */
class PlainBody {
  readonly #length: number;
  readonly #content = new ByteParts();

  constructor(length = MAX_BODY_BYTES) {
    this.#length = length;
  }

  get isWhole(): boolean {
    return this.#content.length >= this.#length;
  }

  push(bytes: Uint8Array): void {
    this.#content.push(bytes);
  }

  content(): Uint8Array {
    return this.#content.join().subarray(0, this.#length);
  }
}

/** Returns a socket that reads `first` before everything else. */
function withFirst(socket: ByteSocket, first: Uint8Array): ByteSocket {
  let waiting: Uint8Array | undefined = first.length === 0 ? undefined : first;
  return {
    read: () => {
      const chunk = waiting;
      waiting = undefined;
      return chunk === undefined ? socket.read() : Promise.resolve(chunk);
    },
    write: (bytes) => socket.write(bytes),
    end: () => socket.end(),
    destroy: (reason) => socket.destroy(reason),
  };
}
