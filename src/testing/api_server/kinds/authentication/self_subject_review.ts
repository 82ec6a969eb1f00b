import { defineKind } from "../define_kind.ts";
import type { KindRecord } from "../kind_record.ts";

/** SelfSubjectReviews. */
export const SELF_SUBJECT_REVIEW: KindRecord = defineKind(
  "authentication.k8s.io/v1",
  "selfsubjectreviews",
  "SelfSubjectReview",
  { namespaced: false, verbs: ["create"] },
);
