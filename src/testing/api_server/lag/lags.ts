import {
  type Clock,
  delay,
  LinkedAbort,
  type Logger,
  type Timer,
} from "@kubeloop/controller/internal/base";
import {
  type Draws,
  FUTURE_REVISION_WAIT_MS,
  type Storage,
  type StoredObject,
} from "../storage/mod.ts";
import type { CacheView } from "./cache_view.ts";
import type { HeldEvent } from "./held_event.ts";
import type { LagReader } from "./lag_reader.ts";
import type { LagRule } from "./lag_rule.ts";
import { WatchGate, type WatchGateOptions } from "./watch_gate.ts";
import { World } from "./world.ts";
import type { WorldOptions } from "./world_options.ts";

/** The parts of a server that its {@linkcode Lags} use. */
export interface LagParts {
  /** The clock of all delays. */
  readonly clock: Clock;
  /** The random sources of all delays and orders. */
  readonly draws: Draws;
  /** The logger for the failures of predicates. */
  readonly logger: Logger;
  /** The storage of the server. */
  readonly storage: Storage;
}

/** The view of one rule. */
interface Seen {
  readonly rule: LagRule;
  readonly view: CacheView;
}

/** The lags of a server that are in effect, as its handlers use them. */
export class Lags {
  /** The parts of the server that the rules use. */
  readonly parts: LagParts;
  readonly #rules = new Set<LagRule>();
  readonly #gates = new Set<WatchGate>();
  /** The reads that wait for a watch cache to catch up. */
  readonly #waiting = new Set<() => void>();
  readonly #closed = new AbortController();
  readonly #world: World | undefined;
  #isActive = false;

  /** Creates a server without lag, or in a realistic world. */
  constructor(parts: LagParts, world: WorldOptions | undefined) {
    this.parts = parts;
    if (world === undefined) return;
    this.#world = new World(parts, world);
    this.add(this.#world);
  }

  /** Whether there is any lag. If not, no event is kept back. */
  get isActive(): boolean {
    return this.#isActive;
  }

  /** Puts a rule into effect. */
  add(rule: LagRule): void {
    if (this.#closed.signal.aborted) {
      rule.end();
      return;
    }
    this.#rules.add(rule);
    if (this.#isActive) return;
    this.#isActive = true;
    for (const gate of this.#gates) gate.passedUpTo(this.parts.storage.revision);
  }

  /** Ends a rule, and delivers what only this rule kept back. */
  end(rule: LagRule): void {
    if (!this.#rules.delete(rule)) return;
    rule.end();
    this.onChange();
    // Until here, a gate must keep the order of what it delivers and of what arrives.
    this.#isActive = this.#rules.size > 0;
  }

  /** Ends every rule except the realistic world. */
  clear(): void {
    for (const rule of [...this.#rules]) if (rule !== this.#world) this.end(rule);
  }

  /** Ends every rule and every wait, and rejects the requests that are delayed. */
  close(): void {
    for (const rule of [...this.#rules]) this.end(rule);
    this.#closed.abort(new TypeError("Connection reset: the server went away"));
  }

  /** Delivers the released events, and continues the reads that waited for them. */
  onChange(): void {
    for (const gate of [...this.#gates]) gate.pump();
    for (const look of [...this.#waiting]) look();
  }

  /** Logs the failure of a predicate. */
  onFailure(error: unknown): void {
    this.parts.logger.error("A lag failed, and the watch that it was to delay is broken", error);
  }

  /** Creates the gate of a watch. */
  gate(options: WatchGateOptions): WatchGate {
    const gate = new WatchGate(this, this.parts.clock, options);
    this.#gates.add(gate);
    return gate;
  }

  /** Forgets the gate of a watch that has ended. */
  closed(gate: WatchGate): void {
    this.#gates.delete(gate);
    for (const rule of [...this.#rules]) rule.onEnd?.(gate);
  }

  /** Shows an event to every rule. */
  arrive(gate: WatchGate, held: HeldEvent): void {
    for (const rule of [...this.#rules]) rule.onEvent?.(gate, held);
  }

  /** Returns the events that are kept back, each with its gate. */
  *held(): Iterable<readonly [WatchGate, HeldEvent]> {
    for (const gate of this.#gates) {
      for (const held of gate.held()) yield [gate, held];
    }
  }

  /** Returns the revision at which the watch cache of a reader stands; Infinity if it is not behind. */
  standsAt(reader: LagReader): number {
    let lowest = Infinity;
    for (const rule of this.#rules) lowest = Math.min(lowest, rule.standsAt?.(reader) ?? Infinity);
    return lowest;
  }

  /**
   * Returns what a read sees that may be answered by a watch cache; undefined for the newest state. If the cache is
   * older than `least`, this waits for up to three seconds; it may be older even then.
   */
  async view(reader: LagReader, least: number): Promise<CacheView | undefined> {
    let seen = this.#look(reader, least);
    if (seen === undefined) return undefined;
    const { rule } = seen;
    const mustWait = seen.view.revision < least;
    if (mustWait) seen = await this.#catchUp(reader, least);
    if (mustWait) rule.onStaleRead?.();
    else if (rule.onStaleRead !== undefined && seen?.view.isStale) rule.onStaleRead();
    return seen?.view;
  }

  /** Returns the objects of an unpaged list or of initial events in the order in which they are sent. */
  arrange(reader: LagReader, objects: readonly StoredObject[]): readonly StoredObject[] {
    let arranged = objects;
    for (const rule of this.#rules) arranged = rule.arrange?.(reader, arranged) ?? arranged;
    return arranged;
  }

  /** Takes a request to the server and back, which takes its time in a realistic world. */
  async pass(request: Request, answer: () => Promise<Response>): Promise<Response> {
    const world = this.#world;
    if (world === undefined) return answer();
    const [there, back] = world.requestDelays(request);
    await this.#travel(request, there);
    const response = await answer();
    try {
      await this.#travel(request, back);
    } catch (error) {
      await response.body?.cancel();
      throw error;
    }
    return response;
  }

  #look(reader: LagReader, least: number): Seen | undefined {
    let lowest: Seen | undefined;
    for (const rule of this.#rules) {
      const view = rule.view?.(reader, least);
      if (view === undefined) continue;
      if (lowest === undefined || view.revision < lowest.view.revision) lowest = { rule, view };
    }
    return lowest;
  }

  #catchUp(reader: LagReader, least: number): Promise<Seen | undefined> {
    const { promise, resolve, reject } = Promise.withResolvers<Seen | undefined>();
    const finish = (always: boolean) => {
      try {
        const seen = this.#look(reader, least);
        if (!always && seen !== undefined && seen.view.revision < least) return;
        resolve(seen);
      } catch (error) {
        reject(error);
      }
      timer.cancel();
      this.#waiting.delete(look);
    };
    const look = () => finish(false);
    const timer: Timer = this.parts.clock.setTimer(() => finish(true), FUTURE_REVISION_WAIT_MS);
    this.#waiting.add(look);
    return promise;
  }

  async #travel(request: Request, delayMs: number): Promise<void> {
    if (delayMs === 0) return;
    const abort = new LinkedAbort(request.signal);
    const closed = this.#closed.signal;
    const stop = () => abort.abort(closed.reason);
    closed.addEventListener("abort", stop, { once: true });
    try {
      await delay(delayMs, { clock: this.parts.clock, signal: abort.signal });
    } finally {
      closed.removeEventListener("abort", stop);
      abort.release();
    }
  }
}
