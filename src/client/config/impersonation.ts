/**
 * Whom to act as, which the API server allows those who have the right to `impersonate`.
 *
 * @example
 * ```ts
 * import { Client } from "@kubeloop/controller/client";
 * import { Pods } from "@kubeloop/controller/types";
 * import { assertEquals } from "@std/assert";
 *
 * const seen: (string | null)[] = [];
 * await using client = new Client({
 *   fetch: (request) => {
 *     seen.push(request.headers.get("impersonate-user"), request.headers.get("impersonate-group"));
 *     return Promise.resolve(Response.json({ metadata: { name: "web" } }));
 *   },
 *   impersonate: { user: "jane", groups: ["developers", "admins"] },
 * });
 * await client.get(Pods, "web", { namespace: "default" });
 * assertEquals(seen, ["jane", "developers, admins"]);
 * ```
 */
export interface Impersonation {
  /** The name of the user. */
  readonly user: string;
  /** The user's UID. */
  readonly uid?: string | undefined;
  /** The user's groups. */
  readonly groups?: readonly string[] | undefined;
  /** What an authenticator would have added: lists of values by key. */
  readonly extra?: Readonly<Record<string, readonly string[]>> | undefined;
}

/** One header line; several may have the same name. */
export type HeaderLine = readonly [name: string, value: string];

/** The header lines that ask for `impersonation`, as client-go writes them. */
export function impersonationHeaders(impersonation: Impersonation | undefined): HeaderLine[] {
  if (impersonation === undefined) return [];
  const { user, uid, groups = [], extra = {} } = impersonation;
  const lines: HeaderLine[] = [["Impersonate-User", byteString(user)]];
  if (uid) lines.push(["Impersonate-Uid", byteString(uid)]);
  for (const group of groups) lines.push(["Impersonate-Group", byteString(group)]);
  for (const [key, values] of Object.entries(extra)) {
    const name = `Impersonate-Extra-${escapeKey(key)}`;
    for (const value of values) lines.push([name, byteString(value)]);
  }
  return lines;
}

/**
 * Checks what can be checked before the server does.
 *
 * @throws {TypeError} When there is no user to impersonate, or a value that a header cannot carry.
 */
export function requireImpersonation(impersonation: Impersonation | undefined): void {
  if (impersonation === undefined) return;
  const { user, uid, groups = [], extra = {} } = impersonation;
  if (!user) {
    throw new TypeError(
      "Impersonation without a user: give impersonate.user too, the server takes uid, groups and extra only with it",
    );
  }
  const values: [string, string | undefined][] = [["user", user], ["uid", uid]];
  for (const group of groups) values.push(["groups", group]);
  for (const [key, list] of Object.entries(extra)) {
    for (const value of list) values.push([`extra ${JSON.stringify(key)}`, value]);
  }
  for (const [field, value] of values) {
    if (value !== undefined && /[\0\r\n]/.test(value)) {
      throw new TypeError(`Impersonated ${field} holds a line break: a header cannot carry it`);
    }
  }
}

/** Go writes header values as UTF-8; `fetch` takes one character per byte. */
function byteString(text: string): string {
  return String.fromCharCode(...new TextEncoder().encode(text));
}

/** Percent-encodes what a header's name cannot hold, and the percent sign itself. */
function escapeKey(key: string): string {
  const bytes = byteString(key.toLowerCase());
  return bytes.replace(
    /[^!#$&'*+\-.^_`|~0-9a-z]/g,
    (byte) => `%${byte.charCodeAt(0).toString(16).toUpperCase().padStart(2, "0")}`,
  );
}
