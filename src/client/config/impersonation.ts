import { showText } from "./shown.ts";

/**
 * The user to impersonate. The API server allows this only to clients with the right to `impersonate`.
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
  /** The UID of the user. */
  readonly uid?: string | undefined;
  /** The groups of the user. */
  readonly groups?: readonly string[] | undefined;
  /** The extra fields of the user, which an authenticator would add: lists of values by key. */
  readonly extra?: Readonly<Record<string, readonly string[]>> | undefined;
}

/** A header line. Several lines may have the same name. */
export type HeaderLine = readonly [name: string, value: string];

/** Returns the header lines of `impersonation`, as client-go writes them. */
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
 * Checks the parts of `impersonation` that can be checked without a server.
 *
 * @throws {TypeError} If the user is missing, or a header cannot contain one of the values.
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
    for (const value of list) values.push([`extra ${showText(key)}`, value]);
  }
  for (const [field, value] of values) {
    if (value !== undefined && /[\0\r\n]/.test(value)) {
      throw new TypeError(
        `Impersonated ${field} contains a line break or NUL: a header cannot carry it`,
      );
    }
  }
}

/**
 * Returns the UTF-8 bytes of `text`, one character per byte, as `fetch` takes them. Go writes header values as UTF-8.
 */
function byteString(text: string): string {
  return String.fromCharCode(...new TextEncoder().encode(text));
}

/** Lowercases `key`, and percent-encodes the bytes that a header name cannot contain and the percent sign. */
function escapeKey(key: string): string {
  const bytes = byteString(key.toLowerCase());
  return bytes.replace(
    /[^!#$&'*+\-.^_`|~0-9a-z]/g,
    (byte) => `%${byte.charCodeAt(0).toString(16).toUpperCase().padStart(2, "0")}`,
  );
}
