import { failure } from "../values/mod.ts";

/** The user that makes a request. */
export interface UserInfo {
  /** The name of the user. */
  readonly username: string;
  /** The UID of the user. */
  readonly uid?: string | undefined;
  /** The groups of the user. */
  readonly groups: readonly string[];
  /** The extra values of the user, by key. */
  readonly extra?: Readonly<Record<string, readonly string[]>> | undefined;
}

/** The user that a bearer token authenticates. */
export interface TokenUser {
  /** The name of the user. */
  readonly user: string;
  /** The UID of the user. */
  readonly uid?: string | undefined;
  /** The groups of the user, apart from `system:authenticated`. Members of `system:masters` may do everything. */
  readonly groups?: readonly string[] | undefined;
}

/** The user of every request on a server without tokens. */
const ADMIN: UserInfo = {
  username: "kubernetes-admin",
  groups: ["system:masters", "system:authenticated"],
};

const ANONYMOUS: UserInfo = { username: "system:anonymous", groups: ["system:unauthenticated"] };

/** Authenticates requests by bearer tokens. */
export class Authenticator {
  readonly #users: ReadonlyMap<string, UserInfo> | undefined;

  /** Creates an authenticator for `tokens`. Without tokens, every request is made by an administrator. */
  constructor(tokens: Readonly<Record<string, TokenUser>> | undefined) {
    if (tokens === undefined) return;
    this.#users = new Map(
      Object.entries(tokens).map(([token, { user, uid, groups = [] }]) => [
        token,
        { username: user, uid, groups: [...groups, "system:authenticated"] },
      ]),
    );
  }

  /**
   * Returns the user of the request; a request without a token is anonymous.
   *
   * @throws {ApiError} 401, if the token is unknown.
   */
  authenticate(headers: Headers): UserInfo {
    if (this.#users === undefined) return ADMIN;
    const token = bearerToken(headers.get("authorization"));
    if (token === "") return ANONYMOUS;
    const user = this.userOf(token);
    if (user === undefined) throw failure(401, "Unauthorized", { reason: "Unauthorized" });
    return user;
  }

  /** Returns the user that a token authenticates; undefined for an unknown token. */
  userOf(token: string): UserInfo | undefined {
    return this.#users === undefined ? ADMIN : this.#users.get(token);
  }
}

/** Returns the token of an Authorization header. As in the API server, other schemes are ignored. */
function bearerToken(header: string | null): string {
  const match = /^bearer\s+(\S+)\s*$/i.exec(header ?? "");
  return match?.[1] ?? "";
}
