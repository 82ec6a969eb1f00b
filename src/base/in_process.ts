/** The functions that answer requests within this process. */
const IN_PROCESS = new WeakSet<object>();

/** Notes that a `fetch` is that of a server in this process, as tests and simulations have. */
export function markInProcess(fetch: object): void {
  IN_PROCESS.add(fetch);
}

/** Reports whether a `fetch` is that of a server in this process. */
export function isInProcess(fetch: object | undefined): boolean {
  return fetch !== undefined && IN_PROCESS.has(fetch);
}

/** The streams that were made within this process. */
const STREAMS = new WeakSet<ReadableStream>();

/** Notes that a stream was made within this process, so that it is not one of bytes, as those of the network are. */
export function markMade(stream: ReadableStream): void {
  STREAMS.add(stream);
}

/** Reports whether a stream was made within this process. */
export function isMade(stream: ReadableStream): boolean {
  return STREAMS.has(stream);
}

/** The bodies of requests and responses that were made within this process. */
const BODIES = new WeakMap<Request | Response, Uint8Array<ArrayBuffer>>();

/** Keeps the body of a message that both ends have in memory, so that the other end need not read it from a stream. */
export function keepBody<T extends Request | Response>(
  message: T,
  body: Uint8Array<ArrayBuffer>,
): T {
  BODIES.set(message, body);
  return message;
}

/** Returns the body of a message that was made within this process, to be read only; undefined if it is in a stream. */
export function keptBody(message: Request | Response): Uint8Array<ArrayBuffer> | undefined {
  return BODIES.get(message);
}
