/**
 * YAML in request bodies, read as the API server reads it: its parser is one for YAML 1.1, and its messages name what it
 * expected.
 *
 * Imports only values.
 *
 * @module
 */

export { YamlError } from "./yaml_error.ts";
export { yamlToJson, type YamlValue } from "./yaml_to_json.ts";
