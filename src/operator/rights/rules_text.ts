import type { PolicyRule } from "./policy_rules.ts";

/** Words that YAML reads as something else than text. */
const WORDS: ReadonlySet<string> = new Set([
  "null",
  "true",
  "false",
  "yes",
  "no",
  "on",
  "off",
  "y",
  "n",
]);

/** Returns a scalar of YAML. */
export function yamlText(text: string): string {
  return /^[a-z][-a-z0-9./]*$/.test(text) && !WORDS.has(text) ? text : JSON.stringify(text);
}

/** Returns rules as items of a YAML list. */
export function rulesText(rules: readonly PolicyRule[]): string {
  return rules.map((rule) => {
    const lines = [
      `apiGroups: ${flowList(rule.apiGroups)}`,
      `resources: ${flowList(rule.resources)}`,
      ...(rule.resourceNames.length === 0
        ? []
        : [`resourceNames: ${flowList(rule.resourceNames)}`]),
      `verbs: ${flowList(rule.verbs)}`,
    ];
    return lines.map((line, index) => `${index === 0 ? "  - " : "    "}${line}\n`).join("");
  }).join("");
}

function flowList(values: readonly string[]): string {
  return `[${values.map(yamlText).join(", ")}]`;
}
