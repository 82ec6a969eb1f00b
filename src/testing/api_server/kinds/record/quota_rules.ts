import { getArray, getString, type JsonObject } from "../../../values/mod.ts";
import { addAmounts, objects, type Usage } from "../shared/mod.ts";

/** The rules by which ResourceQuotas count the objects of a resource. */
export interface QuotaRules {
  /** Reports whether the objects use a resource that a quota can limit, such as `count/pods` or `requests.cpu`. */
  readonly counts: (name: string) => boolean;
  /**
   * Returns the usage of an object.
   *
   * @param nowMs The time of day, in milliseconds since 1970: a Pod that should be gone by then uses little.
   */
  readonly usage: (object: JsonObject, nowMs: number) => Usage;
  /** Reports whether an update can use more. Absent if none can. */
  readonly grows?: (next: JsonObject, old: JsonObject, subresource: string) => boolean;
  /** Reports whether a scope includes an object. Absent if none does. */
  readonly inScope?: (object: JsonObject, scope: JsonObject) => boolean;
  /** Returns the missing resource requests that a quota requires, or an empty string. Absent if none are required. */
  readonly missing?: (object: JsonObject, limited: readonly string[]) => string;
}

/** The rules for a resource that quotas never count. */
export const NOT_COUNTED: QuotaRules = { counts: () => false, usage: () => ({}) };

/**
 * Returns the rules for a resource whose objects quotas count.
 *
 * @param resource The full name, as in `deployments.apps`.
 * @param alias Another name under which quotas count the objects.
 */
export function objectCount(resource: string, alias?: string): QuotaRules {
  const names = [countOf(resource), ...(alias === undefined ? [] : [alias])];
  const usage = Object.fromEntries(names.map((name) => [name, "1"]));
  return { counts: (name) => names.includes(name), usage: () => usage };
}

/** Returns the name under which quotas count the objects of a resource. */
export function countOf(resource: string): string {
  return `count/${resource}`;
}

/** Reports whether a quota's scopes include an object. */
export function inScopes(quota: JsonObject, rules: QuotaRules, object: JsonObject): boolean {
  const exist = getArray(quota, "spec", "scopes").map((scopeName) => ({
    scopeName,
    operator: "Exists",
  }));
  return [...exist, ...objects(quota, "spec", "scopeSelector", "matchExpressions")]
    .every((scope) => rules.inScope?.(object, scope) ?? false);
}

/** Reports whether the expression of a scope selects an object that has these classes. */
export function selectsClass(scope: JsonObject, classes: readonly string[]): boolean {
  const values = getArray(scope, "values");
  switch (getString(scope, "operator")) {
    case "In":
      return classes.some((name) => values.includes(name));
    case "NotIn":
      return classes.length === 0 || classes.some((name) => !values.includes(name));
    case "Exists":
      return classes.length > 0;
    default:
      return classes.length === 0;
  }
}

/**
 * Returns the usage of an object within a quota.
 *
 * @param limited The names that the quota limits and the rules count.
 */
export function usageIn(
  quota: JsonObject,
  rules: QuotaRules,
  object: JsonObject,
  { limited, nowMs }: { readonly limited: readonly string[]; readonly nowMs: number },
): Usage {
  if (!inScopes(quota, rules, object)) return {};
  const usage = rules.usage(object, nowMs);
  return Object.fromEntries(
    limited.filter((name) => Object.hasOwn(usage, name)).map((name) => [name, usage[name]!]),
  );
}

/** Returns the sum of usages for each of the given names, zero if unused. */
export function totalUsage(names: readonly string[], usages: readonly Usage[]): Usage {
  const total: Record<string, string> = {};
  for (const name of names) {
    total[name] = usages.reduce((sum, usage) => addAmounts(sum, usage[name] ?? "0"), "0");
  }
  return total;
}
