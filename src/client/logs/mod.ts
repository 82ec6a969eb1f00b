/**
 * The logs of containers: the query of a request, and the lines of its answer.
 *
 * Imports `request`.
 *
 * @module
 */

export { type LogLine } from "./log_lines.ts";
export { type LogsOptions, logsRequest } from "./log_request.ts";
export { LogStream } from "./log_stream.ts";
