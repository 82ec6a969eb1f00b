/**
 * Parses and evaluates JSONPath expressions as in `kubectl wait --for jsonpath=`, without the template functions.
 *
 * @module
 */

export { evaluateJsonPath } from "./evaluate.ts";
export { type JsonPath, JsonPathSyntaxError, parseJsonPath } from "./parse.ts";
