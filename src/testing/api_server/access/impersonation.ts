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

/** The maximum number of users whose last mode is kept. */
const MAX_KNOWN = 10_000;

/** Decides which user makes a request that names another one. */
export class Impersonator {
  readonly #authorizer: Authorizer;
  readonly #modes: readonly Mode[] | undefined;
  /** The mode in which a user was last allowed to act as another: the real server tries it first. */
  readonly #last = new Map<string, Mode>();

  /** Creates an impersonator that asks `authorizer`. */
  constructor(authorizer: Authorizer, release: Release) {
    this.#authorizer = authorizer;
    this.#modes = release.isOn("ConstrainedImpersonation") ? MODES : undefined;
  }

  /**
   * Returns the user that the Impersonate headers name, or else `user`.
   *
   * @param attributes The access that the request needs.
   * @throws {ApiError} 403, if `user` may not impersonate that user, or with those groups, extra values or UID; 400, for
   * groups, extra values or a UID without a user.
   */
  userOf(headers: Headers, user: UserInfo, attributes: AccessAttributes): UserInfo {
    const wanted: Wanted = {
      username: headers.get("impersonate-user") ?? "",
      uid: headers.get("impersonate-uid") ?? "",
      groups: listOf(headers.get("impersonate-group")),
      extra: extraOf(headers),
    };
    if (wanted.username === "") {
      if (isPlain(wanted)) return user;
      if (this.#modes !== undefined) {
        throw unnamed(`requested ${showWanted(wanted)} without impersonating a user name`);
      }
      const requests = requestsFor(wanted, ANY_REQUEST, false);
      throw unnamed(`requested [${requests.map(show).join(" ")}] without impersonating a user`);
    }
    const last = this.#last.get(user.username);
    const others = [...this.#modes ?? [], ANY_REQUEST].filter((mode) => mode !== last);
    let refused: unknown;
    for (const mode of last === undefined ? others : [last, ...others]) {
      if (!mode.applies(wanted, user)) continue;
      try {
        this.#require(mode, wanted, user, attributes);
        this.#remember(user, mode);
        return actedAs(wanted, mode);
      } catch (error) {
        // The real server answers with the first refusal.
        refused ??= error;
      }
    }
    throw refused;
  }

  #require(mode: Mode, wanted: Wanted, user: UserInfo, attributes: AccessAttributes): void {
    const { name: suffix } = mode;
    if (suffix !== "") {
      const verb = `impersonate-on:${suffix}:${attributes.verb}`;
      this.#authorizer.require(user, { ...attributes, verb });
    }
    const verb = suffix === "" ? "impersonate" : `impersonate:${suffix}`;
    for (const asked of requestsFor(wanted, mode, this.#modes !== undefined)) {
      this.#authorizer.require(user, { group: "", namespace: "", subresource: "", ...asked, verb });
    }
  }

  #remember({ username }: UserInfo, mode: Mode): void {
    this.#last.delete(username);
    this.#last.set(username, mode);
    if (this.#last.size > MAX_KNOWN) this.#last.delete(this.#last.keys().next().value!);
  }
}

/** A way of being allowed to act as another user. */
interface Mode {
  /** The last part of its verbs; empty for the mode that allows all requests. */
  readonly name: string;
  readonly applies: (wanted: Wanted, user: UserInfo) => boolean;
}

/** The mode that allows all requests. A release without {@linkcode MODES} has only this one; others try it last. */
const ANY_REQUEST: Mode = { name: "", applies: () => true };

/** The other modes, in the order in which the real server tries them. */
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

/** Reports whether nothing but a user name is asked for. */
function isPlain({ uid, groups, extra }: Wanted): boolean {
  return uid === "" && groups.length === 0 && Object.keys(extra).length === 0;
}

/**
 * Returns what must be allowed in a mode, in the order in which the real server asks.
 *
 * @param uidFirst Whether the UID precedes the groups and the extra values, as since there are modes.
 */
function requestsFor(
  { username, uid, groups, extra }: Wanted,
  mode: Mode,
  uidFirst: boolean,
): Request[] {
  const requests: Request[] = [];
  const isLimited = mode !== ANY_REQUEST;
  const group = isLimited ? { group: AUTHENTICATION } : {};
  const node = isLimited ? nodeOf(username) : undefined;
  const account = accountOf(username);
  if (node !== undefined) {
    const name = mode.name === "associated-node" ? "*" : node;
    requests.push({ resource: "nodes", name, ...group });
  } else if (account !== undefined) {
    requests.push({ resource: "serviceaccounts", ...account, ...group });
  } else if (username !== "") requests.push({ resource: "users", name: username, ...group });
  const uids = uid === "" ? [] : [{ resource: "uids", group: AUTHENTICATION, name: uid }];
  const extras = Object.entries(extra).flatMap(([subresource, values]) =>
    values.map((name) => ({ resource: "userextras", group: AUTHENTICATION, subresource, name }))
  );
  const named = groups.map((name) => ({ resource: "groups", name, ...group }));
  return uidFirst
    ? [...requests, ...uids, ...named, ...extras]
    : [...requests, ...named, ...extras, ...uids];
}

function actedAs({ username, uid, groups, extra }: Wanted, mode: Mode): UserInfo {
  const account = accountOf(username);
  const own = mode !== ANY_REQUEST && nodeOf(username) !== undefined
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
