/**
 * TokenReviews and SelfSubjectReviews, which are answered and not stored.
 *
 * @module
 */

export { SELF_SUBJECT_REVIEW } from "./self_subject_review.ts";
export { TOKEN_REVIEW } from "./token_review.ts";
