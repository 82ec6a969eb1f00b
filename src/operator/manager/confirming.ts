import { type Clock, delay, describeError } from "../../base/mod.ts";
import {
  isTooManyRequests,
  type KubeObject,
  type ListerWatcher,
  type ListerWatcherCall,
  type ObjectReader,
} from "../../types/mod.ts";

/** The delays of the first request to a new kind whose storage is not ready, in milliseconds. */
const STORAGE_DELAYS_MS = [50, 100, 200, 400];

/**
 * Returns a lister-watcher that calls `confirm` before each request but the first, so that a kind that is gone is not asked
 * for. The first request is repeated soon while the server prepares the storage of a new kind.
 */
export function confirming<T extends KubeObject>(
  direct: ListerWatcher<T>,
  { clock, confirm }: {
    readonly clock: Clock;
    readonly confirm: (signal: AbortSignal | undefined) => Promise<void>;
  },
): ListerWatcher<T> {
  let isNew = true;
  const pass = async <A>({ signal }: ListerWatcherCall, request: () => A): Promise<Awaited<A>> => {
    if (!isNew) {
      await confirm(signal);
      return await request();
    }
    isNew = false;
    for (const delayMs of STORAGE_DELAYS_MS) {
      try {
        return await request();
      } catch (error) {
        if (!isPreparing(error)) throw error;
        await delay(delayMs, { clock, signal });
      }
    }
    return await request();
  };
  const through = <R extends KubeObject>(one: ListerWatcher<R>): ListerWatcher<R> => ({
    environment: one.environment,
    isWatchListSemanticsUnsupported: one.isWatchListSemanticsUnsupported,
    list: (options, call) =>
      options.continue === undefined
        ? pass(call, () => one.list(options, call))
        : one.list(options, call),
    watch: (options, call) => pass(call, () => one.watch(options, call)),
    ...(one.readBy && {
      readBy: <Q extends KubeObject>(reader: ObjectReader<Q>) => through(one.readBy!(reader)),
    }),
  });
  return through(direct);
}

/** Reports whether a server has asked to wait for a second because it prepares the storage of a kind, which takes less. */
function isPreparing(error: unknown): boolean {
  return isTooManyRequests(error) && describeError(error).includes("(re)initializing");
}
