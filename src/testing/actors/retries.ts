import {
  ItemExponentialFailureRateLimiter,
  type RateLimiter,
} from "@kubeloop/controller/workqueue";

/** The first retry comes at once, to the eye. */
const FIRST_MS = 5;
/** A cluster that was broken on purpose is to work again soon after it was mended. */
const LAST_MS = 5000;

/** How actors retry: for ever, and never more than some seconds apart. */
export function actorRetries(): { maxRetries: number; rateLimiter: RateLimiter<string> } {
  return {
    maxRetries: Infinity,
    rateLimiter: new ItemExponentialFailureRateLimiter<string>(FIRST_MS, LAST_MS),
  };
}
