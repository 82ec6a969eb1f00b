import { compareApiVersions, visibleText } from "@kubeloop/controller/internal/base";
import {
  child,
  getArray,
  getObject,
  getOwn,
  getString,
  isObject,
  item,
  type Json,
  type JsonObject,
} from "../values/mod.ts";
import {
  type DefinitionParts,
  type GivenDefinition,
  readDefinition,
  type VersionPart,
} from "./given_definition.ts";
import { code, codeBlock, escaped, table } from "./markdown.ts";
import { json, ruleWords, typeWords } from "./rule_words.ts";

/** The most fields of one version on a page. */
const MAX_FIELDS = 5000;

/**
 * Describes a kind in Markdown, for its users: the fields of each served version, with their types, defaults and rules in
 * words, and an example that the in-process API server has accepted. Texts of the definition are escaped, so that nothing in
 * them is read as Markdown or HTML.
 *
 * @param definition A CustomResourceDefinition, or a resource of `defineResource`.
 * @returns The page. The same definition gives the same page.
 * @throws {TypeError} If it is not a definition.
 * @throws {Error} If the server refuses the definition.
 *
 * @example
 * ```ts
 * import { defineResource } from "@kubeloop/controller/types";
 * import { crdDocs } from "@kubeloop/testing/evolve";
 * import { assertStringIncludes } from "@std/assert";
 *
 * const Widgets = defineResource({
 *   group: "acme.io",
 *   version: "v1",
 *   kind: "Widget",
 *   spec: {
 *     type: "object",
 *     properties: { size: { type: "integer", minimum: 1, default: 3, description: "In bytes." } },
 *   },
 * });
 * const page = await crdDocs(Widgets);
 * assertStringIncludes(page, "| `spec.size` | integer | `3` | at least 1 | In bytes. |");
 * assertStringIncludes(page, "spec:\n  size: 3\n");
 * ```
 */
export async function crdDocs(definition: GivenDefinition): Promise<string> {
  const parts = readDefinition(definition, "definition");
  // The API server is large.
  const { acceptedExamples } = await import("./accepted_example.ts");
  const examples = await acceptedExamples(parts);
  const served = parts.versions.filter((version) => version.served)
    .sort((a, b) => compareApiVersions(a.name, b.name));
  return [
    `# ${escaped(parts.kind)}`,
    summary(parts),
    ...served.flatMap((version) => versionPage(parts, version, examples.get(version.name))),
  ].join("\n\n") + "\n";
}

function summary({ name, names, scope }: DefinitionParts): string {
  const list = (keyword: string) => getArray(names, keyword).map((one) => code(String(one)));
  const [shortNames, categories] = [list("shortNames"), list("categories")];
  return [
    `${code(name)}, ${scope === "Cluster" ? "without a namespace" : "in a namespace"}.`,
    ...(shortNames.length > 0 ? [`Short names: ${shortNames.join(", ")}.`] : []),
    ...(categories.length > 0 ? [`Categories: ${categories.join(", ")}.`] : []),
  ].join(" ");
}

function versionPage(
  { group }: DefinitionParts,
  { name, raw, schema }: VersionPart,
  example: string | undefined,
): readonly string[] {
  const description = getString(schema, "description");
  const rows: string[][] = [];
  addFields(schema, "", rows);
  const isLong = rows.length > MAX_FIELDS;
  return [
    `## ${escaped(`${group}/${name}`)}`,
    ...(getOwn(raw, "deprecated") === true ? [deprecation(raw)] : []),
    ...(description === "" ? [] : [escaped(description)]),
    ...ruleWords(schema).map((rule) => `- ${rule}`),
    ...(example === undefined ? [] : [codeBlock("yaml", example)]),
    ...(rows.length === 0
      ? []
      : [table(["field", "type", "default", "rules", "description"], rows.slice(0, MAX_FIELDS))]),
    ...(isLong ? [`And ${rows.length - MAX_FIELDS} more fields.`] : []),
  ];
}

function deprecation(version: JsonObject): string {
  const warning = getString(version, "deprecationWarning");
  return `**Deprecated.** ${escaped(warning)}`.trim();
}

/** Adds the rows of the fields of an object. */
function addFields(schema: JsonObject, path: string, rows: string[][]): void {
  const required = new Set(getArray(schema, "required"));
  for (const [name, field] of Object.entries(getObject(schema, "properties"))) {
    if (!isObject(field) || (path === "" && ["apiVersion", "kind", "metadata"].includes(name))) {
      continue;
    }
    addField(field, child(path, name), required.has(name), rows);
  }
}

function addField(schema: JsonObject, path: string, isRequired: boolean, rows: string[][]): void {
  const given = getOwn(schema, "default");
  const rules = [
    ...(isRequired && given === undefined ? ["required"] : []),
    ...ruleWords(schema),
    ...partRules(getOwn(schema, "items"), "each item: "),
    ...partRules(getOwn(schema, "additionalProperties"), "each value: "),
  ];
  rows.push([
    code(visibleText(path, 500)),
    typeWords(schema),
    given === undefined ? "" : json(given),
    rules.join("<br>"),
    escaped(getString(schema, "description")),
  ]);
  addParts(schema, path, rows);
}

/** Adds the rows of the fields of an object, of the items of a list and of the values of a map. */
function addParts(schema: JsonObject, path: string, rows: string[][]): void {
  addFields(schema, path, rows);
  for (const [keyword, key] of [["items", ""], ["additionalProperties", "*"]] as const) {
    const part = getOwn(schema, keyword);
    if (isObject(part)) addParts(part, item(path, key), rows);
  }
}

function partRules(part: Json | undefined, what: string): readonly string[] {
  if (!isObject(part)) return [];
  return ruleWords(part).map((rule) => `${what}${rule}`);
}
