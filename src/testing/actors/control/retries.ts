import {
  ItemExponentialFailureRateLimiter,
  type RateLimiter,
} from "@kubeloop/controller/workqueue";

/** The first retry seems immediate to a person who watches. */
const FIRST_MS = 5;
/** A short limit, so that a cluster recovers soon after a test removes an injected fault. */
const LAST_MS = 5000;

/** Returns the retry options of actors: exponential back-off from 5 ms to 5 s, without a limit on retries. */
export function actorRetries(): { maxRetries: number; rateLimiter: RateLimiter<string> } {
  return {
    maxRetries: Infinity,
    rateLimiter: new ItemExponentialFailureRateLimiter<string>(FIRST_MS, LAST_MS),
  };
}
