import type { UserInfo } from "./authentication.ts";
import type { AccessAttributes, Authorizer } from "./authorization.ts";

/**
 * The user to act as: the one the Impersonate headers name, or `user`.
 *
 * @throws {ApiError} 403, when `user` may not act as that one.
 */
export function impersonate(headers: Headers, user: UserInfo, authorizer: Authorizer): UserInfo {
  const username = headers.get("impersonate-user");
  if (username === null || username === "") return user;
  const groups = listOf(headers.get("impersonate-group"));
  const uid = headers.get("impersonate-uid") ?? undefined;
  authorizer.require(user, attributes("users", username));
  for (const group of groups) authorizer.require(user, attributes("groups", group));
  if (!groups.includes("system:authenticated") && username !== "system:anonymous") {
    groups.push("system:authenticated");
  }
  return { username, uid, groups };
}

function attributes(resource: string, name: string): AccessAttributes {
  return { verb: "impersonate", group: "", resource, subresource: "", namespace: "", name };
}

function listOf(header: string | null): string[] {
  return (header ?? "").split(",").map((part) => part.trim()).filter((part) => part !== "");
}
