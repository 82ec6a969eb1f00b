import type { Scripts } from "./scripted_webhooks.ts";
import type { ServerSetting } from "./server_under_test.ts";

/** The user that sends a request. */
export type Caller = "admin" | "nobody" | "anonymous" | "stranger";

/** One request. Placeholders `{{name.path}}` are replaced by values of answers that were saved before. */
export interface RequestStep {
  readonly method: string;
  /** Path and query. */
  readonly path: string;
  /** A JSON value, or text that is sent unchanged. */
  readonly body?: unknown;
  /** Additional headers of the request; an empty text removes a header. */
  readonly headers?: Readonly<Record<string, string>>;
  /** The user. Default: the administrator. */
  readonly as?: Caller;
  /** The name under which the JSON of the answer is saved for placeholders. */
  readonly save?: string;
  /** Repeats the request while the status is one of these, for example until a new definition is served. */
  readonly whileStatus?: readonly number[];
  /**
   * Repeats the request until the answer or its warnings have this text, for example until a cache of the real server is up
   * to date.
   */
  readonly until?: string;
  /** Whether the answer is not compared, because the step only prepares others. */
  readonly unseen?: boolean;
  /** The time, in milliseconds, that passes after the answer. */
  readonly settleMs?: number;
}

/** The time, in milliseconds, until a real server acts on a new definition, policy or webhook. */
export const SETTLE_MS = 2500;

/** Opens a watch, whose events are in JSON, and continues once the response has begun. */
export interface OpenStep extends RequestStep {
  /** The name of the watch. */
  readonly open: string;
}

/** Closes a watch and compares its events. */
export interface CloseStep {
  /** The name of the watch. */
  readonly close: string;
  /** The number of events before the watch is closed; if undefined, the server ends the watch. */
  readonly events?: number;
}

/** Kills the server, and starts it again on the same state. */
export interface RestartStep {
  readonly restart: true;
}

/** Sends a request while the server is at its limit of concurrent requests. */
export interface BusyStep {
  readonly whileBusy: RequestStep;
}

/** Compacts the history of the storage. */
export interface CompactStep {
  readonly compact: true;
}

/** One step of a {@linkcode StepScenario}. */
export type Step = RequestStep | OpenStep | CloseStep | RestartStep | BusyStep | CompactStep;

/** A sequence of requests whose answers are compared. */
export interface StepScenario {
  /** The name of the scenario and of its recording. */
  readonly name: string;
  /** The settings of a server of its own; if undefined, the scenario shares a server with others. */
  readonly setting?: ServerSetting;
  /** The steps, in order. */
  readonly steps: readonly Step[];
  /** The answers of the webhooks at `{{hooks.url}}`, whose certificate `{{hooks.ca}}` signs. */
  readonly webhooks?: Scripts;
}

type Extra = Omit<RequestStep, "method" | "path" | "body">;

/** Returns a step that reads. */
export function get(path: string, extra: Extra = {}): RequestStep {
  return { method: "GET", path, ...extra };
}

/** Returns the header of a step whose answer is a view of an object or a list, such as a `Table`. */
export function viewed(as: string): Pick<Required<RequestStep>, "headers"> {
  return { headers: { accept: `application/json;as=${as};v=v1;g=meta.k8s.io` } };
}

/** Returns a step that creates. */
export function post(path: string, body: unknown, extra: Extra = {}): RequestStep {
  return { method: "POST", path, body, ...extra };
}

/** Returns a step that replaces. */
export function put(path: string, body: unknown, extra: Extra = {}): RequestStep {
  return { method: "PUT", path, body, ...extra };
}

/** Returns a step that deletes, with or without options. */
export function del(path: string, body?: unknown, extra: Extra = {}): RequestStep {
  return { method: "DELETE", path, ...(body === undefined ? {} : { body }), ...extra };
}

function patchOf(type: string, path: string, body: unknown, extra: Extra): RequestStep {
  const headers = { "content-type": type, ...extra.headers };
  return { method: "PATCH", path, body, ...extra, headers };
}

/** Returns a step with a JSON merge patch. */
export function merge(path: string, body: unknown, extra: Extra = {}): RequestStep {
  return patchOf("application/merge-patch+json", path, body, extra);
}

/** Returns a step with a strategic merge patch. */
export function strategic(path: string, body: unknown, extra: Extra = {}): RequestStep {
  return patchOf("application/strategic-merge-patch+json", path, body, extra);
}

/** Returns a step with a JSON patch. */
export function jsonPatch(path: string, body: unknown, extra: Extra = {}): RequestStep {
  return patchOf("application/json-patch+json", path, body, extra);
}

/** Returns a step with a server-side apply by `manager`. */
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

/** Returns a step that opens a watch. */
export function watch(open: string, path: string, extra: Extra = {}): OpenStep {
  return { open, method: "GET", path, ...extra };
}

/** Returns a step that sends a request as it is written. */
export function request(
  method: string,
  path: string,
  body?: unknown,
  extra: Extra = {},
): RequestStep {
  return { method, path, ...(body === undefined ? {} : { body }), ...extra };
}

/** Returns a step that closes a watch after `events` events; if undefined, when the server ends the watch. */
export function close(name: string, events?: number): CloseStep {
  return { close: name, ...(events === undefined ? {} : { events }) };
}
