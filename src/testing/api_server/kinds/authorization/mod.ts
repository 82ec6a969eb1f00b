/**
 * Access reviews, which are answered and not stored.
 *
 * @module
 */

export {
  LOCAL_SUBJECT_ACCESS_REVIEW,
  SELF_SUBJECT_ACCESS_REVIEW,
  SELF_SUBJECT_RULES_REVIEW,
  SUBJECT_ACCESS_REVIEW,
} from "./access_reviews.ts";
