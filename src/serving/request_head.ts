/** The scheme of a server's URL. */
export type HttpScheme = "http" | "https";

/** The head of a request, as it is on the wire. */
export interface RequestHead {
  /** The method, in the case of the request line. */
  readonly method: string;
  /** The request target, the second word of the request line. */
  readonly target: string;
  /** The values of a header, in the order of the request. `name` is in lower case. */
  readonly values: (name: string) => readonly string[];
}

/**
 * A request that could not be read: it is not HTTP/1.1, too large or too slow.
 *
 * @internal
 */
export class UnreadableRequest extends Error {
  /** The HTTP status code that fits: 400, 405, 408, 413 or 431. */
  readonly code: number;

  /** Creates the error for a status code. */
  constructor(code: number, message: string) {
    super(message);
    this.code = code;
  }
}
