/** Who asks. */
export type Caller = "admin" | "nobody" | "anonymous" | "stranger";

/** One request. Placeholders `{{name.path}}` stand for what an answer saved before held there. */
export interface RequestStep {
  readonly method: string;
  /** Path and query. */
  readonly path: string;
  /** JSON, or text that is sent as it is. */
  readonly body?: unknown;
  /** The request's headers, besides those that every request has. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Default: the administrator. */
  readonly as?: Caller;
  /** The name under which the answer's JSON is kept for placeholders. */
  readonly save?: string;
  /** Repeats until the answer is another status than this, as while a definition is not served yet. */
  readonly whileStatus?: readonly number[];
  /** What is done for other steps only: not compared. */
  readonly unseen?: boolean;
}

/** Opens a watch, and goes on once its answer has begun. */
export interface OpenStep extends RequestStep {
  /** The name of the watch. */
  readonly open: string;
}

/** Compares what a watch has sent. */
export interface CloseStep {
  /** The name of the watch. */
  readonly close: string;
  /** How many events it is to have sent before it is closed; none: it is to be ended by the server. */
  readonly events?: number;
}

/** One step of a {@linkcode StepScenario}. */
export type Step = RequestStep | OpenStep | CloseStep;

/** Requests that are sent one after the other, and what each is answered. */
export interface StepScenario {
  /** Its name, and that of its golden file. */
  readonly name: string;
  /** The steps, in order. */
  readonly steps: readonly Step[];
}

type Extra = Omit<RequestStep, "method" | "path" | "body">;

/** A step that reads. */
export function get(path: string, extra: Extra = {}): RequestStep {
  return { method: "GET", path, ...extra };
}

/** A step that creates. */
export function post(path: string, body: unknown, extra: Extra = {}): RequestStep {
  return { method: "POST", path, body, ...extra };
}

/** A step that replaces. */
export function put(path: string, body: unknown, extra: Extra = {}): RequestStep {
  return { method: "PUT", path, body, ...extra };
}

/** A step that deletes, with or without options. */
export function del(path: string, body?: unknown, extra: Extra = {}): RequestStep {
  return { method: "DELETE", path, ...(body === undefined ? {} : { body }), ...extra };
}

function patchOf(type: string, path: string, body: unknown, extra: Extra): RequestStep {
  const headers = { "content-type": type, ...extra.headers };
  return { method: "PATCH", path, body, ...extra, headers };
}

/** A JSON merge patch. */
export function merge(path: string, body: unknown, extra: Extra = {}): RequestStep {
  return patchOf("application/merge-patch+json", path, body, extra);
}

/** A strategic merge patch. */
export function strategic(path: string, body: unknown, extra: Extra = {}): RequestStep {
  return patchOf("application/strategic-merge-patch+json", path, body, extra);
}

/** A JSON patch. */
export function jsonPatch(path: string, body: unknown, extra: Extra = {}): RequestStep {
  return patchOf("application/json-patch+json", path, body, extra);
}

/** A server-side apply by `manager`. */
export function apply(
  path: string,
  manager: string,
  body: unknown,
  extra: Extra & { force?: boolean } = {},
): RequestStep {
  const { force, ...rest } = extra;
  const join = path.includes("?") ? "&" : "?";
  const query = `${join}fieldManager=${manager}${force ? "&force=true" : ""}`;
  return patchOf("application/apply-patch+yaml", path + query, body, rest);
}

/** Opens a watch. */
export function watch(open: string, path: string, extra: Extra = {}): OpenStep {
  return { open, method: "GET", path, ...extra };
}

/** Ends a watch after so many events; without a number, when the server ends it. */
export function close(name: string, events?: number): CloseStep {
  return { close: name, ...(events === undefined ? {} : { events }) };
}
