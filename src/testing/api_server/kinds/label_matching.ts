import type { LabelSelector } from "@kubeloop/controller/types";

/** Reports whether labels match the selector of an object. An empty selector matches everything. */
export function matchesSelector(
  selector: LabelSelector,
  labels: Readonly<Record<string, string>> = {},
): boolean {
  const { matchLabels = {}, matchExpressions = [] } = selector;
  const value = (key: string) => Object.hasOwn(labels, key) ? labels[key] : undefined;
  return Object.entries(matchLabels).every(([key, wanted]) => value(key) === wanted) &&
    matchExpressions.every(({ key, operator, values = [] }) => {
      const found = value(key);
      switch (operator) {
        case "In":
          return found !== undefined && values.includes(found);
        case "NotIn":
          return found === undefined || !values.includes(found);
        case "Exists":
          return found !== undefined;
        case "DoesNotExist":
          return found === undefined;
      }
    });
}
