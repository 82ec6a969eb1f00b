import { yamlText } from "../yaml/mod.ts";
import { type Right, ruleResourceOf, type Scope, scopeOf } from "./right.ts";

/** A rule of a Role or ClusterRole. */
export interface PolicyRule {
  readonly apiGroups: readonly string[];
  readonly resources: readonly string[];
  readonly resourceNames: readonly string[];
  readonly verbs: readonly string[];
}

/** The verbs on one resource, perhaps only for some names. */
interface Grant {
  readonly group: string;
  readonly resource: string;
  /** The names of the objects, sorted; empty for all. */
  readonly names: readonly string[];
  readonly verbs: ReadonlySet<string>;
}

/** The usual order of verbs. Other verbs follow alphabetically. */
const VERBS = ["get", "list", "watch", "create", "update", "patch", "delete", "deletecollection"];

/** Reports whether requests with this verb name no object, so that a rule with names does not allow them. */
export function isNameless(verb: string): boolean {
  return verb === "create" || verb === "deletecollection";
}

/**
 * Returns the fewest rules that allow exactly the given rights, by scope: the whole cluster first, then the namespaces
 * alphabetically. Rules of a namespace do not repeat rules of the cluster.
 */
export function policyRulesOf(rights: readonly Right[]): Map<Scope, PolicyRule[]> {
  const byScope = new Map<Scope, Right[]>();
  for (const right of rights) {
    const scope = scopeOf(right);
    byScope.set(scope, [...byScope.get(scope) ?? [], right]);
  }
  const everywhere = grantsOf(byScope.get("") ?? [], []);
  const rules = new Map<Scope, PolicyRule[]>();
  for (const scope of [...byScope.keys()].sort(compare)) {
    const grants = scope === "" ? everywhere : grantsOf(byScope.get(scope) ?? [], everywhere);
    if (grants.length > 0) rules.set(scope, mergeGroups(mergeResources(grants)));
  }
  return rules;
}

/** Returns the verbs on each resource that `granted` does not allow. */
function grantsOf(rights: readonly Right[], granted: readonly Grant[]): Grant[] {
  const found = new Map<
    string,
    { group: string; resource: string; names: string[]; verbs: Set<string> }
  >();
  for (const right of rights) {
    const names = [...new Set(right.resourceNames ?? [])].sort(compare);
    for (const verb of right.verbs) {
      const { group } = right.resource;
      const resource = ruleResourceOf(right);
      const verbNames = isNameless(verb) ? [] : names;
      const key = JSON.stringify([group, resource, verbNames]);
      let grant = found.get(key);
      if (grant === undefined) {
        found.set(key, grant = { group, resource, names: verbNames, verbs: new Set() });
      }
      grant.verbs.add(verb);
    }
  }
  const grants = [...found.values()];
  return grants.flatMap((grant) => {
    const others = [...granted, ...grants.filter((other) => other !== grant)];
    const verbs = grant.verbs.has("*") ? new Set(["*"]) : grant.verbs;
    const left = [...verbs].filter((verb) => !others.some((other) => covers(other, grant, verb)));
    return left.length === 0 ? [] : [{ ...grant, verbs: new Set(left) }];
  });
}

/** Reports whether `other` allows a verb of `grant`. Grants of one scope differ in their resources or names. */
function covers(other: Grant, grant: Grant, verb: string): boolean {
  return other.group === grant.group && other.resource === grant.resource &&
    (other.names.length === 0 ||
      (grant.names.length > 0 && grant.names.every((name) => other.names.includes(name)))) &&
    (other.verbs.has("*") || other.verbs.has(verb));
}

/** Merges the resources of a group that have the same verbs and names. */
function mergeResources(grants: readonly Grant[]): PolicyRule[] {
  return merge(
    grants.map(({ group, resource, names, verbs }) => ({
      apiGroups: [group],
      resources: [resource],
      resourceNames: names,
      verbs: [...verbs].sort(compareVerbs),
    })),
    ({ apiGroups, resourceNames, verbs }) => [apiGroups, resourceNames, verbs],
    (one, other) => ({ ...one, resources: [...one.resources, ...other.resources].sort(compare) }),
  );
}

/** Merges groups with equal resources, verbs and names, such as the two groups of Events. */
function mergeGroups(rules: readonly PolicyRule[]): PolicyRule[] {
  return merge(
    rules,
    ({ resources, resourceNames, verbs }) => [resources, resourceNames, verbs],
    (one, other) => ({ ...one, apiGroups: [...one.apiGroups, ...other.apiGroups].sort(compare) }),
  );
}

function merge(
  rules: readonly PolicyRule[],
  keyOf: (rule: PolicyRule) => unknown,
  join: (one: PolicyRule, other: PolicyRule) => PolicyRule,
): PolicyRule[] {
  const merged = new Map<string, PolicyRule>();
  for (const rule of rules) {
    const key = JSON.stringify(keyOf(rule));
    const known = merged.get(key);
    merged.set(key, known === undefined ? rule : join(known, rule));
  }
  return [...merged.values()].sort((one, other) =>
    compare(one.apiGroups[0] ?? "", other.apiGroups[0] ?? "") ||
    compare(one.resources.join(), other.resources.join()) ||
    compare(one.apiGroups.join(), other.apiGroups.join()) ||
    compare(one.resourceNames.join(), other.resourceNames.join())
  );
}

function compareVerbs(one: string, other: string): number {
  return rankOf(one) - rankOf(other) || compare(one, other);
}

function rankOf(verb: string): number {
  const rank = VERBS.indexOf(verb);
  return rank < 0 ? VERBS.length : rank;
}

/** Compares by code units, so that the order is the same on all machines. */
function compare(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0;
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
