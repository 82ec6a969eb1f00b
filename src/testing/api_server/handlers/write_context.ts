import { formatTime, type KubeObject } from "@kubeloop/controller/types";
import {
  isTrue,
  mediaType,
  PROTOBUF,
  readObjectText,
  unknownBodyFormat,
  validateWriteOptions,
} from "../http/mod.ts";
import type { ResourceExchange } from "./exchange.ts";
import { managerFromUserAgent } from "../kinds/mod.ts";
import {
  type Decoded,
  decodeObject,
  decodeValue,
  type FieldValidation,
  type KindInfo,
  repeatedKeys,
  unrecognized,
} from "../schema/mod.ts";
import { badRequest, isObject, type Json, jsonTypeName } from "../../values/mod.ts";
import { YamlError, yamlToJson, type YamlValue } from "../yaml/mod.ts";

/** The options of a write, from its query and headers. */
export interface WriteOptions {
  /** Whether the write is a dry run, which stores nothing. */
  readonly dryRun: boolean;
  /** The handling of unknown and duplicate fields. */
  readonly fieldValidation: FieldValidation;
  /** The field manager that owns the fields of the write. */
  readonly manager: string;
  /** Whether a server-side apply takes over fields that other managers own. */
  readonly force: boolean;
  /** The current time, in the format of object metadata. */
  readonly now: string;
}

/** The media types of objects in request bodies. */
export const OBJECT_MEDIA_TYPES =
  "application/json, application/yaml, application/vnd.kubernetes.protobuf";

/**
 * Reads and validates the options of a write.
 *
 * @throws {ApiError} 422, if an option is invalid or not allowed for this kind of write.
 */
export function readWriteOptions(
  exchange: ResourceExchange,
  kind: "CreateOptions" | "UpdateOptions" | "PatchOptions",
  applyPatch = false,
): WriteOptions {
  const { author, query, server } = exchange;
  validateWriteOptions(kind, query, applyPatch);
  return {
    dryRun: query.get("dryRun") === "All",
    fieldValidation: (query.get("fieldValidation") || "Warn") as FieldValidation,
    manager: author.fieldManager || managerFromUserAgent(author.userAgent),
    force: isTrue(query.get("force")),
    now: formatTime(server.clock.wallNow()),
  };
}

/**
 * Refuses a body whose media type no decoder accepts.
 *
 * @throws {ApiError} 415
 */
export function requireObjectType({ request, resource }: ResourceExchange): void {
  const type = mediaType(request);
  const known = type === "" || type === "application/json" || type === "application/yaml" ||
    (type === PROTOBUF && resource.kind.custom === undefined);
  if (!known) throw unknownBodyFormat(OBJECT_MEDIA_TYPES);
}

/**
 * Reads an object from the body of a POST or PUT.
 *
 * @param kind The kind of the body. Default: that of the resource.
 * @throws {ApiError} 400, 413 or 415, if the body cannot be read.
 */
export async function readObject(
  exchange: ResourceExchange,
  options: WriteOptions,
  kind: KindInfo = exchange.resource.kind,
): Promise<KubeObject> {
  requireObjectType(exchange);
  const type = mediaType(exchange.request);
  const text = await readObjectText(exchange.request, kind.schema, kind);
  const { object, warnings } = decodeBody(type, text, kind, options.fieldValidation);
  exchange.warnings.push(...warnings);
  return object;
}

/**
 * Decodes an object from the text of a body of a media type: YAML, or else JSON.
 *
 * @throws {ApiError} 400, if the text cannot be decoded as an object of this kind.
 */
export function decodeBody(
  type: string,
  text: string,
  kind: KindInfo,
  fieldValidation: FieldValidation,
): Decoded {
  if (type !== "application/yaml") return decodeObject(text, kind, fieldValidation);
  try {
    const { value, strict } = yamlToJson(text);
    return decodeValue(value, kind, fieldValidation, { text, repeated: strict });
  } catch (error) {
    if (!(error instanceof YamlError)) throw error;
    throw unrecognized(kind, error.message, text);
  }
}

/**
 * Parses the YAML of a server-side apply, and returns what `apply` makes of it. As in a real server, keys that occur
 * twice are looked for afterwards.
 *
 * @throws {ApiError} 400, if it is not YAML or not an object, or if it has keys that occur twice under `Strict` field
 * validation.
 */
export function applyYaml<T>(
  { server, warnings }: ResourceExchange,
  text: string,
  { fieldValidation }: WriteOptions,
  apply: (patch: Json) => T,
): T {
  const { release } = server.registry;
  const form = release.has({ since: "1.37" }) ? "patch" : "YAML";
  const { value, strict } = parseApply(text, form);
  const result = apply(value);
  if (strict.length > 0 && fieldValidation === "Strict") {
    const found = repeatedKeys(strict);
    throw badRequest(`error strict decoding ${form}: error converting YAML to JSON: ${found}`);
  }
  if (fieldValidation === "Warn") warnings.push(...strict);
  return result;
}

function parseApply(text: string, form: "patch" | "YAML"): YamlValue {
  let parsed: YamlValue;
  try {
    parsed = yamlToJson(text);
  } catch (error) {
    if (!(error instanceof YamlError)) throw error;
    throw badRequest(
      form === "patch"
        ? `error encoding patch: ${error.message}`
        : `error decoding YAML: error converting YAML to JSON: ${error.message}`,
    );
  }
  const { value } = parsed;
  if (value === null || isObject(value)) return parsed;
  throw badRequest(
    `error decoding ${form}: error unmarshaling JSON: while decoding JSON: json: cannot unmarshal ` +
      `${jsonTypeName(value)} into Go value of type map[string]interface {}`,
  );
}
