import { defineKind } from "../define_kind.ts";
import type { KindRecord } from "../kind_record.ts";

function review(plural: string, kind: string, namespaced = false): KindRecord {
  const options = { namespaced, verbs: ["create"] };
  return defineKind("authorization.k8s.io/v1", plural, kind, options);
}

/** LocalSubjectAccessReviews. */
export const LOCAL_SUBJECT_ACCESS_REVIEW: KindRecord = review(
  "localsubjectaccessreviews",
  "LocalSubjectAccessReview",
  true,
);

/** SelfSubjectAccessReviews. */
export const SELF_SUBJECT_ACCESS_REVIEW: KindRecord = review(
  "selfsubjectaccessreviews",
  "SelfSubjectAccessReview",
);

/** SelfSubjectRulesReviews. */
export const SELF_SUBJECT_RULES_REVIEW: KindRecord = review(
  "selfsubjectrulesreviews",
  "SelfSubjectRulesReview",
);

/** SubjectAccessReviews. */
export const SUBJECT_ACCESS_REVIEW: KindRecord = review(
  "subjectaccessreviews",
  "SubjectAccessReview",
);
