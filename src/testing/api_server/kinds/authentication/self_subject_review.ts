import { defineKind, type KindRecord, userInfo } from "../record/mod.ts";

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
