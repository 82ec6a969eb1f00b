import type { CallOptions } from "./call_options.ts";
import type { Call } from "./calls.ts";

/** One request, before it has a server and credentials. */
export interface ApiRequest extends CallOptions {
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** Percent-encoded, beginning with a slash. */
  readonly path: string;
  readonly query?: URLSearchParams | undefined;
  /** The body, as JSON text. */
  readonly body?: string | undefined;
  /** The body's type. Always given with a body: `fetch` would say `text/plain`, which the server answers with 415. */
  readonly contentType?: string | undefined;
  /** The form that the answer is to have. Default: JSON. */
  readonly accept?: string | undefined;
  /** Whether the answer is a stream of events. */
  readonly watch?: boolean | undefined;
  /** The call that the request is a part of: its signal and its time limit hold. Default: a call of its own. */
  readonly within?: Call | undefined;
}

/** Where a request goes, for errors: it holds no credentials. */
export interface RequestLocation {
  readonly method: string;
  readonly url: string;
}
