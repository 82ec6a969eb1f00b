import { getArray, getOwn, type JsonObject } from "../../values/mod.ts";

/** The request facts that a rule of a webhook is compared with. */
export interface RuleSubject {
  readonly operation: string;
  readonly group: string;
  readonly version: string;
  readonly plural: string;
  readonly subresource: string;
  /** The namespace; for a namespace itself, its name; empty for other cluster-scoped objects. */
  readonly namespace: string;
  /** Whether the request is for a namespace itself. */
  readonly isNamespace: boolean;
}

/** Reports whether a rule matches. */
export function matchesRule(rule: JsonObject, subject: RuleSubject): boolean {
  return inScope(rule, subject) &&
    listed(rule, "operations", subject.operation) &&
    listed(rule, "apiGroups", subject.group) &&
    listed(rule, "apiVersions", subject.version) &&
    getArray(rule, "resources").some((text) => matchesResource(String(text), subject));
}

function listed(rule: JsonObject, name: string, value: string): boolean {
  const values = getArray(rule, name);
  return values.includes("*") || values.includes(value);
}

function inScope(rule: JsonObject, { isNamespace, namespace }: RuleSubject): boolean {
  const scope = getOwn(rule, "scope") ?? "*";
  if (scope === "*") return true;
  return (namespace === "" || isNamespace) === (scope === "Cluster");
}

function matchesResource(text: string, { plural, subresource }: RuleSubject): boolean {
  const slash = text.indexOf("/");
  const resource = slash < 0 ? text : text.slice(0, slash);
  const sub = slash < 0 ? "" : text.slice(slash + 1);
  return (resource === "*" || resource === plural) && (sub === "*" || sub === subresource);
}
