import { type Right, ruleResourceOf, type Scope, scopeOf } from "./right.ts";

/** A rule of a Role or ClusterRole. */
export interface PolicyRule {
  readonly apiGroups: readonly string[];
  readonly resources: readonly string[];
  readonly resourceNames: readonly string[];
  readonly verbs: readonly string[];
}

/** The verbs of one resource. */
interface Grain {
  readonly group: string;
  readonly resource: string;
  /** The names of the objects, sorted; empty for all. */
  readonly names: readonly string[];
  readonly verbs: ReadonlySet<string>;
}

/** The order in which people write verbs. Others follow, in the order of the alphabet. */
const VERBS = ["get", "list", "watch", "create", "update", "patch", "delete", "deletecollection"];

/** Reports whether requests with this verb name no object, so that a rule with names never allows them. */
export function isNameless(verb: string): boolean {
  return verb === "create" || verb === "deletecollection";
}

/**
 * Returns the fewest rules that allow exactly the given rights, by the place that they apply to: the whole cluster first,
 * then the namespaces in the order of the alphabet. What a rule for the whole cluster allows is not repeated.
 */
export function policyRulesOf(rights: readonly Right[]): Map<Scope, PolicyRule[]> {
  const byScope = new Map<Scope, Right[]>();
  for (const right of rights) {
    const scope = scopeOf(right);
    byScope.set(scope, [...byScope.get(scope) ?? [], right]);
  }
  const everywhere = grainsOf(byScope.get("") ?? [], []);
  const rules = new Map<Scope, PolicyRule[]>();
  for (const scope of [...byScope.keys()].sort(compare)) {
    const grains = scope === "" ? everywhere : grainsOf(byScope.get(scope) ?? [], everywhere);
    if (grains.length > 0) rules.set(scope, mergeGroups(mergeResources(grains)));
  }
  return rules;
}

/** Returns the verbs of each resource, without those that `granted` allows. */
function grainsOf(rights: readonly Right[], granted: readonly Grain[]): Grain[] {
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
      let grain = found.get(key);
      if (grain === undefined) {
        found.set(key, grain = { group, resource, names: verbNames, verbs: new Set() });
      }
      grain.verbs.add(verb);
    }
  }
  const grains = [...found.values()];
  return grains.flatMap((grain) => {
    const others = [...granted, ...grains.filter((other) => other !== grain)];
    const verbs = grain.verbs.has("*") ? new Set(["*"]) : grain.verbs;
    const left = [...verbs].filter((verb) => !others.some((other) => covers(other, grain, verb)));
    return left.length === 0 ? [] : [{ ...grain, verbs: new Set(left) }];
  });
}

/** Reports whether `other` allows a verb of `grain`. No two grains of one place have the same resource and names. */
function covers(other: Grain, grain: Grain, verb: string): boolean {
  return other.group === grain.group && other.resource === grain.resource &&
    (other.names.length === 0 ||
      (grain.names.length > 0 && grain.names.every((name) => other.names.includes(name)))) &&
    (other.verbs.has("*") || other.verbs.has(verb));
}

/** Merges the resources of a group that have the same verbs and names. */
function mergeResources(grains: readonly Grain[]): PolicyRule[] {
  return merge(
    grains.map(({ group, resource, names, verbs }) => ({
      apiGroups: [group],
      resources: [resource],
      resourceNames: names,
      verbs: [...verbs].sort(compareVerbs),
    })),
    ({ apiGroups, resourceNames, verbs }) => [apiGroups, resourceNames, verbs],
    (one, other) => ({ ...one, resources: [...one.resources, ...other.resources].sort(compare) }),
  );
}

/** Merges groups that have the same resources with the same verbs and names, as Events are in two groups. */
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

/** Compares by code units: the same order on all machines. */
function compare(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0;
}
