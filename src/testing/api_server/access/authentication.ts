import { failure } from "../values/mod.ts";

/** Who asks. */
export interface UserInfo {
  /** The user's name. */
  readonly username: string;
  /** The user's uid. */
  readonly uid?: string | undefined;
  /** The groups the user is in. */
  readonly groups: readonly string[];
}

/** Whom a bearer token stands for. */
export interface TokenUser {
  /** The user's name. */
  readonly user: string;
  /** The user's uid. */
  readonly uid?: string;
  /** The groups the user is in, apart from `system:authenticated`; `system:masters` may do everything. */
  readonly groups?: readonly string[];
}

/** Who everyone is on a server without tokens. */
const ADMIN: UserInfo = {
  username: "kubernetes-admin",
  groups: ["system:masters", "system:authenticated"],
};

const ANONYMOUS: UserInfo = { username: "system:anonymous", groups: ["system:unauthenticated"] };

/** Finds out who asks, from bearer tokens. */
export class Authenticator {
  readonly #users: ReadonlyMap<string, UserInfo> | undefined;

  /** Knows `tokens`; undefined lets everyone in as administrator. */
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
   * The user that the request comes from; anonymous without a token.
   *
   * @throws {ApiError} 401, when the token is not known.
   */
  authenticate(headers: Headers): UserInfo {
    if (this.#users === undefined) return ADMIN;
    const token = bearerToken(headers.get("authorization"));
    if (token === "") return ANONYMOUS;
    const user = this.#users.get(token);
    if (user === undefined) throw failure(401, "Unauthorized", { reason: "Unauthorized" });
    return user;
  }
}

/** The token of an Authorization header; other schemes are ignored, as the API server does. */
function bearerToken(header: string | null): string {
  const match = /^bearer\s+(\S+)\s*$/i.exec(header ?? "");
  return match?.[1] ?? "";
}
