import { defineKind, type KindRecord, type Review } from "../record/mod.ts";
import { accessReview } from "./access_review.ts";
import { rulesReview } from "./rules_review.ts";

function define(plural: string, kind: string, review: Review, namespaced = false): KindRecord {
  const options = { namespaced, verbs: ["create"], review };
  return defineKind("authorization.k8s.io/v1", plural, kind, options);
}

/** LocalSubjectAccessReviews. */
export const LOCAL_SUBJECT_ACCESS_REVIEW: KindRecord = define(
  "localsubjectaccessreviews",
  "LocalSubjectAccessReview",
  accessReview({ namesUser: true, isLocal: true }),
  true,
);

/** SelfSubjectAccessReviews. */
export const SELF_SUBJECT_ACCESS_REVIEW: KindRecord = define(
  "selfsubjectaccessreviews",
  "SelfSubjectAccessReview",
  accessReview({ namesUser: false, isLocal: false }),
);

/** SelfSubjectRulesReviews. */
export const SELF_SUBJECT_RULES_REVIEW: KindRecord = define(
  "selfsubjectrulesreviews",
  "SelfSubjectRulesReview",
  rulesReview(),
);

/** SubjectAccessReviews. */
export const SUBJECT_ACCESS_REVIEW: KindRecord = define(
  "subjectaccessreviews",
  "SubjectAccessReview",
  accessReview({ namesUser: true, isLocal: false }),
);
