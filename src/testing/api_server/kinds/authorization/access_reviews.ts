import { defineKind, type KindRecord, type Review, type ReviewView } from "../record/mod.ts";
import { accessReview } from "./access_review.ts";
import { badRequest, getArray, getOwn, getString, type JsonObject } from "../../../values/mod.ts";

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

/** Returns the answer to a review of all that the caller may do in a namespace. */
export function rulesReview(): Review {
  return {
    hasOwners: false,
    answer: (review, view) => ({
      ...review,
      metadata: {},
      spec: {},
      status: statusOf(review, view),
    }),
  };
}

function statusOf(review: JsonObject, view: ReviewView): JsonObject {
  const namespace = getString(review, "spec", "namespace");
  if (namespace === "") throw badRequest("no namespace on request");
  const { rules, error } = view.rules(namespace);
  const having = (name: string) => rules.filter((rule) => getArray(rule, name).length > 0);
  return {
    resourceRules: having("resources").map(({ nonResourceURLs: _, ...rule }) => rule),
    nonResourceRules: having("nonResourceURLs").map((rule) => ({
      verbs: getOwn(rule, "verbs"),
      nonResourceURLs: getOwn(rule, "nonResourceURLs"),
    })),
    incomplete: false,
    ...(error === "" ? {} : { evaluationError: error }),
  };
}
