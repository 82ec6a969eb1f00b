/**
 * The JSONPath of Kubernetes, as far as one expression selects values: what `kubectl wait --for jsonpath=` takes.
 *
 * In come the text of an expression and an object, out come the values that it selects. Imports `base`.
 *
 * @module
 */

export { evaluateJsonPath } from "./evaluate.ts";
export { type JsonPath, JsonPathSyntaxError, parseJsonPath } from "./parse.ts";
