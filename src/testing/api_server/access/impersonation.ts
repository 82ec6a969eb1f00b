import type { UserInfo } from "./authentication.ts";
import type { AccessAttributes, Authorizer } from "./authorization.ts";
import { ApiError, badRequest } from "../values/mod.ts";

/**
 * Returns the user to act as: the one that the Impersonate headers name, otherwise `user`.
 *
 * @throws {ApiError} 403, if `user` may not impersonate that user or group; 400, for groups without a user.
 */
export function impersonate(headers: Headers, user: UserInfo, authorizer: Authorizer): UserInfo {
  const username = headers.get("impersonate-user");
  const groups = listOf(headers.get("impersonate-group"));
  if (username === null || username === "") {
    if (groups.length === 0) return user;
    const shown = groups.map((group) => `{Group  ${group}    }`).join(" ");
    const { status } = badRequest(`requested [${shown}] without impersonating a user`);
    throw new ApiError(status, { "X-Content-Type-Options": "nosniff" });
  }
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
