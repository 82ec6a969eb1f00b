import { isRecord } from "@kubeloop/controller/internal/base";
import { propertiesOf, requiredOf, type SchemaNode } from "../../samples/mod.ts";

/** The fields that a rule reads, as in `self.minReplicas <= self.maxReplicas`. */
const FIELD_OF_SELF = /\bself\.([A-Za-z_]\w*)/g;
/** The first word of a name, as in `storageClass`. Shorter words say nothing. */
const FIRST_WORD = /^([a-z]{3,})[A-Z]/;

/**
 * Returns the pairs of fields of an object that belong together: a validation rule names both, a choice requires them, or
 * their names begin with the same word.
 */
export function coupledNames(node: SchemaNode): readonly (readonly [string, string])[] {
  const names = propertiesOf(node).map(([name]) => name);
  const groups = [...rules(node), choices(node), ...byFirstWord(names)];
  const out = new Map<string, readonly [string, string]>();
  for (const group of groups) {
    const known = [...new Set(group)].filter((name) => names.includes(name)).sort();
    known.forEach((a, i) => known.slice(i + 1).forEach((b) => out.set(`${a} ${b}`, [a, b])));
  }
  return [...out.values()];
}

function rules(node: SchemaNode): readonly (readonly string[])[] {
  const rules = node["x-kubernetes-validations"];
  if (!Array.isArray(rules)) return [];
  return rules.map((rule) => {
    const text = isRecord(rule) ? String(rule["rule"]) : "";
    return [...text.matchAll(FIELD_OF_SELF)].map(([, name = ""]) => name);
  });
}

/** Returns the fields that the alternatives of a choice require. */
function choices(node: SchemaNode): readonly string[] {
  return ["oneOf", "anyOf"].flatMap((keyword) => {
    const alternatives = node[keyword];
    if (!Array.isArray(alternatives)) return [];
    return alternatives.filter(isRecord).flatMap((one) => requiredOf(one));
  });
}

function byFirstWord(names: readonly string[]): readonly (readonly string[])[] {
  const groups = new Map<string, string[]>();
  for (const name of names) {
    const [, word = ""] = FIRST_WORD.exec(name) ?? [];
    if (word !== "") groups.set(word, [...groups.get(word) ?? [], name]);
  }
  return [...groups.values()];
}
