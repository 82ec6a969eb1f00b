import { labelSelectorAsSelector, type LabelSelectorRequirement } from "../../types/mod.ts";

/**
 * Returns a label selector in the text form of the API. It selects objects that have all labels and meet all
 * requirements. Keys and values are validated, so they cannot change the meaning of the selector.
 *
 * To convert a `LabelSelector`, such as the `spec.selector` of a Deployment, use
 * `labelSelectorAsSelector(…).toString()`.
 *
 * @param labels Labels and their exact values.
 * @param requirements Set-based requirements.
 * @returns The label selector, sorted by key. Without labels and requirements, it is empty and selects everything.
 * @throws {TypeError} If a key or value is not a valid label, or if the values do not match the operator.
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
