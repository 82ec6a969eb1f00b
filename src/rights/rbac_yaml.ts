import { isList, isName, type OptionChecks, requireOptions } from "../base/mod.ts";
import { yamlText } from "../yaml/mod.ts";
import { type PolicyRule, policyRulesOf, rulesText } from "./policy_rules.ts";
import { requireRightList, type Right } from "./right.ts";

/** Options of {@linkcode rbacYaml}. */
export interface RbacOptions {
  /** The name of the ServiceAccount, the roles and the bindings. */
  readonly name: string;
  /** The namespace of the ServiceAccount. Default `default`. */
  readonly namespace?: string | undefined;
  /**
   * The namespaces of rights to namespaced resources that have no namespace of their own. Default: all namespaces.
   */
  readonly namespaces?: readonly string[] | undefined;
  /**
   * A label selector of further namespaces. Their rights are in a ClusterRole `<name>-namespaced`, for a RoleBinding in each of
   * them. Default: none.
   */
  readonly namespaceSelector?: string | undefined;
}

const CHECKS: OptionChecks<RbacOptions> = {
  name: isName,
  namespace: isName,
  namespaces: isList,
  namespaceSelector: isName,
};

/**
 * Returns the RBAC objects that grant a ServiceAccount exactly the given rights, as YAML for `kubectl apply`: the
 * ServiceAccount, a ClusterRole for cluster-scoped resources and for rights in all namespaces, a Role in each other
 * namespace, and their bindings. Objects without rules are omitted.
 *
 * Equal rights are merged and sorted, so that the text can be kept in a repository and compared. RBAC cannot limit `create`
 * to `resourceNames`, because a create names no object: the right is granted for all names.
 *
 * @param rights The rights.
 * @param options The names and namespaces.
 * @returns The YAML text.
 * @throws {TypeError} If a right has no resource or no verbs, a name is not valid, or an option is unknown.
 *
 * @example
 * ```ts
 * import { rbacYaml } from "@kubeloop/controller/rights";
 * import { ConfigMaps } from "@kubeloop/controller/types";
 * import { assertStringIncludes } from "@std/assert";
 *
 * const yaml = rbacYaml(
 *   [{ resource: ConfigMaps, verbs: ["watch", "list"], namespace: "web" }],
 *   { name: "copier", namespace: "ops" },
 * );
 * assertStringIncludes(
 *   yaml,
 *   `rules:
 *   - apiGroups: [""]
 *     resources: [configmaps]
 *     verbs: [list, watch]
 * `,
 * );
 * ```
 */
export function rbacYaml(rights: readonly Right[], options: RbacOptions): string {
  requireOptions("rbacYaml()", options, CHECKS);
  const { name, namespace = "default", namespaces, namespaceSelector } = options;
  requireRightList("print RBAC rules", rights);
  for (const [what, value] of [["name", name], ["namespace", namespace]] as const) {
    requireObjectName(what, value);
  }
  const isSelected = (right: Right) =>
    namespaceSelector !== undefined && right.resource.namespaced && right.namespace === undefined;
  const limited = rights.filter((right) => !isSelected(right))
    .flatMap((right) => namespaces === undefined ? [right] : limit(right, namespaces));
  const objects = [`apiVersion: v1\nkind: ServiceAccount\n${metadata(name, namespace)}`];
  for (const [scope, rules] of policyRulesOf(limited)) {
    if (scope !== "") requireObjectName("namespace of a right", scope);
    objects.push(role(name, scope, rules), binding(name, scope, namespace));
  }
  const [selected] = policyRulesOf(rights.filter(isSelected)).values();
  if (selected === undefined) return objects.join("---\n");
  const shared = `${name}-namespaced`;
  objects.push(role(shared, "", selected));
  for (const one of namespaces ?? []) {
    requireObjectName("namespace of a right", one);
    objects.push(binding(name, one, namespace, { kind: "ClusterRole", name: shared }));
  }
  const example = binding(name, "NAMESPACE", namespace, { kind: "ClusterRole", name: shared });
  const comment = example.trimEnd().split("\n").map((line) => `# ${line}\n`).join("");
  const what = `# Each namespace with the label ${namespaceSelector} needs this binding:\n`;
  return `${objects.join("---\n")}${what}${comment}`;
}

function limit(right: Right, namespaces: readonly string[]): Right[] {
  if (!right.resource.namespaced || right.namespace !== undefined) return [right];
  return namespaces.map((namespace) => ({ ...right, namespace }));
}

function requireObjectName(what: string, value: unknown): void {
  if (typeof value !== "string" || !/^[a-z0-9]([-a-z0-9.]*[a-z0-9])?$/.test(value)) {
    throw new TypeError(
      `Cannot print RBAC rules: the ${what} is ${
        JSON.stringify(value)
      }, expected the name of an object: lower case letters, digits, "-" and "."`,
    );
  }
}

function metadata(name: string, namespace: string): string {
  const place = namespace === "" ? "" : `  namespace: ${yamlText(namespace)}\n`;
  return `metadata:\n  name: ${yamlText(name)}\n${place}`;
}

function role(name: string, scope: string, rules: readonly PolicyRule[]): string {
  return `apiVersion: rbac.authorization.k8s.io/v1
kind: ${scope === "" ? "ClusterRole" : "Role"}
${metadata(name, scope)}rules:
${rulesText(rules)}`;
}

function binding(
  name: string,
  scope: string,
  namespace: string,
  role = { kind: scope === "" ? "ClusterRole" : "Role", name },
): string {
  return `apiVersion: rbac.authorization.k8s.io/v1
kind: ${scope === "" ? "ClusterRole" : "Role"}Binding
${metadata(name, scope)}roleRef:
  apiGroup: rbac.authorization.k8s.io
  kind: ${role.kind}
  name: ${yamlText(role.name)}
subjects:
  - kind: ServiceAccount
    name: ${yamlText(name)}
    namespace: ${yamlText(namespace)}
`;
}
