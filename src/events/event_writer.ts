import { TerminalError } from "../base/mod.ts";
import type { Client } from "../client/mod.ts";
import { formatMicroTime, isAlreadyExists, isNotFound, StatusError } from "../types/mod.ts";
import type { EventNames } from "./event_names.ts";
import { EventsV1 } from "./event_v1.ts";
import type { KnownEvent } from "./known_events.ts";

/** The time limit of a request. */
const TIMEOUT_MS = 30_000;
/** Names are random. Two in a row that are taken are no chance. */
const MAX_NAMES = 2;

/** The codes below 500 that say nothing about the next request: a time-out, too many requests. */
const TEMPORARY: readonly number[] = [408, 429];

/** What became of an attempt to write an event. */
export type Written =
  | { readonly kind: "written" }
  /** Another try may succeed. */
  | { readonly kind: "failed"; readonly error: unknown }
  /** Another try would fail too. */
  | { readonly kind: "refused"; readonly error: unknown };

/** The requests about one event. */
export class EventWriter {
  readonly #client: Pick<Client, "create" | "patch">;
  readonly #names: EventNames;

  constructor(client: Pick<Client, "create" | "patch">, names: EventNames) {
    this.#client = client;
    this.#names = names;
  }

  /** Writes an event: creates it, or patches its series. */
  async write(known: KnownEvent, signal: AbortSignal): Promise<Written> {
    try {
      if (known.written > 0) await this.#patchSeries(known, signal);
      // The server deletes Events after an hour, and people may delete them.
      if (known.written === 0) await this.#create(known, signal);
      return { kind: "written" };
    } catch (error) {
      return { kind: isRefusal(error) ? "refused" : "failed", error };
    }
  }

  /** Patches the series. Notes that nothing is written if there is no such Event. */
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
          // The answer to the try before was lost. The server may have the count of then.
          known.written = 1;
          if (count > 1) await this.#patchSeries(known, signal);
          return;
        }
        if (names === MAX_NAMES) throw error;
        // Another instance has chosen the name.
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
 * Reports whether the server, or the client itself, does not take a request as it is. client-go also gives up after 429
 * and 5xx, once its client has tried again.
 */
function isRefusal(error: unknown): boolean {
  if (StatusError.is(error)) {
    return error.code >= 400 && error.code < 500 && !TEMPORARY.includes(error.code);
  }
  return TerminalError.is(error) || error instanceof TypeError || error instanceof RangeError;
}
