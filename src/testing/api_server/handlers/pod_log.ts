import { integerParameter } from "../http/mod.ts";
import {
  badRequest,
  type FieldError,
  forbiddenField,
  invalid,
  invalidValue,
  type JsonObject,
  notFound,
  parseTime,
} from "../values/mod.ts";
import { noKubelet, requireContainer, requireKubelet } from "./connections.ts";
import type { Answer, ResourceExchange } from "./exchange.ts";
import { findObject } from "./read_handlers.ts";

/**
 * Answers a GET of a Pod's log. No kubelet runs here, so there are no logs: 204 for a Pod without a node, 501 otherwise.
 */
export function handleLog(exchange: ResourceExchange): Promise<Answer> {
  try {
    requireLogOptions(exchange.info.name, exchange.query);
    const stored = findObject(exchange);
    if (stored === undefined) throw notFound(exchange.resource.definition, exchange.info.name);
    const pod = stored.parse() as unknown as JsonObject;
    requireContainer(pod, exchange.query.get("container") ?? "");
    if (requireKubelet(pod, exchange.server.storage) === undefined) {
      return Promise.resolve({ type: "empty" });
    }
    throw noKubelet("logs");
  } catch (error) {
    return Promise.reject(error);
  }
}

/**
 * Checks the options of a request for logs.
 *
 * @throws {ApiError} 400 or 422
 */
function requireLogOptions(name: string, query: URLSearchParams): void {
  const sinceSeconds = integerParameter(query, "sinceSeconds");
  const sinceTime = query.get("sinceTime") || undefined;
  if (sinceTime !== undefined) {
    const parsed = parseTime(sinceTime);
    if ("error" in parsed) throw badRequest(parsed.error);
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
}
