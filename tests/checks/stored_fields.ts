/**
 * Writes `src/fields/stored_fields.ts` from the schemas of the built-in kinds. Run it after they have changed:
 * `deno run --allow-read --allow-write tests/checks/stored_fields.ts`.
 *
 * @module
 */

import { StructRegistry } from "../../src/testing/api_server/schema/field_tables.ts";
import { KINDS, PACKAGES, TABLES } from "../../src/testing/api_server/schema/generated/mod.ts";
import type { Field, StructType, Type } from "../../src/testing/values/mod.ts";

const FILE = new URL("../../src/fields/stored_fields.ts", import.meta.url);

/** The packages whose kinds hold any JSON in values that are owned as a whole, and the one of all metadata. */
const LEFT_OUT: readonly string[] = ["apiextensions", "meta"];

/** The names of fields that have other fields in them in several kinds, so that the field around them counts, too. */
const AMBIGUOUS: ReadonlySet<string> = new Set(["ports", "resourceRules"]);

/** Collects the fields of all kinds. */
class Fields {
  readonly dropped: Map<string, Set<string>> = new Map();
  readonly filled: Map<string, Set<string>> = new Map();
  readonly granular: Map<string, Set<string>> = new Map();
  readonly atomic: Set<string> = new Set();
  readonly given: Set<string> = new Set();
  readonly times: Set<string> = new Set();

  kind(struct: StructType): void {
    for (const field of struct.fields.values()) {
      if (["kind", "apiVersion", "metadata", "status"].includes(field.name)) continue;
      this.#field(field, [], false, []);
    }
  }

  #field(field: Field, path: readonly string[], isWhole: boolean, around: readonly string[]): void {
    const { name, type, presence } = field;
    const parent = parentOf(path);
    if (type.kind === "scalar" && (type.name === "time" || type.name === "microTime")) {
      this.times.add(name);
    }
    if (isWhole) {
      if (presence === "set") add(this.dropped, parent, name);
      else if (presence === "given") this.given.add(`${parent}/${name}`);
      else add(this.filled, parent, name);
    } else if (type.kind === "struct" || type.kind === "map" || type.kind === "any") {
      if (type.atomic) this.atomic.add(`${parent}/${name}`);
      else add(this.granular, parent, name);
    }
    this.#type(type, [...path, name], isWhole, around);
  }

  #type(type: Type, path: readonly string[], isWhole: boolean, around: readonly string[]): void {
    if (type.kind === "list") {
      this.#type(type.item, path, isWhole || type.listType === "atomic", around);
    } else if (type.kind === "map") {
      this.#type(type.value, [...path, "*"], isWhole || type.atomic, around);
    } else if (type.kind === "struct" && !around.includes(type.name)) {
      for (const field of type.fields.values()) {
        this.#field(field, path, isWhole || type.atomic, [...around, type.name]);
      }
    }
  }
}

function parentOf(path: readonly string[]): string {
  const parent = path.at(-1) ?? "";
  return parent === "*" || AMBIGUOUS.has(parent) ? `${path.at(-2) ?? ""}.${parent}` : parent;
}

function add(fields: Map<string, Set<string>>, parent: string, name: string): void {
  const known = fields.get(parent) ?? new Set();
  fields.set(parent, known.add(name));
}

/** Returns lines with the fields, the same fields once. */
function lines(fields: ReadonlyMap<string, ReadonlySet<string>>): string {
  const byFields = Map.groupBy(fields, ([, names]) => [...names].sort().join(" "));
  return [...byFields]
    .map(([names, parents]) => `${parents.map(([parent]) => parent).sort().join(" ")}: ${names}`)
    .sort().map((line) => `${line}\n`).join("");
}

/** Returns the file with the tables as they should be. */
export function withTables(file: string): string {
  const registry = new StructRegistry(TABLES);
  const fields = new Fields();
  for (const [, name] of Object.entries(PACKAGES)) {
    if (LEFT_OUT.includes(name)) continue;
    for (const kind of (KINDS[name] ?? "").trim().split(/\s+/)) {
      const id = `${name}.${kind}`;
      const struct = registry.has(id) ? registry.struct(id) : undefined;
      if (struct?.fields.has("metadata") && !kind.endsWith("List")) fields.kind(struct);
    }
  }
  const { dropped, filled, granular, atomic, given, times } = fields;
  // All metadata.
  add(granular, "metadata", "annotations");
  add(granular, "metadata", "labels");
  for (const [parent, names] of granular) {
    for (const name of names) if (atomic.has(`${parent}/${name}`)) names.delete(name);
    if (names.size === 0) granular.delete(parent);
  }
  for (const [parent, names] of dropped) {
    for (const name of names) {
      if (!given.has(`${parent}/${name}`) && !filled.get(parent)?.has(name)) continue;
      throw new Error(`${parent}/${name} is stored in two ways: add ${parent} to AMBIGUOUS`);
    }
  }
  const tables = {
    DROPPED: `\n${lines(dropped)}`,
    FILLED: `\n${lines(filled)}`,
    GRANULAR: `\n${lines(granular)}`,
    TIMES: [...times].sort().join(" "),
  };
  let text = file;
  for (const [name, table] of Object.entries(tables)) {
    const start = text.indexOf("`", text.indexOf(`const ${name}: `)) + 1;
    text = text.slice(0, start) + table + text.slice(text.indexOf("`", start));
  }
  return text;
}

/** Reads the file. */
export async function readFile(): Promise<string> {
  return await Deno.readTextFile(FILE);
}

if (import.meta.main) await Deno.writeTextFile(FILE, withTables(await readFile()));
