/** More reconciles of one key than this within a second, without any event, are taken for a loop. */
const MAX_PER_SECOND = 300;
const WINDOW_MS = 1_000;

/** How often a key came back by itself. */
interface Loop {
  sinceMs: number;
  count: number;
  isHot: boolean;
}

/**
 * Finds keys that come back again and again although nothing has happened to their objects, and slows them down to one
 * reconcile a second until the next event.
 */
export class HotLoopGuard {
  readonly #loops = new Map<string, Loop>();

  /** Notes an event of the key's object: whatever its reconcile does now has a cause. */
  event(key: string): void {
    if (this.#loops.size > 0) this.#loops.delete(key);
  }

  /**
   * Notes that a key comes back by itself.
   *
   * @param key The key.
   * @param delayMs When it wants to come back, in milliseconds from now.
   * @param nowMs The time.
   * @returns When it may come back, and whether it has just been found to loop.
   */
  again(
    key: string,
    delayMs: number,
    nowMs: number,
  ): { readonly delayMs: number; readonly isNewLoop: boolean } {
    if (delayMs >= WINDOW_MS) {
      this.event(key);
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
