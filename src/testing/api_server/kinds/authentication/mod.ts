/**
 * TokenReviews and SelfSubjectReviews, which are answered and not stored.
 *
 * @module
 */

export { SELF_SUBJECT_REVIEW, TOKEN_REVIEW } from "./reviews.ts";
