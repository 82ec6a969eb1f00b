/** A key that requeues itself more often than this within a second, without any event, is considered a hot loop. */
const MAX_PER_SECOND = 300;
const WINDOW_MS = 1_000;

/** How often a key requeued itself since `sinceMs`. */
interface Loop {
  sinceMs: number;
  count: number;
  isHot: boolean;
}

/**
 * Detects keys that requeue themselves again and again although their objects have not changed, and slows them down to
 * one reconcile per second until the next event.
 */
export class HotLoopGuard {
  readonly #loops = new Map<string, Loop>();

  /** Resets the count of a key, whose next reconcile will have a cause: an event, or a delay of a second or more. */
  reset(key: string): void {
    if (this.#loops.size > 0) this.#loops.delete(key);
  }

  /**
   * Counts a key that requeues itself.
   *
   * @param key The key.
   * @param delayMs The requested delay, in milliseconds.
   * @param nowMs The current time, in milliseconds.
   * @returns The delay to use, and whether the key has just been found to be a hot loop.
   */
  again(
    key: string,
    delayMs: number,
    nowMs: number,
  ): { readonly delayMs: number; readonly isNewLoop: boolean } {
    if (delayMs >= WINDOW_MS) {
      this.reset(key);
      return { delayMs, isNewLoop: false };
    }
    const loop = this.#loops.get(key) ?? { sinceMs: nowMs, count: 0, isHot: false };
    this.#loops.set(key, loop);
    if (nowMs - loop.sinceMs >= WINDOW_MS) {
      loop.sinceMs = nowMs;
      loop.count = 0;
    }
    loop.count++;
    const isNewLoop = !loop.isHot && loop.count > MAX_PER_SECOND;
    loop.isHot ||= isNewLoop;
    return { delayMs: loop.isHot ? WINDOW_MS : delayMs, isNewLoop };
  }
}
