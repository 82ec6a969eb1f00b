import { badRequest, getArray, getOwn, getString, type JsonObject } from "../../../values/mod.ts";
import type { Review, ReviewView } from "../record/mod.ts";

/** Returns the answer to a review of all that the caller may do in a namespace. */
export function rulesReview(): Review {
  return {
    hasOwners: false,
    answer: (review, view) => ({ ...review, spec: {}, status: statusOf(review, view) }),
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
