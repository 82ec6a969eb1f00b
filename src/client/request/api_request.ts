import type { Status } from "../../types/mod.ts";
import type { Redact } from "../../base/mod.ts";
import type { ResponseKind } from "../transport/mod.ts";
import type { CallOptions } from "./call_options.ts";
import type { Call } from "./calls.ts";

/** A request without the server URL and the credentials. */
export interface ApiRequest extends CallOptions {
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** The path, percent-encoded and with a leading slash. */
  readonly path: string;
  readonly query?: URLSearchParams | undefined;
  /** The body, as JSON text. */
  readonly body?: string | undefined;
  /**
   * The media type of the body. Default `application/json`. It is always sent with a body, because `fetch` would send
   * `text/plain`, which the server rejects with 415.
   */
  readonly contentType?: string | undefined;
  /** The `Accept` header. Default `application/json`. */
  readonly accept?: string | undefined;
  /** Reads the Status of an error in protobuf. Default: an error is JSON. */
  readonly readStatus?: ((body: Uint8Array) => Status | undefined) | undefined;
  /** The kind of response. Default `"other"`. */
  readonly expects?: ResponseKind | undefined;
  /** The call that the request belongs to, with its signal and time limit. Default: a new call. */
  readonly within?: Call | undefined;
}

/** The method and URL of a request, for error messages. They contain no credentials. */
export interface RequestLocation {
  readonly method: string;
  readonly url: string;
  /**
   * Replaces the credentials of the client. Everything from the answer that becomes part of an error passes through it:
   * a server may repeat what it was sent.
   */
  readonly redact: Redact;
}
