import { Brand } from "../base/mod.ts";
import { resourceName } from "../types/mod.ts";
import { policyRulesOf, rulesText } from "./policy_rules.ts";
import type { Right } from "./right.ts";

const brand = new Brand("MissingRightsError");

/**
 * The error for rights that the user of a client does not have. The message lists all of them, and the RBAC rules that
 * grant them.
 */
export class MissingRightsError extends Error {
  /** Always `MissingRightsError`. */
  override readonly name: string = "MissingRightsError";
  /** The missing rights, each with only its missing verbs. */
  readonly missing: readonly Right[];

  /** Creates the error for `missing` rights. */
  constructor(missing: readonly Right[]) {
    super(messageOf(missing));
    this.missing = missing;
    brand.put(this);
  }

  /** Reports whether `error` is a MissingRightsError, of this or of another copy of the package. */
  static is(error: unknown): error is MissingRightsError {
    return brand.isOn(error);
  }
}

function messageOf(missing: readonly Right[]): string {
  const rules = [...policyRulesOf(missing)].map(([scope, found]) =>
    `# ${scope === "" ? "ClusterRole" : `Role in namespace ${scope}`}\nrules:\n${rulesText(found)}`
  );
  return `The API server does not let this program do all that it needs:
${missing.map((right) => `- it may not ${describe(right)}\n`).join("")}Grant it these RBAC rules:
${rules.join("")}`;
}

function describe({ resource, subresource, verbs, namespace, resourceNames = [] }: Right): string {
  const what = subresource ? `${subresource} of ${resourceName(resource)}` : resourceName(resource);
  const names = resourceNames.length === 0 ? "" : ` ${resourceNames.join(", ")}`;
  const where = !resource.namespaced
    ? ""
    : namespace
    ? ` in namespace ${namespace}`
    : " in all namespaces";
  return `${verbs.join(", ")} ${what}${names}${where}`;
}
