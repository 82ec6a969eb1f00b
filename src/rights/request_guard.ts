import { type Clock, describeError, type Logger, LruMap, PacedLogger } from "../base/mod.ts";
import type { Client } from "../client/mod.ts";
import { TokenReviews, type UserInfo } from "../kinds/authentication/v1.ts";
import { SubjectAccessReviews } from "../kinds/authorization/v1.ts";
import type { Right } from "./right.ts";

/** How long an answer is kept, in milliseconds. A revoked right or token is accepted for that long. */
const ALLOWED_MS = 60_000;
const DENIED_MS = 10_000;
/** Maximum number of kept answers. */
const MAX_ANSWERS = 1_000;
/** Maximum number of reviews at the same time. */
const MAX_REVIEWS = 16;
/** Time limit of the requests of a review, in milliseconds. */
const REVIEW_MS = 10_000;
/** Longer tokens are refused, in characters. A token of a ServiceAccount has about 1,000. */
const MAX_TOKEN_LENGTH = 16_384;
const BEARER = /^Bearer +([A-Za-z0-9._~+/-]+=*)$/i;

type Verdict = "allowed" | "unauthenticated" | "forbidden";

interface Answer {
  readonly verdict: Verdict;
  readonly untilMs: number;
}

/**
 * Options of {@linkcode RequestGuard}.
 *
 * @internal
 */
export interface RequestGuardOptions {
  /** Makes the reviews. It needs {@linkcode RequestGuard.rights}. */
  readonly client: Client;
  /** Measures how long answers are kept. */
  readonly clock: Clock;
  /** Receives a line for each review that fails. */
  readonly logger: Logger;
}

/**
 * Admits HTTP requests by their bearer token: the API server authenticates it with a TokenReview, and decides with a
 * SubjectAccessReview whether its user may use the method on the path, as a rule with `nonResourceURLs` grants. This is what
 * kubebuilder's `filters.WithAuthenticationAndAuthorization` does. Answers are kept for a short time, by a hash of the token.
 *
 * @internal
 */
export class RequestGuard {
  /** The rights that the reviews need. */
  static readonly rights: readonly Right[] = [
    { resource: TokenReviews, verbs: ["create"] },
    { resource: SubjectAccessReviews, verbs: ["create"] },
  ];

  readonly #client: Client;
  readonly #clock: Clock;
  readonly #logger: PacedLogger;
  readonly #answers = new LruMap<string, Answer>(MAX_ANSWERS);
  readonly #reviews = new Map<string, Promise<Verdict>>();

  constructor({ client, clock, logger }: RequestGuardOptions) {
    this.#client = client;
    this.#clock = clock;
    this.#logger = new PacedLogger(logger, clock);
  }

  /** Returns the response to a request that is not admitted; undefined if it is. */
  async refuse(request: Request): Promise<Response | undefined> {
    const [, token] = BEARER.exec(request.headers.get("authorization") ?? "") ?? [];
    if (token === undefined || token.length > MAX_TOKEN_LENGTH) return unauthenticated();
    const path = new URL(request.url).pathname;
    const verb = request.method.toLowerCase();
    try {
      switch (await this.#verdictOf(token, verb, path)) {
        case "allowed":
          return undefined;
        case "unauthenticated":
          return unauthenticated();
        case "forbidden":
          return refusal(403, `The user of the token may not ${verb} ${path}`);
        case undefined:
          return refusal(503, "Too many requests are being checked", { "retry-after": "1" });
      }
    } catch (error) {
      this.#logger.error(
        `The rights of a request of ${path} were not checked: ${describeError(error)}`,
      );
      return refusal(503, "The rights of the request cannot be checked", { "retry-after": "5" });
    }
  }

  /** Returns the verdict on a request; undefined if there are too many reviews. */
  async #verdictOf(token: string, verb: string, path: string): Promise<Verdict | undefined> {
    const key = JSON.stringify([await digestOf(token), verb, path]);
    const known = this.#answers.get(key);
    if (known !== undefined && known.untilMs > this.#clock.now()) return known.verdict;
    const running = this.#reviews.get(key);
    if (running !== undefined) return await running;
    if (this.#reviews.size >= MAX_REVIEWS) return undefined;
    const review = this.#review(token, verb, path);
    this.#reviews.set(key, review);
    try {
      const verdict = await review;
      const keptMs = verdict === "allowed" ? ALLOWED_MS : DENIED_MS;
      this.#answers.set(key, { verdict, untilMs: this.#clock.now() + keptMs });
      return verdict;
    } finally {
      this.#reviews.delete(key);
    }
  }

  async #review(token: string, verb: string, path: string): Promise<Verdict> {
    const call = { timeoutMs: REVIEW_MS };
    const { status = {} } = await this.#client.create(
      TokenReviews,
      { metadata: {}, spec: { token } },
      call,
    );
    const user: UserInfo | undefined = status.user;
    if (status.authenticated !== true || !user?.username) return "unauthenticated";
    const { extra, groups, uid, username } = user;
    const review = await this.#client.create(SubjectAccessReviews, {
      metadata: {},
      spec: {
        user: username,
        ...(uid !== undefined && { uid }),
        ...(groups !== undefined && { groups }),
        ...(extra !== undefined && { extra }),
        nonResourceAttributes: { path, verb },
      },
    }, call);
    return review.status?.allowed === true ? "allowed" : "forbidden";
  }
}

/** Returns a hash of a token, so that no token stays in memory. */
async function digestOf(token: string): Promise<string> {
  const bytes = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(token));
  return Array.from(new Uint8Array(bytes), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

function unauthenticated(): Response {
  return refusal(401, "A bearer token of the cluster is needed", { "www-authenticate": "Bearer" });
}

function refusal(status: number, text: string, headers: Record<string, string> = {}): Response {
  return new Response(`${text}\n`, {
    status,
    headers: {
      "content-type": "text/plain; charset=utf-8",
      "cache-control": "no-store",
      ...headers,
    },
  });
}
