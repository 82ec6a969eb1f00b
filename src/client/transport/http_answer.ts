import type { ByteSocket } from "../../websocket/mod.ts";

/** The longest head of an answer, in bytes. */
const MAX_HEAD_BYTES = 64 * 1024;

/** The longest body of an answer that is no upgrade, in bytes. What follows is not read. */
const MAX_BODY_BYTES = 64 * 1024;

/** The status codes of answers that have no body, whatever their headers say. */
const WITHOUT_BODY: ReadonlySet<number> = new Set([204, 205, 304]);

/** The answer to a request over a connection of its own. */
export interface HttpAnswer {
  readonly status: number;
  readonly headers: Headers;
  /** Returns the connection with the bytes after the head. */
  rest(): ByteSocket;
  /** Returns the answer with its body, which is read as far as it is of any use. */
  response(): Promise<Response>;
}

/**
 * Reads the head of an answer, of the server or of a proxy.
 *
 * @throws {Error} If the connection ends before, or what comes is no HTTP/1.1.
 */
export async function readAnswer(socket: ByteSocket): Promise<HttpAnswer> {
  let bytes: Uint8Array = new Uint8Array(0);
  let end: number;
  while ((end = endOfHead(bytes)) < 0) {
    if (bytes.length > MAX_HEAD_BYTES) {
      throw new Error(`The head of the answer is longer than ${MAX_HEAD_BYTES} bytes`);
    }
    const chunk = await socket.read();
    if (chunk === undefined) throw new Error("The connection was closed before an answer (EOF)");
    bytes = concat([bytes, chunk]);
  }
  const [first, ...lines] = new TextDecoder("latin1").decode(bytes.subarray(0, end))
    .split("\r\n");
  const status = Number(/^HTTP\/1\.[01] ([1-5]\d\d)( |$)/.exec(first!)?.[1]);
  if (Number.isNaN(status)) {
    throw new Error("The answer is not HTTP/1.1 (invalid HTTP version)");
  }
  const rest = bytes.subarray(end + 4);
  const headers = headersOf(lines);
  return {
    status,
    headers,
    rest: () => withFirst(socket, rest),
    response: async () => {
      if (WITHOUT_BODY.has(status)) return new Response(null, { status, headers });
      const body = await readBody(withFirst(socket, rest), headers);
      return new Response(new Uint8Array(body), { status: Math.max(200, status), headers });
    },
  };
}

function endOfHead(bytes: Uint8Array): number {
  for (let at = 0; at + 3 < bytes.length; at++) {
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
    try {
      headers.append(line.slice(0, colon), line.slice(colon + 1).trim());
    } catch {
      // A line that is no header says nothing that anybody needs.
    }
  }
  return headers;
}

/** Reads a body, whose connection is closed afterwards. What is missing at the end of the connection is left out. */
async function readBody(socket: ByteSocket, headers: Headers): Promise<Uint8Array> {
  const length = Number(headers.get("content-length") ?? Infinity);
  const chunked = /\bchunked\b/i.test(headers.get("transfer-encoding") ?? "");
  const parts: Uint8Array[] = [];
  let size = 0;
  while (size < Math.min(length, MAX_BODY_BYTES)) {
    const chunk = await socket.read().catch(() => undefined);
    if (chunk === undefined) break;
    parts.push(chunk);
    size += chunk.length;
    if (chunked && /(^|\r\n)0\r\n\r\n$/.test(tail(chunk))) break;
  }
  const body = concat(parts).subarray(0, Math.min(length, MAX_BODY_BYTES));
  return chunked ? unchunked(body) : body;
}

function tail(chunk: Uint8Array): string {
  return new TextDecoder("latin1").decode(chunk.subarray(-7));
}

/** Returns what the chunks of a chunked body hold. */
function unchunked(body: Uint8Array): Uint8Array {
  const parts: Uint8Array[] = [];
  let at = 0;
  while (at < body.length) {
    const [line = ""] = new TextDecoder("latin1").decode(body.subarray(at, at + 20)).split("\r\n");
    const size = parseInt(line, 16);
    if (!(size > 0)) break;
    at += line.length + 2;
    parts.push(body.subarray(at, at + size));
    at += size + 2;
  }
  return concat(parts);
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

function concat(parts: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}
