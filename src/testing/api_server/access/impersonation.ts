import { accountGroups } from "./account_tokens.ts";
import type { UserInfo } from "./user_info.ts";
import type { Authorizer } from "./authorization.ts";
import type { AccessAttributes } from "./policy_rule.ts";
import type { Release } from "../release/mod.ts";
import { ApiError, badRequest, dnsLabel, dnsSubdomain, quote } from "../../values/mod.ts";

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

/** The values of the Impersonate headers. */
interface Wanted {
  readonly username: string;
  readonly uid: string;
  readonly groups: readonly string[];
  readonly extra: Readonly<Record<string, readonly string[]>>;
}

/** A request that another user is to make, and who decides about it. */
export interface Impersonation {
  readonly authorizer: Authorizer;
  /** The access that the request needs. */
  readonly attributes: AccessAttributes;
  readonly release: Release;
}

/**
 * Returns the user that the Impersonate headers name, or else `user`.
 *
 * @throws {ApiError} 403, if `user` may not impersonate that user, or with those groups, extra values or UID; 400, for
 * groups, extra values or a UID without a user.
 */
export function impersonate(
  headers: Headers,
  user: UserInfo,
  { authorizer, attributes, release }: Impersonation,
): UserInfo {
  const wanted: Wanted = {
    username: headers.get("impersonate-user") ?? "",
    uid: headers.get("impersonate-uid") ?? "",
    groups: listOf(headers.get("impersonate-group")),
    extra: extraOf(headers),
  };
  const constrained = release.isOn("ConstrainedImpersonation");
  if (wanted.username === "") {
    const requests = requestsFor(wanted);
    if (requests.length === 0) return user;
    throw unnamed(
      constrained
        ? `requested ${showWanted(wanted)} without impersonating a user name`
        : `requested [${requests.map(show).join(" ")}] without impersonating a user`,
    );
  }
  const modes = constrained ? MODES.filter(({ applies }) => applies(wanted, user)) : [];
  let refused: unknown;
  for (const mode of [...modes, undefined]) {
    try {
      if (mode !== undefined) {
        const verb = `impersonate-on:${mode.name}:${attributes.verb}`;
        authorizer.require(user, { ...attributes, verb });
      }
      for (
        const { resource, name, group = "", namespace = "", subresource = "" } of requestsFor(
          wanted,
          mode,
        )
      ) {
        const verb = mode === undefined ? "impersonate" : `impersonate:${mode.name}`;
        authorizer.require(user, { verb, group, resource, subresource, namespace, name });
      }
      return actedAs(wanted, mode);
    } catch (error) {
      // The real server answers with the first refusal.
      refused ??= error;
    }
  }
  throw refused;
}

/** A way of being allowed to act as a user for some requests only. */
interface Mode {
  readonly name: string;
  readonly applies: (wanted: Wanted, user: UserInfo) => boolean;
}

/** The modes, in the order in which the real server tries them. */
const MODES: readonly Mode[] = [
  {
    name: "associated-node",
    applies: (wanted, { extra, username }) =>
      isPlain(wanted) && nodeOf(wanted.username) !== undefined &&
      accountOf(username) !== undefined &&
      extra?.[NODE_NAME]?.length === 1 && extra[NODE_NAME][0] === nodeOf(wanted.username),
  },
  {
    name: "arbitrary-node",
    applies: (wanted) => isPlain(wanted) && nodeOf(wanted.username) !== undefined,
  },
  {
    name: "serviceaccount",
    applies: (wanted) => isPlain(wanted) && accountOf(wanted.username) !== undefined,
  },
  {
    name: "user-info",
    applies: ({ username }) => nodeOf(username) === undefined && accountOf(username) === undefined,
  },
];

/** The extra value of a token that is bound to a Pod: the name of its node. */
const NODE_NAME = "authentication.kubernetes.io/node-name";

/** Reports whether only a user name is asked for. */
function isPlain({ uid, groups, extra }: Wanted): boolean {
  return uid === "" && groups.length === 0 && Object.keys(extra).length === 0;
}

/** Returns what must be allowed in a mode, or without modes. */
function requestsFor({ username, uid, groups, extra }: Wanted, mode?: Mode): Request[] {
  const requests: Request[] = [];
  const group = mode === undefined ? {} : { group: AUTHENTICATION };
  const node = mode === undefined ? undefined : nodeOf(username);
  const account = accountOf(username);
  if (node !== undefined) {
    const name = mode!.name === "associated-node" ? "*" : node;
    requests.push({ resource: "nodes", name, ...group });
  } else if (account !== undefined) {
    requests.push({ resource: "serviceaccounts", ...account, ...group });
  } else if (username !== "") requests.push({ resource: "users", name: username, ...group });
  const uids = uid === "" ? [] : [{ resource: "uids", group: AUTHENTICATION, name: uid }];
  const extras = Object.entries(extra).flatMap(([subresource, values]) =>
    values.map((name) => ({ resource: "userextras", group: AUTHENTICATION, subresource, name }))
  );
  const named = groups.map((name) => ({ resource: "groups", name, ...group }));
  // With modes, the real server looks at the UID first.
  return mode === undefined
    ? [...requests, ...named, ...extras, ...uids]
    : [...requests, ...uids, ...named, ...extras];
}

function actedAs({ username, uid, groups, extra }: Wanted, mode: Mode | undefined): UserInfo {
  const account = accountOf(username);
  const own = mode !== undefined && nodeOf(username) !== undefined
    ? ["system:nodes"]
    : groups.length > 0 || account === undefined
    ? groups
    : accountGroups(account.namespace);
  return {
    username,
    ...(uid === "" ? {} : { uid }),
    groups: withStandardGroup(own, username),
    ...(Object.keys(extra).length === 0 ? {} : { extra }),
  };
}

function unnamed(text: string): ApiError {
  return new ApiError(badRequest(text).status, { "X-Content-Type-Options": "nosniff" });
}

/** Formats the values of the headers as Go prints a user. */
function showWanted({ uid, groups, extra }: Wanted): string {
  const list = (values: readonly string[]) => `[]string{${values.map(quote).join(", ")}}`;
  const keys = Object.keys(extra).sort();
  const pairs = keys.map((key) => `${quote(key)}:${list(extra[key]!)}`).join(", ");
  return `&user.DefaultInfo{Name:"", UID:${quote(uid)}, ` +
    `Groups:${groups.length === 0 ? "[]string(nil)" : list(groups)}, ` +
    `Extra:map[string][]string${keys.length === 0 ? "(nil)" : `{${pairs}}`}}`;
}

/** Returns the node of a user name. */
function nodeOf(username: string): string | undefined {
  const name = /^system:node:(.*)$/s.exec(username)?.[1];
  return name === undefined || dnsSubdomain(name).length > 0 ? undefined : name;
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
  for (const [header, value] of headers) {
    if (!header.startsWith(EXTRA_PREFIX)) continue;
    const key = unescape(header.slice(EXTRA_PREFIX.length));
    extra.set(key, [...extra.get(key) ?? [], ...listOf(value)]);
  }
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
