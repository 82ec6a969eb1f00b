import { defineKind } from "../define_kind.ts";
import type { KindRecord } from "../kind_record.ts";

/** TokenReviews. */
export const TOKEN_REVIEW: KindRecord = defineKind(
  "authentication.k8s.io/v1",
  "tokenreviews",
  "TokenReview",
  { namespaced: false, verbs: ["create"] },
);
