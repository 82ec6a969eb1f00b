import { labelSelectorAsSelector, type LabelSelectorRequirement } from "../../types/mod.ts";

/**
 * A label selector as the text that lists and watches take: every label must have the given value, and every further
 * requirement must hold. Keys and values are checked, so nothing in them can change the selector's meaning.
 *
 * For a `LabelSelector`, as found in the `spec.selector` of a Deployment, there is `labelSelectorAsSelector(…).toString()`.
 *
 * @param labels Labels and their exact values.
 * @param requirements Set-based requirements.
 * @returns The text, sorted by key; empty, which selects everything, when nothing is required.
 * @throws {TypeError} When a key or value is not a valid label, or an operator has values that do not go with it.
 *
 * @example
 * ```ts
 * import { labelSelector } from "@kubeloop/controller/client";
 * import { assertEquals } from "@std/assert";
 *
 * assertEquals(
 *   labelSelector({ app: "web" }, { key: "tier", operator: "In", values: ["front", "back"] }),
 *   "app=web,tier in (back,front)",
 * );
 * ```
 */
export function labelSelector(
  labels: Readonly<Record<string, string>>,
  ...requirements: readonly LabelSelectorRequirement[]
): string {
  return labelSelectorAsSelector({
    matchLabels: labels,
    matchExpressions: [...requirements],
  }).toString();
}
