import type { ResourceInfo, ResourceRegistry } from "../kinds/mod.ts";
import type { JsonObject } from "../../values/mod.ts";
import type { AdmissionAttributes, Invocation } from "./admission_request.ts";
import type { AdmissionWebhook } from "./webhook_configurations.ts";
import { matchesRule } from "./webhook_rules.ts";

/**
 * Returns the form in which a webhook gets a request; undefined if none of its rules matches. A webhook with the match
 * policy `Equivalent` gets a request for another version of the resource in the version that its rules name.
 */
export function invocationOf(
  { rules, equivalent }: AdmissionWebhook,
  attributes: AdmissionAttributes,
  registry: ResourceRegistry,
): Invocation | undefined {
  return invocationByRules(rules, equivalent, attributes, registry);
}

/** Returns the form in which rules select a request; undefined if none of them matches. */
export function invocationByRules(
  rules: readonly JsonObject[],
  equivalent: boolean,
  attributes: AdmissionAttributes,
  registry: ResourceRegistry,
): Invocation | undefined {
  const { resource, kind } = attributes;
  const matches = (candidate: ResourceInfo) => {
    const { group, version, plural } = candidate.definition;
    const { operation, subresource, namespace } = attributes;
    const { isNamespace } = candidate.record;
    const subject = { operation, subresource, namespace, isNamespace, group, version, plural };
    return (rule: JsonObject) => matchesRule(rule, subject);
  };
  if (rules.some(matches(resource))) return { resource, kind };
  if (!equivalent) return undefined;
  const others = registry.all().filter((other) =>
    other !== resource && other.storageName === resource.storageName
  );
  for (const rule of rules) {
    const found = others.find((other) => matches(other)(rule));
    if (found === undefined) continue;
    return { resource: found, kind: kind === resource.kind ? found.kind : kind };
  }
  return undefined;
}
