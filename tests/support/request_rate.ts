/**
 * Returns the largest number of requests that were made within any ten seconds.
 *
 * @param times The times of the requests in order, in milliseconds.
 */
export function mostInTenSeconds(times: readonly number[]): number {
  let most = 0;
  for (let first = 0, last = 0; last < times.length; last++) {
    while ((times[last] ?? 0) - (times[first] ?? 0) > 10_000) first++;
    most = Math.max(most, last - first + 1);
  }
  return most;
}
