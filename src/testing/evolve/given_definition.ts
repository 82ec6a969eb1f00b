import {
  describeValue,
  isRecord,
  stringifyJson,
  visibleText,
} from "@kubeloop/controller/internal/base";
import { crd } from "@kubeloop/controller/crd";
import type { CustomResourceDefinition, Resource } from "@kubeloop/controller/types";
import {
  getOwn,
  isObject,
  isTooDeep,
  type Json,
  type JsonObject,
  MAX_JSON_DEPTH,
  readJson,
} from "../values/mod.ts";

/** A CustomResourceDefinition, or a resource that `defineResource` made of schemas. */
export type GivenDefinition = CustomResourceDefinition | Resource;

/** One version of a kind. */
export interface VersionPart {
  readonly name: string;
  readonly served: boolean;
  /** The `openAPIV3Schema`. */
  readonly schema: JsonObject;
  /** The version as written. */
  readonly raw: JsonObject;
}

/** The parts of a CustomResourceDefinition that are compared, documented and made objects of. */
export interface DefinitionParts {
  /** The name, such as `widgets.acme.io`. */
  readonly name: string;
  readonly group: string;
  readonly kind: string;
  readonly names: JsonObject;
  readonly scope: string;
  readonly versions: readonly VersionPart[];
  /** The versions in which objects may be stored, if the definition comes from a cluster. */
  readonly storedVersions: readonly string[];
  /** Whether a webhook converts objects between the versions. */
  readonly isConverted: boolean;
  /** The whole definition. */
  readonly raw: JsonObject;
}

/**
 * Reads a CustomResourceDefinition, or that of a resource.
 *
 * @param what The name of the parameter, for errors.
 * @throws {TypeError} If it is neither, or lacks a part. The message names the path.
 * @throws {RangeError} If it is nested too deeply.
 */
export function readDefinition(given: unknown, what: string): DefinitionParts {
  if (!isRecord(given)) {
    throw new TypeError(
      `${what} must be a CustomResourceDefinition or a resource of defineResource(): received ${
        describeValue(given)
      }`,
    );
  }
  const isResource = given["plural"] !== undefined;
  const definition = isResource ? crd(given as unknown as Resource) : given;
  const raw = readJson<JsonObject>(stringifyJson(definition)!);
  if (isTooDeep(raw)) {
    throw new RangeError(`${what} is nested too deeply: a server reads ${MAX_JSON_DEPTH} levels`);
  }
  const spec = partOf(raw, "spec", what);
  const names = partOf(spec, "names", `${what}.spec`);
  const [group, kind] = [
    textOf(spec, "group", `${what}.spec`),
    textOf(names, "kind", `${what}.spec.names`),
  ];
  const versions = getOwn(spec, "versions");
  if (!Array.isArray(versions) || versions.length === 0) {
    throw new TypeError(
      `${what}.spec.versions must be a list of versions: received ${describeValue(versions)}. ` +
        "A definition of apiextensions.k8s.io/v1 is needed",
    );
  }
  const conversion = getOwn(spec, "conversion");
  const strategy = isObject(conversion) ? getOwn(conversion, "strategy") : undefined;
  const status = getOwn(raw, "status");
  const stored = isObject(status) ? getOwn(status, "storedVersions") : undefined;
  return {
    name: `${textOf(names, "plural", `${what}.spec.names`)}.${group}`,
    group,
    kind,
    names,
    scope: String(getOwn(spec, "scope") ?? "Namespaced"),
    versions: versions.map((version, i) => versionOf(version, `${what}.spec.versions[${i}]`)),
    storedVersions: Array.isArray(stored) ? stored.map(String) : [],
    // A resource without a conversion in its definition gets a webhook when it is installed.
    isConverted: strategy === "Webhook" || (isResource && strategy === undefined),
    raw,
  };
}

function versionOf(version: Json, what: string): VersionPart {
  if (!isObject(version)) {
    throw new TypeError(`${what} must be an object: received ${describeValue(version)}`);
  }
  const schema = partOf(partOf(version, "schema", what), "openAPIV3Schema", `${what}.schema`);
  return {
    name: textOf(version, "name", what),
    served: getOwn(version, "served") !== false,
    schema,
    raw: version,
  };
}

function partOf(object: JsonObject, name: string, what: string): JsonObject {
  const part = getOwn(object, name);
  if (isObject(part)) return part;
  throw new TypeError(`${what}.${name} must be an object: received ${describeValue(part)}`);
}

function textOf(object: JsonObject, name: string, what: string): string {
  const text = getOwn(object, name);
  if (typeof text === "string" && text !== "") return visibleText(text, 300);
  throw new TypeError(`${what}.${name} must be a text: received ${describeValue(text)}`);
}
