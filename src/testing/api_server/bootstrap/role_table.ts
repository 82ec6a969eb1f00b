import type { KubeObject } from "@kubeloop/controller/types";
import type { PolicyRule } from "../access/mod.ts";
import type { Release } from "../release/mod.ts";
import { isIn, withoutSpan } from "./release_line.ts";

const RBAC = "rbac.authorization.k8s.io";

const LABELS = { "kubernetes.io/bootstrapping": "rbac-defaults" };

const ANNOTATIONS = { "rbac.authorization.kubernetes.io/autoupdate": "true" };

/**
 * The rules of roles, by name. Each line of a text is a rule: `verbs; groups; resources; names`, or `verbs: paths`. The
 * core group is `core`, and {@linkcode VERBS} has words for the usual lists of verbs. A line ends with a span if not all
 * releases have it: see {@linkcode isIn}. A first line with only a span is about the whole role.
 */
export type RoleTable = Readonly<Record<string, string>>;

/**
 * The subjects of bindings, by name: `user`, `group` or `account` and its name, with a comma between several. An
 * account is one of `kube-system`. The role follows after `->`, if it has another name than the binding. A span
 * follows if not all releases have the binding.
 */
export type BindingTable = Readonly<Record<string, string>>;

const VERBS: Readonly<Record<string, string>> = {
  read: "get list watch",
  write: "create delete deletecollection patch update",
  all: "create delete deletecollection get list patch update watch",
  record: "create patch update",
};

/** Returns the entries of a table that a release has. */
export function entriesIn(
  table: RoleTable | BindingTable,
  release: Release,
): (readonly [name: string, text: string])[] {
  return Object.entries(table).filter(([, text]) => {
    const [first = ""] = text.trim().split("\n");
    const isWhole = first.startsWith("|") || !text.includes("\n");
    return !isWhole || isIn(release, first);
  });
}

/** Returns the rules of a text of a {@linkcode RoleTable}. */
function rulesOf(text: string, release: Release): PolicyRule[] {
  const lines = text.split("\n").filter((line) => isIn(release, line))
    .map(withoutSpan).filter((line) => line !== "");
  return lines.map((line) => {
    const [head = "", groups = "", resources = "", names] = line.split("; ");
    const [verbs = "", paths] = head.split(": ");
    const all = words(VERBS[verbs] ?? verbs);
    if (paths !== undefined) return { verbs: all, nonResourceURLs: words(paths) };
    return {
      verbs: all,
      apiGroups: words(groups).map((group) => group === "core" ? "" : group),
      resources: words(resources),
      ...(names === undefined ? {} : { resourceNames: words(names) }),
    };
  });
}

function words(text: string): string[] {
  return text.split(" ");
}

function headOf(kind: string, name: string, namespace?: string, labels: object = {}): KubeObject {
  return {
    kind,
    apiVersion: `${RBAC}/v1`,
    metadata: {
      name,
      ...(namespace === undefined ? {} : { namespace }),
      labels: { ...LABELS, ...labels },
      annotations: ANNOTATIONS,
    },
  };
}

/** Returns the label of the roles whose rules the role `name` gathers. */
function labelFor(name: string): Record<string, string> {
  return { [`${RBAC}/aggregate-to-${name}`]: "true" };
}

/** Returns a role: a Role if it has a namespace. The label of a role that is part of another follows from its name. */
export function role(
  name: string,
  text: string,
  release: Release,
  namespace?: string,
): KubeObject {
  const into = /^system:aggregate-to-(.*)$/.exec(name)?.[1];
  const labels = into === undefined ? {} : labelFor(into);
  const kind = namespace === undefined ? "ClusterRole" : "Role";
  return { ...headOf(kind, name, namespace, labels), rules: rulesOf(text, release) } as KubeObject;
}

/** Returns a role that gathers its rules from others, and may itself be part of the role `into`. */
export function aggregatedRole(name: string, into: string | undefined): KubeObject {
  return {
    ...headOf("ClusterRole", name, undefined, into === undefined ? {} : labelFor(into)),
    aggregationRule: { clusterRoleSelectors: [{ matchLabels: labelFor(name) }] },
    rules: null,
  } as KubeObject;
}

/** Returns a binding: a RoleBinding if it has a namespace. */
export function binding(name: string, text: string, namespace?: string): KubeObject {
  const [subjects = "", roleName = name] = withoutSpan(text).split(" -> ");
  const kind = namespace === undefined ? "ClusterRole" : "Role";
  return {
    ...headOf(`${kind}Binding`, name, namespace),
    ...(subjects === "" ? {} : { subjects: subjects.split(", ").map(subject) }),
    roleRef: { apiGroup: RBAC, kind, name: roleName },
  } as KubeObject;
}

function subject(text: string): object {
  const [kind, name] = words(text);
  if (kind === "account") return { kind: "ServiceAccount", name, namespace: "kube-system" };
  return { kind: kind === "user" ? "User" : "Group", apiGroup: RBAC, name };
}
