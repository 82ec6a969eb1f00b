/**
 * The reason why a connection failed. The three runtimes report it in different places: Node as a code of the cause,
 * Bun as a code of the error, and Deno only in the message of the cause.
 */
export type NetworkFailure = "refused" | "reset" | "eof" | "timeout";

const CODES: ReadonlyMap<string, NetworkFailure> = new Map([
  ["ECONNREFUSED", "refused"],
  ["ConnectionRefused", "refused"],
  ["ECONNRESET", "reset"],
  ["ConnectionReset", "reset"],
  ["EPIPE", "reset"],
  ["UND_ERR_SOCKET", "eof"],
  ["ERR_HTTP2_GOAWAY_SESSION", "eof"],
  ["ConnectionClosed", "eof"],
  ["ETIMEDOUT", "timeout"],
  ["Timeout", "timeout"],
  ["UND_ERR_CONNECT_TIMEOUT", "timeout"],
  ["UND_ERR_HEADERS_TIMEOUT", "timeout"],
  ["UND_ERR_BODY_TIMEOUT", "timeout"],
]);

const MESSAGES: readonly (readonly [RegExp, NetworkFailure])[] = [
  [/connection refused|ECONNREFUSED/i, "refused"],
  [/connection reset|broken pipe|connection was reset|ECONNRESET/i, "reset"],
  [/timed? ?out/i, "timeout"],
  [
    /\beof\b|unexpected end of file|end of file before|connection closed|socket (connection was )?closed|socket hang up|other side closed|closed before message completed|error reading a body from connection|terminated/i,
    "eof",
  ],
  // HTTP/2, and messages of Go, which a gateway may pass on.
  [/goaway|connection lost|closed network connection|broken connection/i, "eof"],
];

/** The messages of browsers for every failure (Chrome and Edge, Safari, Firefox). A cause may be more specific. */
const VAGUE = /^network error$|^failed to fetch$|^load failed$|^networkerror when/i;

/**
 * The messages of engines for a bug in the code. They may quote any name, such as `eof`:
 * `Cannot read properties of undefined (reading 'eof')`.
 */
const BUGS =
  /^(Cannot (read|set|access|convert|destructure|create) |(undefined|null) is not an object)|is not (a function|a constructor|iterable|defined|an object)\b/;

/** The URLs in a message. Deno quotes the URL of the request, and `timeoutSeconds` in a URL does not mean a timeout. */
const URLS = /https?:\/\/[^\s"']+/g;

/**
 * Returns the network failure that caused `error`; undefined for any other error: a bug, an invalid response, an abort.
 */
export function networkFailure(error: unknown): NetworkFailure | undefined {
  let current: unknown = error;
  let isVague = false;
  for (let depth = 0; depth < 8 && typeof current === "object" && current !== null; depth++) {
    const { code, message, cause } = current as {
      code?: unknown;
      message?: unknown;
      cause?: unknown;
    };
    const byCode = typeof code === "string" ? CODES.get(code) : undefined;
    if (byCode !== undefined) return byCode;
    if (typeof message === "string" && !BUGS.test(message)) {
      const text = message.replace(URLS, "");
      for (const [pattern, failure] of MESSAGES) if (pattern.test(text)) return failure;
      isVague ||= VAGUE.test(text);
    }
    current = cause;
  }
  return isVague ? "eof" : undefined;
}

/** Reports whether `error` means that nothing listens at the address (`ECONNREFUSED`). */
export function isConnectionRefused(error: unknown): boolean {
  return networkFailure(error) === "refused";
}
