import { resourceName } from "@kubeloop/controller/types";
import { BUILTIN_KINDS } from "./builtin_kinds.ts";
import { objectCount, type QuotaRules } from "./record/mod.ts";

const BUILTIN: ReadonlyMap<string, QuotaRules> = new Map(
  BUILTIN_KINDS.map(({ definition, quota }) => [resourceName(definition), quota]),
);

/**
 * Returns the quota rules of a resource. Quotas limit the number of custom resources.
 *
 * @param resource The full name, as in `deployments.apps`.
 */
export function quotaRulesOf(resource: string): QuotaRules {
  return BUILTIN.get(resource) ?? objectCount(resource);
}
