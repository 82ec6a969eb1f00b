import { isRecord, showJson } from "../base/mod.ts";
import type {
  OtherVersion,
  PrinterColumn,
  Resource,
  ResourceDefinition,
  ScaleDefinition,
  VersionSchema,
} from "../types/mod.ts";

const COLUMN_TYPES: readonly string[] = ["boolean", "date", "integer", "number", "string"];
const SCOPES = [["specReplicasPath", ".spec."], ["statusReplicasPath", ".status."]] as const;

const SCHEMA_PARTS: readonly (keyof VersionSchema)[] = [
  "spec",
  "status",
  "rules",
  "columns",
  "scale",
  "deprecated",
  "deprecationWarning",
];
const DEFINITION_PARTS: readonly (keyof ResourceDefinition)[] = [
  ...SCHEMA_PARTS,
  "group",
  "version",
  "kind",
  "plural",
  "namespaced",
  "singular",
  "shortNames",
  "categories",
  "annotations",
  "versions",
  "conversion",
];
const VERSION_PARTS: readonly (keyof OtherVersion)[] = [
  ...SCHEMA_PARTS,
  "name",
  "served",
  "storage",
];
const COLUMN_PARTS: readonly (keyof PrinterColumn)[] = [
  "name",
  "type",
  "jsonPath",
  "format",
  "description",
  "priority",
];
const SCALE_PARTS: readonly (keyof ScaleDefinition)[] = [
  "specReplicasPath",
  "statusReplicasPath",
  "labelSelectorPath",
];

/** Requires an object without unknown fields, which would be dropped silently. */
function requireParts(path: string, value: unknown, parts: readonly string[]): void {
  if (!isRecord(value)) {
    throw new TypeError(`${path}: must be an object, is ${showJson(value)}`);
  }
  const unknown = Object.keys(value).find((part) => !parts.includes(part));
  if (unknown === undefined) return;
  throw new TypeError(`${path}: has no part "${unknown}": its parts are ${parts.join(", ")}`);
}

/**
 * Checks the names of a definition, and its versions as a whole.
 *
 * @throws {TypeError} If the API server would refuse one of them.
 */
export function checkNames(resource: Resource, definition: ResourceDefinition): void {
  const { group, kind, plural } = resource;
  const { singular, shortNames = [], categories = [], versions = [] } = definition;
  requireParts(kind, definition, DEFINITION_PARTS);
  if (!group.includes(".")) {
    throw new TypeError(
      `${kind}: "group" is ${showJson(group)}, must be a domain with a dot, as in acme.io`,
    );
  }
  requireLabel(kind, "kind", kind.toLowerCase());
  requireLabel(kind, "plural", plural);
  if (singular !== undefined) requireLabel(kind, "singular", singular);
  for (const [what, list] of [["shortNames", shortNames], ["categories", categories]] as const) {
    if (!Array.isArray(list)) throw new TypeError(`${kind}: "${what}" must be an array of names`);
    for (const name of list) requireLabel(kind, what, name);
  }
  if (!Array.isArray(versions)) throw new TypeError(`${kind}: "versions" must be an array`);
  for (const [index, version] of versions.entries()) {
    const where = `${kind}.versions[${index}]`;
    requireParts(where, version, VERSION_PARTS);
    for (const part of ["served", "storage"] as const) requireBoolean(where, part, version[part]);
  }
  const names = [definition.version, ...versions.map(({ name }) => name)];
  const twice = names.find((name, index) => names.indexOf(name) < index);
  if (twice !== undefined) {
    throw new TypeError(
      `${kind}: the version "${twice}" is there twice: "versions" lists the others`,
    );
  }
  const stored = versions.filter(({ storage }) => storage).map(({ name }) => name);
  if (stored.length > 1) {
    throw new TypeError(
      `${kind}: the versions ${
        stored.join(" and ")
      } both have "storage": objects are stored in one`,
    );
  }
}

/**
 * Checks the parts of one version besides its schemas.
 *
 * @throws {TypeError} If the API server would refuse one of them.
 */
export function checkVersion(version: OtherVersion, path: string): void {
  const { name, scale, columns = [], deprecated, deprecationWarning } = version;
  requireLabel(path, "name", name);
  requireBoolean(path, "deprecated", deprecated);
  if (deprecationWarning !== undefined && deprecated !== true) {
    throw new TypeError(`${path}: a "deprecationWarning" needs "deprecated": true`);
  }
  if (scale !== undefined) {
    requireParts(`${path}.scale`, scale, SCALE_PARTS);
    for (const [part, start] of SCOPES) requirePath(path, `scale.${part}`, scale[part], start);
    const { labelSelectorPath } = scale;
    if (labelSelectorPath !== undefined) {
      requirePath(path, "scale.labelSelectorPath", labelSelectorPath, ".");
    }
  }
  if (!Array.isArray(columns)) throw new TypeError(`${path}: "columns" must be an array`);
  for (const [index, column] of columns.entries()) {
    const where = `columns[${index}]`;
    requireParts(`${path}.${where}`, column, COLUMN_PARTS);
    if (typeof column.name !== "string" || column.name === "") {
      throw new TypeError(`${path}.${where}: "name" must be the heading of the column`);
    }
    if (!COLUMN_TYPES.includes(column.type)) {
      throw new TypeError(`${path}.${where}: "type" must be one of ${COLUMN_TYPES.join(", ")}`);
    }
    requirePath(path, `${where}.jsonPath`, column.jsonPath, ".");
  }
}

function requireBoolean(path: string, part: string, value: unknown): void {
  if (value === undefined || typeof value === "boolean") return;
  throw new TypeError(`${path}: "${part}" is ${showJson(value)}, must be true or false`);
}

function requirePath(path: string, part: string, value: unknown, start: string): void {
  if (typeof value === "string" && value.startsWith(start) && value.length > start.length) return;
  throw new TypeError(
    `${path}.${part}: is ${showJson(value)}, must be a JSON path that starts with ${start}`,
  );
}

function requireLabel(path: string, part: string, value: unknown): void {
  if (
    typeof value === "string" && value.length <= 63 && /^[a-z]([-a-z0-9]*[a-z0-9])?$/.test(value)
  ) {
    return;
  }
  throw new TypeError(
    `${path}: "${part}" is ${
      showJson(value)
    }, must be at most 63 lower-case letters, digits and dashes, and start with a letter`,
  );
}
