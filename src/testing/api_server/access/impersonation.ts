import { accountGroups } from "./account_tokens.ts";
import type { UserInfo } from "./user_info.ts";
import type { Authorizer } from "./authorization.ts";
import { ApiError, badRequest, dnsLabel, dnsSubdomain } from "../../values/mod.ts";

const AUTHENTICATED = "system:authenticated";
const UNAUTHENTICATED = "system:unauthenticated";
const ANONYMOUS = "system:anonymous";

/** The API group of the UIDs and extra values of a user. */
const AUTHENTICATION = "authentication.k8s.io";

const EXTRA_PREFIX = "impersonate-extra-";

/** Something to act as, with the permission that it needs. */
interface Request {
  readonly resource: string;
  readonly name: string;
  readonly group?: string;
  readonly namespace?: string;
  readonly subresource?: string;
}

/**
 * Returns the user that the Impersonate headers name, or else `user`.
 *
 * @throws {ApiError} 403, if `user` may not impersonate that user, or with those groups, extra values or UID; 400, for
 * groups, extra values or a UID without a user.
 */
export function impersonate(headers: Headers, user: UserInfo, authorizer: Authorizer): UserInfo {
  const username = headers.get("impersonate-user") ?? "";
  const uid = headers.get("impersonate-uid") ?? "";
  const asked = listOf(headers.get("impersonate-group"));
  const extra = extraOf(headers);
  const account = accountOf(username);
  const requests: Request[] = [];
  if (account !== undefined) requests.push({ resource: "serviceaccounts", ...account });
  else if (username !== "") requests.push({ resource: "users", name: username });
  for (const name of asked) requests.push({ resource: "groups", name });
  for (const [key, values] of Object.entries(extra)) {
    for (const name of values) {
      requests.push({ resource: "userextras", group: AUTHENTICATION, subresource: key, name });
    }
  }
  if (uid !== "") requests.push({ resource: "uids", group: AUTHENTICATION, name: uid });
  if (username === "") {
    if (requests.length === 0) return user;
    const { status } = badRequest(
      `requested [${requests.map(show).join(" ")}] without impersonating a user`,
    );
    throw new ApiError(status, { "X-Content-Type-Options": "nosniff" });
  }
  for (const { resource, name, group = "", namespace = "", subresource = "" } of requests) {
    const verb = "impersonate";
    authorizer.require(user, { verb, group, resource, subresource, namespace, name });
  }
  const groups = headers.has("impersonate-group") || account === undefined
    ? asked
    : accountGroups(account.namespace);
  return {
    username,
    ...(uid === "" ? {} : { uid }),
    groups: withStandardGroup(groups, username),
    ...(Object.keys(extra).length === 0 ? {} : { extra }),
  };
}

/** Adds the group `system:authenticated` or `system:unauthenticated`. */
function withStandardGroup(groups: readonly string[], username: string): string[] {
  if (username === ANONYMOUS) {
    return groups.includes(UNAUTHENTICATED) ? [...groups] : [...groups, UNAUTHENTICATED];
  }
  const named = groups.includes(AUTHENTICATED) || groups.includes(UNAUTHENTICATED);
  return named ? [...groups] : [...groups, AUTHENTICATED];
}

/** Returns the service account of a user name. */
function accountOf(username: string): { namespace: string; name: string } | undefined {
  const [system, kind, namespace, name, ...rest] = username.split(":");
  if (system !== "system" || kind !== "serviceaccount" || rest.length > 0) return undefined;
  if (namespace === undefined || name === undefined) return undefined;
  const valid = dnsLabel(namespace).length === 0 && dnsSubdomain(name).length === 0;
  return valid ? { namespace, name } : undefined;
}

/** Returns the extra values by their key, which is lower case and may have percent escapes in the header. */
function extraOf(headers: Headers): Readonly<Record<string, readonly string[]>> {
  const extra = new Map<string, string[]>();
  // On Deno, an iterator of headers takes four times as long, which counts for each request.
  headers.forEach((value, header) => {
    if (!header.startsWith(EXTRA_PREFIX)) return;
    const key = unescape(header.slice(EXTRA_PREFIX.length));
    extra.set(key, [...extra.get(key) ?? [], ...listOf(value)]);
  });
  return Object.fromEntries(extra);
}

function unescape(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/**
 * Splits a header that was sent several times. `Headers` joins the values with a comma and a space; a comma alone is
 * part of a value.
 */
function listOf(header: string | null): string[] {
  return header === null ? [] : header.split(", ");
}

/** Formats a request as Go prints an object reference. */
function show({ resource, name, group, subresource = "" }: Request): string {
  const kinds: Readonly<Record<string, string>> = {
    groups: "Group",
    userextras: "UserExtra",
    uids: "UID",
  };
  const apiVersion = group === undefined ? "" : `${group}/v1`;
  return `{${kinds[resource]}  ${name}  ${apiVersion}  ${subresource}}`;
}
