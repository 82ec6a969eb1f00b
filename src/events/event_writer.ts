import { TerminalError } from "../base/mod.ts";
import type { Client } from "../client/mod.ts";
import { formatMicroTime, isAlreadyExists, isNotFound, StatusError } from "../types/mod.ts";
import type { EventNames } from "./event_names.ts";
import { EventsV1 } from "./event_v1.ts";
import type { KnownEvent } from "./known_events.ts";

/** The time limit of a request. */
const TIMEOUT_MS = 30_000;
/** Names are random, so two consecutive conflicts are not a coincidence. */
const MAX_NAMES = 2;

/** Codes below 500 after which a retry may succeed: timeout, too many requests. */
const TEMPORARY: readonly number[] = [408, 429];

/** The outcome of an attempt to write an event. */
export type Written =
  | { readonly kind: "written" }
  /** A retry may succeed. */
  | { readonly kind: "failed"; readonly error: unknown }
  /** A retry would fail too. */
  | { readonly kind: "refused"; readonly error: unknown };

/** The requests about one event. */
export class EventWriter {
  readonly #client: Pick<Client, "create" | "patch">;
  readonly #names: EventNames;

  constructor(client: Pick<Client, "create" | "patch">, names: EventNames) {
    this.#client = client;
    this.#names = names;
  }

  /** Creates an event, or patches its series. */
  async write(known: KnownEvent, signal: AbortSignal): Promise<Written> {
    try {
      if (known.written > 0) await this.#patchSeries(known, signal);
      // The Event is new or was deleted: the server deletes Events after an hour.
      if (known.written === 0) await this.#create(known, signal);
      return { kind: "written" };
    } catch (error) {
      return { kind: isRefusal(error) ? "refused" : "failed", error };
    }
  }

  /** Patches the series. Marks the event as unwritten if it does not exist. */
  async #patchSeries(known: KnownEvent, signal: AbortSignal): Promise<void> {
    const { event: { metadata: { name = "", namespace } }, count } = known;
    const call = { namespace, signal, timeoutMs: TIMEOUT_MS, maxRetries: 0 };
    try {
      await this.#client.patch(EventsV1, name, { series: seriesOf(known) }, call);
      known.written = count;
    } catch (error) {
      if (!isNotFound(error)) throw error;
      known.written = 0;
    }
  }

  async #create(known: KnownEvent, signal: AbortSignal): Promise<void> {
    for (let names = 1;; names++) {
      const { count } = known;
      const event = count > 1 ? { ...known.event, series: seriesOf(known) } : known.event;
      try {
        await this.#client.create(EventsV1, event, {
          signal,
          timeoutMs: TIMEOUT_MS,
          maxRetries: 0,
        });
        known.written = count;
        return;
      } catch (error) {
        if (!isAlreadyExists(error)) throw error;
        if (known.tries > 1) {
          // The answer to the previous try was lost. The server may have an older count.
          known.written = 1;
          if (count > 1) await this.#patchSeries(known, signal);
          return;
        }
        if (names === MAX_NAMES) throw error;
        // Another instance uses the name.
        const name = this.#names.next(known.event.regarding.name ?? "");
        known.event = { ...known.event, metadata: { ...known.event.metadata, name } };
      }
    }
  }
}

function seriesOf({ count, lastWallMs }: KnownEvent) {
  return { count, lastObservedTime: formatMicroTime(lastWallMs) };
}

/**
 * Reports whether the server or the client refused a request, so that a retry would fail. client-go also gives up after
 * 429 and 5xx, once its client has retried.
 */
function isRefusal(error: unknown): boolean {
  if (StatusError.is(error)) {
    return error.code >= 400 && error.code < 500 && !TEMPORARY.includes(error.code);
  }
  return TerminalError.is(error) || error instanceof TypeError || error instanceof RangeError;
}
