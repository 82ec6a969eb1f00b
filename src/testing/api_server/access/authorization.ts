import type { KubeObject } from "@kubeloop/controller/types";
import type { UserInfo } from "./user_info.ts";
import { type AccessAttributes, allows, type PolicyRule } from "./policy_rule.ts";
import { ApiError, escapeMarkup, failure, forbidden, quote } from "../../values/mod.ts";
import type { RequestInfo } from "../http/mod.ts";
import type { Release } from "../release/mod.ts";
import type { Storage, StoredObject } from "../storage/mod.ts";

interface Subject {
  readonly kind: string;
  readonly name: string;
  readonly namespace?: string;
}

/** The role that a binding refers to. */
export interface RoleRef {
  readonly kind?: string;
  readonly name?: string;
  readonly apiGroup?: string;
}

/** A binding, resolved to the rules of its role. */
interface Grant {
  /** The binding and its role, as access reviews show them. */
  readonly shown: string;
  readonly subjects: readonly Subject[];
  /** The rules of the role; undefined if the role does not exist. */
  readonly rules: readonly PolicyRule[] | undefined;
  /** The error that says that the role does not exist. */
  readonly missing: string;
  /** The namespace that the binding applies to; empty for the whole cluster. */
  readonly namespace: string;
}

/** Whether a user has some access. */
export interface Decision {
  /** Whether the user has the access. */
  readonly allowed: boolean;
  /** Why, as access reviews show it; empty for `system:masters` and for a plain denial. */
  readonly reason: string;
}

/** The rules that a user has, and what could not be read. */
export interface UserRules {
  /** The rules. */
  readonly rules: readonly PolicyRule[];
  /** The errors of bindings to roles that do not exist. */
  readonly errors: readonly string[];
}

/** The API group of roles and bindings. */
export const RBAC_GROUP = "rbac.authorization.k8s.io";

/** The group whose members may do everything, without any rule. */
const MASTERS = "system:masters";

/** Reports whether `user` may do everything. */
export function isMaster({ groups }: UserInfo): boolean {
  return groups.includes(MASTERS);
}

/** Authorizes requests by the stored roles and bindings, as the RBAC authorizer of the API server does. */
export class Authorizer {
  readonly #storage: Storage;
  readonly #release: Release;
  /** The parsed roles and bindings. A write replaces only the object that it changes. */
  readonly #parsed = new WeakMap<StoredObject, KubeObject>();
  #grants: readonly Grant[] | undefined;

  /** Creates an authorizer that reads roles and bindings from `storage`. */
  constructor(storage: Storage, release: Release) {
    this.#storage = storage;
    this.#release = release;
  }

  /** Drops the cached rules. Call it when a role or binding has changed. */
  invalidate(): void {
    this.#grants = undefined;
  }

  /** Decides whether `user` has this access. */
  decide(user: UserInfo, attributes: AccessAttributes): Decision {
    if (isMaster(user)) return { allowed: true, reason: "" };
    const errors: string[] = [];
    for (const { grant, subject } of this.#grantsFor(user, attributes.namespace)) {
      const { rules, missing, shown, namespace } = grant;
      if (rules === undefined) errors.push(missing);
      else if (rules.some((rule) => allows(rule, attributes))) {
        const to = showSubject(subject, namespace);
        return { allowed: true, reason: `RBAC: allowed by ${shown} to ${to}` };
      }
    }
    if (errors.length === 0) return { allowed: false, reason: "" };
    const named = this.#release.has({ since: "1.37" }) ? "rbac: " : "";
    return { allowed: false, reason: `${named}RBAC: ${showErrors(errors)}` };
  }

  /** Returns the rules that grant `user` access in `namespace`; empty for the rules of the whole cluster. */
  rulesFor(user: UserInfo, namespace: string): UserRules {
    const grants = [...this.#grantsFor(user, namespace)].map(({ grant }) => grant);
    return {
      rules: grants.flatMap(({ rules = [] }) => rules),
      errors: grants.filter(({ rules }) => rules === undefined).map(({ missing }) => missing),
    };
  }

  /**
   * Returns the rules of the role that a binding in `namespace` refers to, or undefined if the role does not exist;
   * `namespace` is empty for a ClusterRoleBinding.
   */
  rulesOf({ kind = "", name = "" }: RoleRef, namespace: string): readonly PolicyRule[] | undefined {
    const stored = kind === "Role"
      ? this.#storage.store(`roles.${RBAC_GROUP}`).get(`${namespace}/${name}`)
      : this.#storage.store(`clusterroles.${RBAC_GROUP}`).get(name);
    if (stored === undefined) return undefined;
    return (this.#read(stored) as KubeObject & { rules?: PolicyRule[] | null }).rules ?? [];
  }

  /**
   * Requires that `user` has this access.
   *
   * @throws {ApiError} 403, if not.
   */
  require(user: UserInfo, attributes: AccessAttributes): void {
    const { allowed, reason } = this.decide(user, attributes);
    if (!allowed) throw unsniffed(refusal(user, attributes, reason));
  }

  /** Returns the grants to `user` that apply in `namespace`. The first subject that fits names the user. */
  *#grantsFor(
    user: UserInfo,
    namespace: string,
  ): Generator<{ readonly grant: Grant; readonly subject: Subject }> {
    this.#grants ??= this.#readGrants();
    for (const grant of this.#grants) {
      if (grant.namespace !== "" && grant.namespace !== namespace) continue;
      const subject = grant.subjects.find((one) => isSubject(user, one, grant.namespace));
      if (subject !== undefined) yield { grant, subject };
    }
  }

  #readGrants(): Grant[] {
    // ClusterRoleBindings are evaluated before RoleBindings.
    const bindings = [...this.#list("clusterrolebindings"), ...this.#list("rolebindings")];
    return bindings.map((stored) => {
      const { subjects, roleRef = {}, metadata } = this.#read(stored) as KubeObject & {
        subjects?: Subject[] | null;
        roleRef?: RoleRef;
      };
      const namespace = metadata.namespace ?? "";
      const { kind = "", name = "" } = roleRef;
      const shownName = namespace === "" ? metadata.name : `${metadata.name}/${namespace}`;
      const binding = namespace === "" ? "ClusterRoleBinding" : "RoleBinding";
      return {
        shown: `${binding} ${quote(shownName ?? "")} of ${kind} ${quote(name)}`,
        subjects: subjects ?? [],
        rules: this.rulesOf(roleRef, namespace),
        missing: `${kind.toLowerCase()}.${RBAC_GROUP} ${quote(name)} not found`,
        namespace,
      };
    });
  }

  #list(plural: string): StoredObject[] {
    return this.#storage.store(`${plural}.${RBAC_GROUP}`).list("");
  }

  #read(stored: StoredObject): KubeObject {
    let object = this.#parsed.get(stored);
    if (object === undefined) {
      object = stored.parse();
      this.#parsed.set(stored, object);
    }
    return object;
  }
}

function isSubject(user: UserInfo, subject: Subject, namespace: string): boolean {
  switch (subject.kind) {
    case "User":
      return subject.name === user.username;
    case "Group":
      return user.groups.includes(subject.name);
    case "ServiceAccount": {
      // In a RoleBinding, a service account without a namespace is one of the namespace of the binding.
      const place = subject.namespace || namespace;
      return place !== "" && user.username === `system:serviceaccount:${place}:${subject.name}`;
    }
    default:
      return false;
  }
}

function showSubject({ kind, name, namespace }: Subject, bindingNamespace: string): string {
  const shown = kind === "ServiceAccount" ? `${name}/${namespace || bindingNamespace}` : name;
  return `${kind} ${quote(shown)}`;
}

/** Formats errors as Go prints an aggregate: each text once, in brackets if there are several. */
export function showErrors(errors: readonly string[]): string {
  const [first = "", ...rest] = new Set(errors);
  return rest.length === 0 ? first : `[${[first, ...rest].join(", ")}]`;
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
export function refusal(user: UserInfo, asked: AccessAttributes, reason: string): ApiError {
  const who = quote(user.username);
  const because = reason === "" ? "" : `: ${reason}`;
  if (asked.path !== undefined) {
    const why = escapeMarkup(`User ${who} cannot ${asked.verb} path ${quote(asked.path)}`);
    return failure(403, `forbidden: ${why}${because}`, { reason: "Forbidden", details: {} });
  }
  const { verb, group, resource, subresource, namespace, name } = asked;
  const full = subresource === "" ? resource : `${resource}/${subresource}`;
  const where = namespace === "" ? "at the cluster scope" : `in the namespace ${quote(namespace)}`;
  const why = escapeMarkup(
    `User ${who} cannot ${verb} resource ${quote(full)} in API group ${quote(group)} ${where}`,
  );
  return forbidden({ group, plural: resource }, name, `${why}${because}`);
}

/** Adds the header that a denial by the authorizer has and other failures do not. */
function unsniffed({ status }: ApiError): ApiError {
  return new ApiError(status, { "X-Content-Type-Options": "nosniff" });
}
