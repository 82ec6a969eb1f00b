import type { Release } from "../../release/mod.ts";
import type { JsonObject } from "../../../values/mod.ts";

/** A user, as reviews show one. */
export interface ReviewedUser {
  readonly username: string;
  readonly uid?: string | undefined;
  readonly groups: readonly string[];
  readonly extra?: Readonly<Record<string, readonly string[]>> | undefined;
}

/** The access that a review asks about. */
export interface ReviewedAccess {
  readonly verb: string;
  readonly path?: string;
  readonly group: string;
  readonly resource: string;
  readonly subresource: string;
  readonly namespace: string;
  readonly name: string;
}

/** The view that a review has of a request and of the server. */
export interface ReviewView {
  /** The user of the request. */
  readonly user: ReviewedUser;
  /** The release of Kubernetes. */
  readonly release: Release;
  /** The current time, in the format of object metadata. */
  readonly now: string;
  /** Decides whether a user has some access. */
  decide(
    user: ReviewedUser,
    access: ReviewedAccess,
  ): { readonly allowed: boolean; readonly reason: string };
  /** Returns the rules that apply to the user in a namespace, and the errors of incomplete rules. */
  rules(namespace: string): { readonly rules: readonly JsonObject[]; readonly error: string };
  /** Reports whether a text is a selector of labels or of fields. */
  readonly isSelector: Readonly<
    Record<"labelSelector" | "fieldSelector", (text: string) => boolean>
  >;
  /**
   * Returns the user of a token and the matching audiences, or the reason for rejection.
   *
   * @param audiences Default: the API server.
   */
  authenticate(
    token: string,
    audiences: readonly string[] | undefined,
  ):
    | { readonly user: ReviewedUser; readonly audiences: readonly string[] }
    | { readonly error: string };
}

/** The answer of a kind whose objects are not stored. */
export interface Review {
  /** Whether the answer has managed fields. */
  readonly hasOwners: boolean;
  /**
   * Returns a review with its answer.
   *
   * @throws {ApiError} 400 or 422, if the review cannot be answered.
   */
  readonly answer: (review: JsonObject, view: ReviewView) => JsonObject;
}

/** Returns a user as JSON. */
export function userInfo({ username, uid, groups, extra }: ReviewedUser): JsonObject {
  return {
    username,
    ...(uid === undefined ? {} : { uid }),
    groups: [...groups],
    ...(extra === undefined ? {} : { extra: extra as unknown as JsonObject }),
  };
}
