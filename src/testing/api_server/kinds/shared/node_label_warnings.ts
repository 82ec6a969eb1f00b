import {
  child,
  getObject,
  getString,
  item,
  type JsonObject,
  labelValue,
} from "../../../values/mod.ts";
import { objects } from "./objects.ts";

const OLD_LABELS: Readonly<Record<string, string>> = {
  "beta.kubernetes.io/arch": 'deprecated since v1.14; use "kubernetes.io/arch" instead',
  "beta.kubernetes.io/os": 'deprecated since v1.14; use "kubernetes.io/os" instead',
  "failure-domain.beta.kubernetes.io/region":
    'deprecated since v1.17; use "topology.kubernetes.io/region" instead',
  "failure-domain.beta.kubernetes.io/zone":
    'deprecated since v1.17; use "topology.kubernetes.io/zone" instead',
  "beta.kubernetes.io/instance-type":
    'deprecated since v1.17; use "node.kubernetes.io/instance-type" instead',
  "app.kubernetes.io/created-by": "deprecated since v1.9",
  "scheduler.alpha.kubernetes.io/preferAvoidPods":
    "deprecated since v1.22; use Taints and Tolerations instead",
  "node-role.kubernetes.io/master": 'use "node-role.kubernetes.io/control-plane" instead',
};

/** Returns the warning for a deprecated label of Nodes; undefined for other labels. */
export function oldNodeLabel(key: string): string | undefined {
  return Object.hasOwn(OLD_LABELS, key) ? OLD_LABELS[key] : undefined;
}

/** Returns a warning for each deprecated key of labels or annotations. */
export function oldKeyWarnings(
  map: JsonObject,
  fieldOf: (key: string) => string,
  old: Readonly<Record<string, string>> = OLD_LABELS,
): string[] {
  return Object.keys(map).filter((key) => Object.hasOwn(old, key))
    .map((key) => `${fieldOf(key)}: ${old[key]}`);
}

/**
 * Returns the warnings for the expressions of a selector of Nodes.
 *
 * @param checksValues Whether to warn of invalid label values, too.
 */
export function nodeTermWarnings(
  term: JsonObject,
  field: string,
  checksValues = false,
): string[] {
  return objects(term, "matchExpressions").flatMap((expression, index) => {
    const at = item(child(field, "matchExpressions"), index);
    const key = getString(expression, "key");
    const text = oldNodeLabel(key);
    return [
      ...(text === undefined ? [] : [`${at}.key: ${key} is ${text}`]),
      ...(checksValues ? valueWarnings(expression, at) : []),
    ];
  });
}

function valueWarnings(expression: JsonObject, at: string): string[] {
  const values = expression["values"];
  if (!Array.isArray(values)) return [];
  return values.flatMap((value, index) =>
    labelValue(String(value)).map((text) =>
      `${item(`${at}.values`, index)}: ${value} is invalid, ${text}`
    )
  );
}

/** Returns the warnings for a label selector that is matched against Nodes. */
export function nodeSelectorWarnings(selector: JsonObject, field: string): string[] {
  return [
    ...nodeTermWarnings(selector, field),
    ...oldKeyWarnings(getObject(selector, "matchLabels"), (key) => `${field}.matchLabels.${key}`),
  ];
}
