import {
  badRequest,
  getArray,
  getObject,
  getString,
  type JsonObject,
} from "../../../values/mod.ts";
import { defineKind, type KindRecord, type ReviewView, userInfo } from "../record/mod.ts";

/** TokenReviews, which are answered with the user of a token. */
export const TOKEN_REVIEW: KindRecord = defineKind(
  "authentication.k8s.io/v1",
  "tokenreviews",
  "TokenReview",
  {
    namespaced: false,
    verbs: ["create"],
    review: {
      hasOwners: true,
      answer: (review, view) => ({ ...review, status: statusOf(review, view) }),
    },
  },
);

function statusOf(review: JsonObject, view: ReviewView): JsonObject {
  const token = getString(review, "spec", "token");
  if (token === "") throw badRequest("token is required for TokenReview in authentication");
  const audiences = getArray(review, "spec", "audiences").map(String);
  const answer = view.authenticate(token, audiences.length === 0 ? undefined : audiences);
  const given = getObject(review, "status");
  if ("error" in answer) {
    const { authenticated: _, ...rest } = given;
    return { user: {}, ...rest, error: answer.error };
  }
  return {
    ...given,
    authenticated: true,
    user: userInfo(answer.user),
    audiences: [...answer.audiences],
  };
}

/** SelfSubjectReviews: who the caller is. */
export const SELF_SUBJECT_REVIEW: KindRecord = defineKind(
  "authentication.k8s.io/v1",
  "selfsubjectreviews",
  "SelfSubjectReview",
  {
    namespaced: false,
    verbs: ["create"],
    review: {
      hasOwners: false,
      answer: (review, { now, user }) => ({
        ...review,
        metadata: { creationTimestamp: now },
        status: { userInfo: userInfo(user) },
      }),
    },
  },
);
