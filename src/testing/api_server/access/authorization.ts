import type { KubeObject } from "@kubeloop/controller/types";
import type { UserInfo } from "./authentication.ts";
import { ApiError, failure, forbidden } from "../values/mod.ts";
import type { RequestInfo } from "../http/mod.ts";
import type { Storage } from "../storage/mod.ts";

/** The attributes of a request that authorization decides by. */
export interface AccessAttributes {
  /** The verb; for paths without a resource, the method in lower case. */
  readonly verb: string;
  /** The path, if the request is not for a resource. */
  readonly path?: string;
  /** The API group; empty for the core group. */
  readonly group: string;
  /** The resource; empty for other paths. */
  readonly resource: string;
  /** The subresource; empty if the request has none. */
  readonly subresource: string;
  /** The namespace; empty at the cluster scope. */
  readonly namespace: string;
  /** The name of the object; empty if the request has none. */
  readonly name: string;
}

/** A rule of a Role or ClusterRole. */
export interface PolicyRule {
  verbs?: string[];
  apiGroups?: string[];
  resources?: string[];
  resourceNames?: string[];
  nonResourceURLs?: string[];
}

interface Subject {
  kind: string;
  name: string;
  namespace?: string;
}

/** A binding, resolved to the rules of its role. */
interface Grant {
  /** The binding and its role, as access reviews show them. */
  readonly shown: string;
  readonly subjects: readonly Subject[];
  readonly rules: readonly PolicyRule[];
  /** The namespace that the binding applies to; empty for the whole cluster. */
  readonly namespace: string;
}

const RBAC = "rbac.authorization.k8s.io";

/** The group whose members may do everything, without any rule. */
const MASTERS = "system:masters";

/** Authorizes requests by the stored roles and bindings, as the RBAC authorizer of the API server does. */
export class Authorizer {
  readonly #storage: Storage;
  #grants: readonly Grant[] | undefined;

  /** Creates an authorizer that reads roles and bindings from `storage`. */
  constructor(storage: Storage) {
    this.#storage = storage;
  }

  /** Drops the cached rules. Call it when a role or binding has changed. */
  invalidate(): void {
    this.#grants = undefined;
  }

  /** Reports whether `user` has this access. */
  allows(user: UserInfo, attributes: AccessAttributes): boolean {
    return this.reason(user, attributes) !== undefined;
  }

  /**
   * Returns why `user` has this access, as access reviews show it: empty for `system:masters`, undefined if access is
   * denied.
   */
  reason(user: UserInfo, attributes: AccessAttributes): string | undefined {
    if (user.groups.includes(MASTERS)) return "";
    this.#grants ??= this.#readGrants();
    for (const { namespace, subjects, rules, shown } of this.#grants) {
      if (namespace !== "" && namespace !== attributes.namespace) continue;
      const subject = subjects.find((one) => isSubject(user, one));
      if (subject === undefined || !rules.some((rule) => covers(rule, attributes))) continue;
      return `RBAC: allowed by ${shown} to ${showSubject(subject)}`;
    }
    return undefined;
  }

  /** Returns every rule that grants `user` access in `namespace`. */
  rulesFor(user: UserInfo, namespace: string): PolicyRule[] {
    this.#grants ??= this.#readGrants();
    return this.#grants.filter((grant) =>
      (grant.namespace === "" || grant.namespace === namespace) &&
      grant.subjects.some((subject) => isSubject(user, subject))
    ).flatMap(({ rules }) => rules);
  }

  /**
   * Requires that `user` has this access.
   *
   * @throws {ApiError} 403, if not.
   */
  require(user: UserInfo, attributes: AccessAttributes): void {
    if (!this.allows(user, attributes)) throw refusal(user, attributes);
  }

  #readGrants(): Grant[] {
    const roles = new Map<string, PolicyRule[]>();
    for (const role of this.#read("roles")) roles.set(`Role ${keyOf(role)}`, rulesOf(role));
    for (const role of this.#read("clusterroles")) {
      roles.set(`ClusterRole ${keyOf(role)}`, rulesOf(role));
    }
    // ClusterRoleBindings are evaluated before RoleBindings.
    const bindings = [...this.#read("clusterrolebindings"), ...this.#read("rolebindings")];
    return bindings.map((binding) => {
      const { subjects = [], roleRef, metadata } = binding as KubeObject & {
        subjects?: Subject[];
        roleRef?: { kind?: string; name?: string };
      };
      const namespace = metadata.namespace ?? "";
      const key = roleRef?.kind === "Role" ? `${namespace}/${roleRef.name}` : `/${roleRef?.name}`;
      const name = namespace === "" ? metadata.name : `${metadata.name}/${namespace}`;
      const shown = `${namespace === "" ? "ClusterRoleBinding" : "RoleBinding"} ${
        JSON.stringify(name)
      } of ${roleRef?.kind} ${JSON.stringify(roleRef?.name)}`;
      return { shown, subjects, rules: roles.get(`${roleRef?.kind} ${key}`) ?? [], namespace };
    });
  }

  #read(plural: string): KubeObject[] {
    return this.#storage.store(`${plural}.${RBAC}`).list("").map((stored) => stored.parse());
  }
}

function keyOf({ metadata }: KubeObject): string {
  return `${metadata.namespace ?? ""}/${metadata.name}`;
}

function rulesOf(role: KubeObject): PolicyRule[] {
  return (role as KubeObject & { rules?: PolicyRule[] | null }).rules ?? [];
}

function isSubject(user: UserInfo, subject: Subject): boolean {
  switch (subject.kind) {
    case "User":
      return subject.name === user.username;
    case "Group":
      return user.groups.includes(subject.name);
    case "ServiceAccount":
      return user.username === `system:serviceaccount:${subject.namespace}:${subject.name}`;
    default:
      return false;
  }
}

function showSubject({ kind, name, namespace }: Subject): string {
  return `${kind} ${JSON.stringify(kind === "ServiceAccount" ? `${name}/${namespace}` : name)}`;
}

function covers(rule: PolicyRule, asked: AccessAttributes): boolean {
  if (!has(rule.verbs, asked.verb)) return false;
  if (asked.path !== undefined) {
    return (rule.nonResourceURLs ?? []).some((url) =>
      url === "*" || url === asked.path ||
      (url.endsWith("*") && asked.path!.startsWith(url.slice(0, -1)))
    );
  }
  if (!has(rule.apiGroups, asked.group)) return false;
  const { resource, subresource } = asked;
  const full = subresource === "" ? resource : `${resource}/${subresource}`;
  const resources = rule.resources ?? [];
  const covered = has(resources, full) ||
    (subresource !== "" && resources.includes(`*/${subresource}`));
  const names = rule.resourceNames ?? [];
  return covered && (names.length === 0 || names.includes(asked.name));
}

function has(allowed: readonly string[] | undefined, value: string): boolean {
  return allowed !== undefined && (allowed.includes("*") || allowed.includes(value));
}

/** Returns the attributes of a request. */
export function attributesOf(info: RequestInfo): AccessAttributes {
  const { verb, group, resource, subresource, namespace, name } = info;
  if (!info.isResource) {
    return {
      verb,
      path: info.path,
      group: "",
      resource: "",
      subresource: "",
      namespace: "",
      name: "",
    };
  }
  return { verb, group, resource, subresource, namespace, name: name || info.selectedName };
}

/** Returns the 403 for a denied access, with the message of the API server. */
export function refusal(user: UserInfo, asked: AccessAttributes): ApiError {
  const who = JSON.stringify(user.username);
  if (asked.path !== undefined) {
    const message = `forbidden: User ${who} cannot ${asked.verb} path ${
      JSON.stringify(asked.path)
    }`;
    return unsniffed(failure(403, message, { reason: "Forbidden", details: {} }));
  }
  const { verb, group, resource, subresource, namespace, name } = asked;
  const full = subresource === "" ? resource : `${resource}/${subresource}`;
  const where = namespace === ""
    ? "at the cluster scope"
    : `in the namespace ${JSON.stringify(namespace)}`;
  const why = `User ${who} cannot ${verb} resource ${JSON.stringify(full)} in API group ${
    JSON.stringify(group)
  } ${where}`;
  return unsniffed(forbidden({ group, plural: resource }, name, why));
}

/** Adds the header that a denial by the authorizer has and other failures do not. */
function unsniffed({ status }: ApiError): ApiError {
  return new ApiError(status, { "X-Content-Type-Options": "nosniff" });
}
