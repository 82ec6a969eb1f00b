import type { KubeObject } from "@kubeloop/controller/types";
import type { UserInfo } from "./user_info.ts";
import {
  type Authorizer,
  isMaster,
  RBAC_GROUP,
  type RoleRef,
  showErrors,
} from "./authorization.ts";
import { FULL_AUTHORITY, missingRights, type PolicyRule, quoteList } from "./policy_rule.ts";
import {
  badRequest,
  forbidden,
  getArray,
  internalError,
  type Json,
  jsonEqual,
  type JsonObject,
  notFound,
  pathSegmentName,
  quote,
} from "../../values/mod.ts";

/** A write of a role or binding. */
export interface RbacWrite {
  /** The user who writes. */
  readonly user: UserInfo;
  /** Whether the object is a role or a binding. */
  readonly grants: "role" | "binding";
  /** The plural name of the resource, such as `clusterroles`. */
  readonly plural: string;
  /** The namespace in the path; empty at the cluster scope. */
  readonly namespace: string;
  /** The name in the path; empty on a POST. */
  readonly name: string;
  /** The object to store. */
  readonly next: KubeObject;
  /** The stored object; absent if the write creates it. */
  readonly old?: KubeObject | undefined;
}

/**
 * Refuses a write with which a user would grant rights that the user does not have.
 *
 * A role needs all permissions in it, or the verb `escalate` on it; a role with an aggregation rule needs all
 * permissions there are. A binding needs all permissions in its role, or the verb `bind` on that role. Members of
 * `system:masters` may write anything, and so may anybody who changes only finalizers and owner references.
 *
 * @throws {ApiError} 403, if the user lacks permissions; 404, if the role of a binding does not exist.
 */
export function refuseEscalation(authorizer: Authorizer, write: RbacWrite): void {
  if (isMaster(write.user)) return;
  if (write.grants === "role") refuseRole(authorizer, write);
  else refuseBinding(authorizer, write);
}

function refuseRole(authorizer: Authorizer, write: RbacWrite): void {
  const { user, plural, namespace, name, next, old } = write;
  const place = { group: RBAC_GROUP, resource: plural, subresource: "", namespace, name };
  if (authorizer.decide(user, { ...place, verb: "escalate" }).allowed) return;
  if (changesOnlyOwnership(next, old)) return;
  const { rules } = next as KubeObject & { rules?: PolicyRule[] | null };
  confirmHeld(authorizer, write, rules ?? []);
  if (!aggregates(next) && !aggregates(old)) return;
  const { rules: held } = authorizer.rulesFor(user, namespace);
  if (missingRights(held, FULL_AUTHORITY) === undefined) return;
  throw refused(write, "must have cluster-admin privileges to use the aggregationRule");
}

function refuseBinding(authorizer: Authorizer, write: RbacWrite): void {
  const { user, namespace, next, old } = write;
  if (changesOnlyOwnership(next, old)) return;
  const { roleRef = {} } = next as KubeObject & { roleRef?: RoleRef };
  const { kind = "", name = "", apiGroup = "" } = roleRef;
  if (kind !== "Role" && kind !== "ClusterRole") {
    throw internalError(`unsupported role reference kind: ${quote(kind)}`);
  }
  const resource = kind === "Role" ? "roles" : "clusterroles";
  const role = { group: apiGroup, resource, subresource: "", namespace, name };
  if (authorizer.decide(user, { ...role, verb: "bind" }).allowed) return;
  requireRoleName(name);
  const rules = authorizer.rulesOf(roleRef, namespace);
  // As in the API server, the error is about a binding of that name.
  if (rules === undefined) throw notFound({ group: RBAC_GROUP, plural: write.plural }, name);
  confirmHeld(authorizer, write, rules);
}

/**
 * Refuses a name under which no role can be read.
 *
 * @throws {ApiError} 400
 */
function requireRoleName(name: string): void {
  if (name === "") throw badRequest("Name parameter required.");
  const wrong = pathSegmentName(name);
  if (wrong.length === 0) return;
  throw badRequest(`Name parameter invalid: ${quote(name)}: ${wrong.join(";")}`);
}

/** Requires that the user has every permission in `rules`. */
function confirmHeld(
  authorizer: Authorizer,
  write: RbacWrite,
  rules: readonly PolicyRule[],
): void {
  const { user, namespace } = write;
  const held = authorizer.rulesFor(user, namespace);
  const missing = missingRights(held.rules, rules);
  if (missing === undefined) return;
  const who = `user ${quote(user.username)} (groups=${quoteList(user.groups)})`;
  const errors = held.errors.length === 0
    ? ""
    : `; resolution errors: [${showErrors(held.errors)}]`;
  const more = missing.tooMany ? "\n(this server does not check that many permissions)" : "";
  const what = "is attempting to grant RBAC permissions not currently held";
  throw refused(write, `${who} ${what}:\n${missing.shown.join("\n")}${more}${errors}`);
}

function refused({ plural, next }: RbacWrite, why: string): Error {
  return forbidden({ group: RBAC_GROUP, plural }, next.metadata.name ?? "", why);
}

function aggregates(role: KubeObject | undefined): boolean {
  return getArray(role as unknown as Json, "aggregationRule", "clusterRoleSelectors").length > 0;
}

/** Reports whether a write changes only the fields that the garbage collector changes. */
function changesOnlyOwnership(next: KubeObject, old: KubeObject | undefined): boolean {
  return old !== undefined && jsonEqual(withoutOwnership(next), withoutOwnership(old));
}

function withoutOwnership(object: KubeObject): JsonObject {
  const { ownerReferences: _, finalizers: __, managedFields: ___, ...metadata } = object.metadata;
  return { ...object, metadata } as unknown as JsonObject;
}
