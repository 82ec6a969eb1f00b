import { type AccountTokens, ISSUER, type TokenAnswer } from "./account_tokens.ts";
import type { UserInfo } from "./user_info.ts";
import { failure } from "../../values/mod.ts";

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

/** The error of a token that no authenticator knows. A real server lists it before that of a service account's token. */
const UNKNOWN = "invalid bearer token";

/** Authenticates requests by bearer tokens. */
export class Authenticator {
  readonly #accounts: AccountTokens;
  readonly #users: ReadonlyMap<string, UserInfo> | undefined;

  /**
   * Creates an authenticator for `tokens` and for the tokens of service accounts. Without `tokens`, every other request
   * acts as an administrator.
   */
  constructor(tokens: Readonly<Record<string, TokenUser>> | undefined, accounts: AccountTokens) {
    this.#accounts = accounts;
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
    const token = bearerToken(headers.get("authorization"));
    if (token === "") return this.#users === undefined ? ADMIN : ANONYMOUS;
    const answer = this.review(token);
    if ("user" in answer) return answer.user;
    throw failure(401, "Unauthorized", { reason: "Unauthorized" });
  }

  /**
   * Authenticates a token for one of the audiences.
   *
   * @param audiences Default: the API server.
   */
  review(token: string, audiences: readonly string[] = [ISSUER]): TokenAnswer {
    // A real server authenticates a request with the token in its header, where blanks are dropped.
    if (token.trim() === "" && this.#users !== undefined) {
      return { user: ANONYMOUS, audiences: [ISSUER] };
    }
    const user = this.#users?.get(token);
    if (user === undefined) {
      const answer = this.#accounts.authenticate(token, audiences);
      if (answer !== undefined && "user" in answer) return answer;
      if (answer !== undefined) return { error: `[${UNKNOWN}, ${answer.error}]` };
    }
    const found = this.#users === undefined ? ADMIN : user;
    return found === undefined || !audiences.includes(ISSUER)
      ? { error: UNKNOWN }
      : { user: found, audiences: [ISSUER] };
  }
}

/** Returns the token of an Authorization header. As in the API server, other schemes are ignored. */
function bearerToken(header: string | null): string {
  const match = /^bearer\s+(\S+)\s*$/i.exec(header ?? "");
  return match?.[1] ?? "";
}
