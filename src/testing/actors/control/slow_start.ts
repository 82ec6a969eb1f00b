/**
 * Calls `act` `count` times, in batches of 1, 2, 4 … calls at the same time, and stops after the first batch with a
 * failure: if each call fails in the same way, the server is not flooded with them.
 *
 * @returns The number of calls that succeeded, and the first error.
 */
export async function slowStart(
  count: number,
  act: (index: number) => Promise<void>,
): Promise<{ readonly succeeded: number; readonly error?: unknown }> {
  let succeeded = 0;
  for (let batch = 1; succeeded < count; batch *= 2) {
    const size = Math.min(batch, count - succeeded);
    const first = succeeded;
    const results = await Promise.allSettled(
      Array.from({ length: size }, (_, index) => act(first + index)),
    );
    const failed = results.filter((result) => result.status === "rejected");
    succeeded += size - failed.length;
    if (failed[0] !== undefined) return { succeeded, error: failed[0].reason };
  }
  return { succeeded };
}
