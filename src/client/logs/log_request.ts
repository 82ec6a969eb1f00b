import { describeValue, isRecord, requireCount } from "../../base/mod.ts";
import {
  type ApiRequest,
  type CallOptions,
  callOptions,
  podPath,
  type PodReference,
  requireBoolean,
  toQuery,
} from "../request/mod.ts";

/** As kubectl and client-go ask: a log is text, and an error is a Status in JSON. */
const ACCEPT = "application/json, */*";

/** Longer than what a container runtime hands on as one line, which is 16 KiB unless it is configured otherwise. */
const DEFAULT_MAX_LINE_BYTES = 1024 * 1024;

/** The annotation with the container that kubectl takes if none is named. */
const DEFAULT_CONTAINER = "kubectl.kubernetes.io/default-container";

/** Options of `Client.logs`. Without `sinceSeconds`, `sinceTime` and `tailLines`, the log is read from its start. */
export interface LogsOptions extends Pick<CallOptions, "signal" | "maxRetries"> {
  /** The namespace of the Pod. Needed, unless the Pod is given as an object that has one. */
  readonly namespace?: string | undefined;
  /**
   * The name of the container, which may be an init container. Default: the one in the annotation
   * `kubectl.kubernetes.io/default-container`, if the Pod is given as an object that has it, or the only container.
   */
  readonly container?: string | undefined;
  /** Whether the log stays open, and new lines follow, until the container has ended. Default false. */
  readonly follow?: boolean | undefined;
  /** Whether to read the log of the instance of the container before the current one. Default false. */
  readonly previous?: boolean | undefined;
  /** Reads the lines of the last seconds, by the clock of the node. A whole number of at least 1. */
  readonly sinceSeconds?: number | undefined;
  /** Reads the lines from a time on: a Date, or RFC 3339 text. Servers ignore the fraction of its second. */
  readonly sinceTime?: Date | string | undefined;
  /** Reads only as many of the last lines. A whole number of at least 0. */
  readonly tailLines?: number | undefined;
  /** Whether each line begins with its time in RFC 3339, with nanoseconds, and a space. Default false. */
  readonly timestamps?: boolean | undefined;
  /** The number of bytes after which the server ends the log, maybe within a line. */
  readonly limitBytes?: number | undefined;
  /**
   * The longest line, in bytes. A longer one is cut: each part of it is a line of its own. Default 1 MiB.
   */
  readonly maxLineBytes?: number | undefined;
}

/**
 * Returns the request of a log, and the longest line.
 *
 * @throws {TypeError} If the Pod, its namespace or an option is not what it should be.
 * @throws {RangeError} If a number is out of range.
 */
export function logsRequest(
  pod: PodReference,
  options: LogsOptions,
): { readonly request: ApiRequest; readonly maxLineBytes: number } {
  if (!isRecord(options as unknown)) {
    throw new TypeError(`Invalid options of logs(): received ${describeValue(options)}`);
  }
  const { maxLineBytes = DEFAULT_MAX_LINE_BYTES, sinceSeconds, sinceTime } = options;
  requireCount("maxLineBytes", maxLineBytes, 1);
  if (sinceSeconds !== undefined && sinceTime !== undefined) {
    throw new TypeError("Cannot use sinceSeconds and sinceTime together: give one of them");
  }
  for (const [name, least] of [["sinceSeconds", 1], ["tailLines", 0], ["limitBytes", 1]] as const) {
    const value = options[name];
    if (value !== undefined) requireCount(name, value, least);
  }
  const path = podPath(pod, options.namespace, "log");
  const annotations = typeof pod === "string" ? undefined : pod.metadata.annotations;
  const { signal, maxRetries } = callOptions(options);
  const query = toQuery({
    container: options.container ?? annotations?.[DEFAULT_CONTAINER],
    follow: requireBoolean("follow", options.follow) || undefined,
    previous: requireBoolean("previous", options.previous) || undefined,
    timestamps: requireBoolean("timestamps", options.timestamps) || undefined,
    sinceSeconds,
    sinceTime: sinceTime === undefined ? undefined : timeText(sinceTime),
    tailLines: options.tailLines,
    limitBytes: options.limitBytes,
  });
  const request = { method: "GET", path, query, accept: ACCEPT, signal, maxRetries } as const;
  return { request: { ...request, expects: "log" }, maxLineBytes };
}

function timeText(time: Date | string): string {
  const isDate = time instanceof Date;
  const year = isDate ? time.getUTCFullYear() : undefined;
  const text = isDate && !Number.isNaN(year) ? time.toISOString() : time;
  // The shape of RFC 3339, which has no years after 9999. The server says what else is wrong.
  if (typeof text === "string" && /^\d{4}-\d\d-\d\d[Tt]\d\d:\d\d:\d\d/.test(text)) return text;
  throw new TypeError(
    `Invalid sinceTime: expected a Date or RFC 3339 text such as "2026-01-31T10:00:00Z", received ${
      !isDate
        ? describeValue(time)
        : Number.isNaN(year)
        ? "an invalid Date"
        : `a Date of the year ${year}`
    }`,
  );
}
