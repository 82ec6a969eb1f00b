/**
 * YAML in request bodies, read as the API server reads it: YAML 1.1, with the server's messages for common mistakes.
 *
 * Imports only values.
 *
 * @module
 */

export { YamlError } from "./yaml_error.ts";
export { yamlToJson, type YamlValue } from "./yaml_to_json.ts";
