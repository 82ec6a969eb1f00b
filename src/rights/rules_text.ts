import { yamlText } from "../yaml/mod.ts";
import type { PolicyRule } from "./policy_rules.ts";

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
