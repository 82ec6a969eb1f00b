import type { KubeObject } from "@kubeloop/controller/types";
import type { UserInfo } from "./authentication.ts";
import { ApiError, failure, forbidden } from "../values/mod.ts";
import type { RequestInfo } from "../http/mod.ts";
import type { Storage } from "../storage/mod.ts";

/** What a user wants to do. */
export interface AccessAttributes {
  /** The verb, or the method in lower case for paths that are no resources. */
  readonly verb: string;
  /** The path, for those. */
  readonly path?: string;
  /** The API group. */
  readonly group: string;
  /** The resource; empty for paths. */
  readonly resource: string;
  /** The subresource. */
  readonly subresource: string;
  /** The namespace; empty at the cluster scope. */
  readonly namespace: string;
  /** The object's name. */
  readonly name: string;
}

/** One rule of a role. */
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

/** Who may do what, where. */
interface Grant {
  /** The binding and its role, as reviews show them. */
  readonly shown: string;
  readonly subjects: readonly Subject[];
  readonly rules: readonly PolicyRule[];
  /** Where it holds; empty: everywhere. */
  readonly namespace: string;
}

const RBAC = "rbac.authorization.k8s.io";

/** The group that no rule stops. */
const MASTERS = "system:masters";

/** Decides by the roles and bindings that are stored: the API server's RBAC. */
export class Authorizer {
  readonly #storage: Storage;
  #grants: readonly Grant[] | undefined;

  /** Reads roles and bindings from `storage`. */
  constructor(storage: Storage) {
    this.#storage = storage;
  }

  /** Notes that a role or binding has changed. */
  invalidate(): void {
    this.#grants = undefined;
  }

  /** Whether `user` may do it. */
  allows(user: UserInfo, attributes: AccessAttributes): boolean {
    return this.reason(user, attributes) !== undefined;
  }

  /** Why `user` may do it, as reviews tell it: empty for masters; undefined when they may not. */
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

  /** Every rule that grants `user` something in `namespace`. */
  rulesFor(user: UserInfo, namespace: string): PolicyRule[] {
    this.#grants ??= this.#readGrants();
    return this.#grants.filter((grant) =>
      (grant.namespace === "" || grant.namespace === namespace) &&
      grant.subjects.some((subject) => isSubject(user, subject))
    ).flatMap(({ rules }) => rules);
  }

  /**
   * Does nothing when `user` may do it.
   *
   * @throws {ApiError} 403 otherwise.
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
    // Those of the cluster are asked first.
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

/** What a request wants to do. */
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

/** 403, in the words of the API server. */
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

/** What authorization refuses carries one header more than other failures. */
function unsniffed({ status }: ApiError): ApiError {
  return new ApiError(status, { "X-Content-Type-Options": "nosniff" });
}
