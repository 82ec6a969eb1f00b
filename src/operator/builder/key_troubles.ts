import {
  type Clock,
  describeError,
  LruMap,
  oneLine,
  type Redact,
  visibleText,
} from "../../base/mod.ts";
import { type Item, keyOf, valueOfItem } from "../../cache/mod.ts";
import type { EndedRequest } from "../../client/mod.ts";
import { isMissingRight, type KubeObject } from "../../types/mod.ts";
import type { KeyTrouble } from "../stories/mod.ts";
import type { ItemChange } from "./change.ts";

/** The number of failures in a row from which a key is listed: a single conflict is normal. */
const MANY_FAILURES = 3;
/** The time after which a finalizer of an object that is being deleted counts as stuck, in milliseconds. */
const STUCK_MS = 60_000;
/** How long a refusal and a timeout are listed, in milliseconds. */
const LISTED_MS = 600_000;
/** The maximum number of refused requests and of timeouts that are kept. */
const MAX_KEPT = 50;
const MAX_ERROR_LENGTH = 300;
const FINALIZERS: readonly string[] = ["metadata", "finalizers"];

/** The failures of a key in a row. */
interface Failures {
  count: number;
  isGivenUp: boolean;
  error: string;
  readonly sinceMs: number;
}

/** Options of {@linkcode KeyTroubles}. */
export interface KeyTroublesOptions {
  readonly clock: Clock;
  readonly redact: Redact;
  /** The finalizers of the controller. */
  readonly finalizers: ReadonlySet<string>;
}

/**
 * The failures, timeouts and refusals of the keys of a controller, for the page of `Manager.see`. An event costs little; the list is made
 * only when it is read. There is one entry for each failing key, as in the rate limiter, and one for each object that waits
 * for a finalizer of the controller.
 */
export class KeyTroubles {
  readonly #options: KeyTroublesOptions;
  readonly #failures = new Map<string, Failures>();
  /** The objects that are being deleted and have a finalizer of the controller: the time of their deletion. */
  readonly #deleting = new Map<string, number>();
  readonly #timeouts = new LruMap<string, { missing: readonly string[]; sinceMs: number }>(
    MAX_KEPT,
  );
  /** The refused requests, by method and error. */
  readonly #refusals = new LruMap<string, Extract<KeyTrouble, { kind: "right_missing" }>>(
    MAX_KEPT,
  );

  constructor(options: KeyTroublesOptions) {
    this.#options = options;
  }

  /** The number of keys that failed and will be retried. */
  get failing(): number {
    let count = 0;
    for (const { isGivenUp } of this.#failures.values()) if (!isGivenUp) count++;
    return count;
  }

  /** Records a failed reconcile. */
  failed(key: string, error: unknown, isGivenUp: boolean): void {
    const text = this.#line(error);
    const known = this.#failures.get(key);
    if (known === undefined) {
      const sinceMs = this.#options.clock.wallNow();
      this.#failures.set(key, { count: 1, isGivenUp, error: text, sinceMs });
    } else {
      known.count++;
      known.isGivenUp = isGivenUp;
      known.error = text;
    }
  }

  /** Records that a key has succeeded, is paused, or is gone. */
  settled(key: string): void {
    if (this.#failures.size > 0) this.#failures.delete(key);
  }

  /** Records that the caches did not show the writes of a key in time. */
  timedOut(key: string, missing: readonly string[]): void {
    const shown = missing.slice(0, 3).map((one) => visibleText(one, MAX_ERROR_LENGTH));
    this.#timeouts.set(key, { missing: shown, sinceMs: this.#options.clock.wallNow() });
  }

  /** Records a request of a reconcile that the server has refused. */
  requested(key: string, { error, method, path, status }: EndedRequest): void {
    if (status !== 403 || !isMissingRight(error)) return;
    const text = this.#line(error);
    const sinceMs = this.#options.clock.wallNow();
    const request = visibleText(`${method} ${path}`, MAX_ERROR_LENGTH);
    this.#refusals.set(`${method} ${path.split("/").length} ${text.slice(0, 80)}`, {
      kind: "right_missing",
      key,
      request,
      error: text,
      sinceMs,
    });
  }

  /** Follows the deletions of objects. */
  changed({ item, type }: Pick<ItemChange, "item" | "type">): void {
    if (type === "deleted" || type === "left") {
      const key = keyOf(item);
      this.settled(key);
      if (this.#deleting.size > 0) this.#deleting.delete(key);
      return;
    }
    if (this.#options.finalizers.size === 0) return;
    const { deletionTimestamp } = item.metadata;
    if (deletionTimestamp !== undefined) {
      this.#deleting.set(keyOf(item), Date.parse(String(deletionTimestamp)));
    } else if (this.#deleting.size > 0) {
      // The former object of this name was deleted while the watch was interrupted.
      this.#deleting.delete(keyOf(item));
    }
  }

  /**
   * Returns the troubles, the ones of the longest standing first.
   *
   * @param itemOf Returns the cached object of a key.
   * @param limit The maximum number of each kind.
   */
  list(itemOf: (key: string) => Item<KubeObject> | undefined, limit: number): KeyTrouble[] {
    const now = this.#options.clock.wallNow();
    const stuck = this.#stuck(itemOf, now, limit);
    const stuckKeys = new Set(stuck.map(({ key }) => key));
    const found: KeyTrouble[] = [...stuck];
    let failures = 0;
    for (const [key, { count, error, isGivenUp, sinceMs }] of this.#failures) {
      if (failures >= limit) break;
      // The error of a cleanup is part of the stuck finalizer.
      if ((count < MANY_FAILURES && !isGivenUp) || stuckKeys.has(key)) continue;
      failures++;
      found.push({ kind: "backoff", key, failures: count, error, isGivenUp, sinceMs });
    }
    for (const [key, { missing, sinceMs }] of this.#timeouts) {
      if (now - sinceMs > LISTED_MS) this.#timeouts.delete(key);
      else found.push({ kind: "gate_timeout", key, missing, sinceMs });
    }
    for (const [id, refusal] of this.#refusals) {
      if (now - (refusal.sinceMs ?? 0) > LISTED_MS) this.#refusals.delete(id);
      else found.push(refusal);
    }
    return found;
  }

  /** Forgets everything. */
  close(): void {
    this.#failures.clear();
    this.#deleting.clear();
  }

  #stuck(
    itemOf: (key: string) => Item<KubeObject> | undefined,
    now: number,
    limit: number,
  ): KeyTrouble[] {
    const found: KeyTrouble[] = [];
    for (const [key, sinceMs] of this.#deleting) {
      if (found.length >= limit) break;
      // The time of a server with another clock, or of a graceful deletion, may be later.
      if (!(now - sinceMs >= STUCK_MS)) continue;
      const item = itemOf(key);
      const all = item === undefined ? [] : valueOfItem(item, FINALIZERS);
      const finalizers = (Array.isArray(all) ? all : [])
        .filter((name) => this.#options.finalizers.has(name));
      if (finalizers.length === 0) continue;
      const error = this.#failures.get(key)?.error;
      found.push({ kind: "stuck_finalizer", key, finalizers, error, sinceMs });
    }
    return found;
  }

  #line(error: unknown): string {
    return visibleText(oneLine(this.#options.redact(describeError(error))), MAX_ERROR_LENGTH);
  }
}
