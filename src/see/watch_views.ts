import type { Clock, Redact } from "../base/mod.ts";
import type { Attention, WatchView } from "./model.ts";
import type { ObservedWatch } from "./observed_manager.ts";
import { problemKind, problemText, remedyOf } from "./problem_of.ts";
import type { Rates } from "./rates.ts";

/** How long a watch fails before it is listed, unless its error does not end by itself, in milliseconds. */
const PATIENCE_MS = 3_000;
/** How long an error is shown after the watch has recovered, in milliseconds. */
const SHOWN_MS = 600_000;

const PHASES = {
  "idle": "waiting",
  "listing": "listing",
  "streaming-list": "listing",
  "watching": "watching",
  "backing-off": "retrying",
  "stopped": "ended",
} as const satisfies Record<ObservedWatch["phase"], WatchView["phase"]>;

/** The last observation of a watch. */
interface Seen {
  readonly signs: number;
  /** The time of the last sign of life; undefined if there was none since the first observation. */
  readonly heardMs: number | undefined;
  /** Since when it fails. */
  readonly failingSinceMs: number | undefined;
}

/** Options of {@linkcode WatchViews}. */
export interface WatchViewsOptions {
  readonly clock: Clock;
  readonly redact: Redact;
  readonly rates: Rates;
}

/** Makes the views of watches, and remembers when each was heard last. */
export class WatchViews {
  readonly #options: WatchViewsOptions;
  #seen = new Map<string, Seen>();

  constructor(options: WatchViewsOptions) {
    this.#options = options;
  }

  /** Returns the views, and the watches that need attention. */
  look(watches: readonly ObservedWatch[]): { views: WatchView[]; attention: Attention[] } {
    const seen = new Map<string, Seen>();
    const views: WatchView[] = [];
    const attention: Attention[] = [];
    for (const watch of watches) {
      const now = this.#see(watch);
      seen.set(watch.name, now);
      views.push(this.#viewOf(watch, now));
      const trouble = this.#attentionOf(watch, now);
      if (trouble !== undefined) attention.push(trouble);
    }
    this.#seen = seen;
    return { views, attention };
  }

  /** Forgets what was observed: no page looks any more. */
  forget(): void {
    this.#seen.clear();
  }

  #see({ events, lastError, lists, name, phase, streamingLists, watches }: ObservedWatch): Seen {
    const now = this.#options.clock.now();
    const before = this.#seen.get(name);
    const signs = events + (phase === "watching" ? lists + streamingLists + watches : 0);
    const isHeard = before !== undefined && signs > before.signs;
    const isFailing = lastError !== undefined && phase !== "watching" && phase !== "stopped" &&
      phase !== "idle";
    return {
      signs: Math.max(signs, before?.signs ?? 0),
      heardMs: isHeard ? now : before?.heardMs,
      failingSinceMs: isFailing ? before?.failingSinceMs ?? now : undefined,
    };
  }

  #viewOf(watch: ObservedWatch, { heardMs }: Seen): WatchView {
    const { clock, rates } = this.#options;
    const { controllers, events, lagMs, lists, name, objects, queued } = watch;
    const { phase, streamingLists, watches } = watch;
    const now = clock.now();
    const problem = this.#problemOf(watch);
    return {
      name,
      phase: PHASES[phase],
      ...(heardMs !== undefined && { silentMs: Math.round(now - heardMs) }),
      ...(lagMs !== undefined && { lagMs: Math.round(lagMs * 10) / 10 }),
      eventsPerSecond: rates.sample(`watch ${name}`, events, now),
      // The first watch after a list is its continuation.
      reconnects: Math.max(0, lists + streamingLists - 1) + Math.max(0, watches - lists),
      queued,
      objects,
      controllers,
      ...(problem !== undefined && { problem }),
    };
  }

  #problemOf({ lastError, lastErrorTimeMs = 0, phase }: ObservedWatch): WatchView["problem"] {
    const { clock, redact } = this.#options;
    if (lastError === undefined) return undefined;
    const isOver = phase === "watching" && clock.wallNow() - lastErrorTimeMs > SHOWN_MS;
    if (isOver) return undefined;
    const at = new Date(lastErrorTimeMs).toISOString();
    return { text: problemText(lastError, redact), remedy: remedyOf(lastError), at };
  }

  #attentionOf(
    { controllers, lastError, name }: ObservedWatch,
    { failingSinceMs }: Seen,
  ): Attention | undefined {
    const { clock, redact } = this.#options;
    if (failingSinceMs === undefined) return undefined;
    const kind = problemKind(lastError);
    const forMs = clock.now() - failingSinceMs;
    if (kind === "watch_failing" && forMs < PATIENCE_MS) return undefined;
    const [controller] = controllers;
    return {
      kind,
      text: `The watch of ${name} fails: ${problemText(lastError, redact)}`,
      remedy: remedyOf(lastError),
      since: new Date(clock.wallNow() - forMs).toISOString(),
      ...(controller !== undefined && { controller }),
      watch: name,
    };
  }
}
