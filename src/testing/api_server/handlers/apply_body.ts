import { repeatedKeys } from "../schema/mod.ts";
import { badRequest, isObject, type Json, jsonTypeName } from "../../values/mod.ts";
import { YamlError, yamlToJson, type YamlValue } from "../yaml/mod.ts";
import type { ResourceExchange } from "./exchange.ts";
import type { WriteOptions } from "./write_context.ts";

/**
 * Parses the YAML of a server-side apply, and returns what `apply` makes of it. As in a real server, keys that occur
 * twice are looked for afterwards.
 *
 * @throws {ApiError} 400, if it is not YAML or not an object, or if it has keys that occur twice under `Strict` field
 * validation.
 */
export function applyYaml<T>(
  { warnings }: ResourceExchange,
  text: string,
  { fieldValidation }: WriteOptions,
  apply: (patch: Json) => T,
): T {
  const { value, strict } = parse(text);
  const result = apply(value);
  if (strict.length > 0 && fieldValidation === "Strict") {
    const found = repeatedKeys(strict);
    throw badRequest(`error strict decoding YAML: error converting YAML to JSON: ${found}`);
  }
  if (fieldValidation === "Warn") warnings.push(...strict);
  return result;
}

function parse(text: string): YamlValue {
  let parsed: YamlValue;
  try {
    parsed = yamlToJson(text);
  } catch (error) {
    if (!(error instanceof YamlError)) throw error;
    throw badRequest(`error decoding YAML: error converting YAML to JSON: ${error.message}`);
  }
  const { value } = parsed;
  if (value === null || isObject(value)) return parsed;
  throw badRequest(
    "error decoding YAML: error unmarshaling JSON: while decoding JSON: json: cannot unmarshal " +
      `${jsonTypeName(value)} into Go value of type map[string]interface {}`,
  );
}
