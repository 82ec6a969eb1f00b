import { integerParameter, isTrue } from "../http/mod.ts";
import {
  badRequest,
  type FieldError,
  forbiddenField,
  invalid,
  invalidValue,
  type JsonObject,
  notFound,
  parseTime,
  timeMs,
} from "../../values/mod.ts";
import { clusterView } from "./write_steps.ts";
import { noKubelet } from "./connections.ts";
import { requireContainer, requireKubelet } from "../kinds/mod.ts";
import type { Answer, ResourceExchange } from "./exchange.ts";
import type { LogQuery } from "../logs/mod.ts";
import { findObject } from "./read_handlers.ts";

/** The options of a request for logs. */
interface LogOptions {
  readonly previous: boolean;
  readonly query: LogQuery;
}

/**
 * Answers a GET of a Pod's log. Where nothing has written logs of the Pod, no kubelet runs it: 204 for a Pod without a node,
 * 501 otherwise.
 */
export function handleLog(exchange: ResourceExchange): Promise<Answer> {
  try {
    return Promise.resolve(answer(exchange));
  } catch (error) {
    return Promise.reject(error);
  }
}

function answer(exchange: ResourceExchange): Answer {
  const { info, query, request, server } = exchange;
  const options = readLogOptions(info.name, query, server.clock.wallNow());
  const stored = findObject(exchange);
  if (stored === undefined) throw notFound(exchange.resource.definition, info.name);
  const pod = stored.parse() as unknown as JsonObject;
  const container = requireContainer(pod, query.get("container") ?? "");
  const body = server.logs.read(pod, container, { ...options, signal: request.signal });
  if (body !== undefined) return { type: "log", body };
  if (requireKubelet(pod, clusterView(server, info.namespace)) === undefined) {
    return { type: "empty" };
  }
  throw noKubelet("logs");
}

/**
 * Reads the options of a request for logs.
 *
 * @throws {ApiError} 400 or 422
 */
function readLogOptions(name: string, query: URLSearchParams, nowMs: number): LogOptions {
  const sinceSeconds = integerParameter(query, "sinceSeconds");
  const sinceTime = query.get("sinceTime") || undefined;
  let sinceMs = sinceSeconds === undefined ? undefined : nowMs - 1000 * sinceSeconds;
  if (sinceTime !== undefined) {
    const parsed = parseTime(sinceTime);
    if ("error" in parsed) throw badRequest(parsed.error);
    sinceMs = timeMs(parsed.text);
  }
  const tailLines = integerParameter(query, "tailLines");
  const limitBytes = integerParameter(query, "limitBytes");
  const errors: FieldError[] = [];
  if (tailLines !== undefined && tailLines < 0) {
    errors.push(invalidValue("tailLines", tailLines, "must be greater than or equal to 0"));
  }
  if (limitBytes !== undefined && limitBytes < 1) {
    errors.push(invalidValue("limitBytes", limitBytes, "must be greater than 0"));
  }
  if (sinceSeconds !== undefined && sinceTime !== undefined) {
    const detail = "at most one of `sinceTime` or `sinceSeconds` may be specified";
    errors.push(forbiddenField("[]", detail));
  } else if (sinceSeconds !== undefined && sinceSeconds < 1) {
    errors.push(invalidValue("sinceSeconds", sinceSeconds, "must be greater than 0"));
  }
  // The feature that selects a stream is off.
  if (query.get("stream")) errors.push(forbiddenField("stream", "may not be specified"));
  if (errors.length > 0) throw invalid({ group: "", kind: "PodLogOptions" }, name, errors);
  const follow = isTrue(query.get("follow"));
  const timestamps = isTrue(query.get("timestamps"));
  return {
    previous: isTrue(query.get("previous")),
    query: { follow, timestamps, sinceMs, tailLines, limitBytes },
  };
}
