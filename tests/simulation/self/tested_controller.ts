import type { Clock, Logger } from "../../../src/base/mod.ts";
import { Controller, type ReconcileResult } from "../../../src/controller/mod.ts";
import { StatusError } from "../../../src/types/mod.ts";
import type { Draw } from "./draw.ts";
import type { ControllerPlan } from "./plan.ts";
import type { TestedInformer } from "./tested_informer.ts";
import { TestedQueue } from "./tested_queue.ts";

/** The options and callbacks of a controller under test. */
export interface ControllerContext {
  readonly clock: Clock;
  readonly draw: Draw;
  readonly logger: Logger;
  readonly wrong: (text: string) => void;
  readonly tell: (text: string) => void;
  readonly sleep: (ms: number) => Promise<void>;
  /** Whether the process never stands still. */
  readonly isPunctual: boolean;
  /** Whether reconciles must not fail any more. */
  readonly isCalm: () => boolean;
}

/** More reconciles than there are keys. */
const ROUNDS = 8;

/** A controller of a plan. It checks that no key is reconciled twice at once, and that none is forgotten. */
export class TestedController {
  readonly controller: Controller;
  readonly queue: TestedQueue;
  readonly #plan: ControllerPlan;
  readonly #context: ControllerContext;
  readonly #informers: readonly TestedInformer[];
  readonly #active = new Set<string>();
  /** The state of the caches when the last successful reconcile of each key began. */
  readonly #seen = new Map<string, string>();
  /** The keys that were given up, and not reconciled since. */
  readonly #givenUp = new Set<string>();

  constructor(
    plan: ControllerPlan,
    informers: readonly TestedInformer[],
    context: ControllerContext,
  ) {
    const { clock, isPunctual, logger, wrong } = context;
    this.#plan = plan;
    this.#context = context;
    this.#informers = informers;
    this.queue = new TestedQueue("the queue", ROUNDS * (plan.reconcileMs + 100), {
      clock,
      wrong,
      isPunctual,
    });
    this.controller = new Controller({
      name: "controller",
      informer: informers[0]!.informer as never,
      waitFor: informers.slice(1).map(({ informer }) => informer),
      queue: this.queue,
      maxRetries: plan.maxRetries,
      clock,
      logger,
      reconcile: (key) => this.#reconcile(key),
      onGiveUp: (key) => void this.#givenUp.add(key),
    });
  }

  /** Takes an event of another informer. */
  enqueue(key: string): void {
    this.controller.enqueue(key);
  }

  /** Returns what is left to reconcile, in words; empty if there is nothing. */
  difference(): string {
    for (const [key, seen] of this.#seen) {
      const now = this.#look(key);
      if (seen !== now && !this.#givenUp.has(key)) {
        return `${key} was last reconciled at ${seen}, but is at ${now}`;
      }
    }
    for (const key of this.#informers.flatMap(({ informer }) => informer.indexer.listKeys())) {
      if (!this.#seen.has(key) && !this.#givenUp.has(key)) return `${key} was never reconciled`;
    }
    return this.queue.overdue();
  }

  #look(key: string): string {
    return this.#informers.map(({ informer }) =>
      informer.indexer.getByKey(key)?.metadata.resourceVersion ?? "-"
    ).join(" ");
  }

  #reconcile(key: string): ReconcileResult | void | Promise<ReconcileResult | void> {
    const { draw, sleep, tell, wrong } = this.#context;
    if (this.#active.has(key)) wrong(`${key} is reconciled twice at once`);
    for (const { informer, name } of this.#informers) {
      if (!informer.hasSynced()) wrong(`${key} is reconciled before ${name} has synced`);
    }
    this.#active.add(key);
    this.#givenUp.delete(key);
    const seen = this.#look(key);
    tell(`reconcile ${key} at ${seen}`);
    const { reconcileMs } = this.#plan;
    // Without a pause, a reconcile is synchronous.
    if (reconcileMs < 0) return this.#finish(key, seen);
    return sleep(draw.int(0, reconcileMs)).then(() => this.#finish(key, seen));
  }

  #finish(key: string, seen: string): ReconcileResult | void {
    const { draw, isCalm } = this.#context;
    const { enqueues, fails, requeues } = this.#plan;
    this.#active.delete(key);
    if (!isCalm()) {
      if (draw.chance(fails)) {
        throw draw.chance(0.2)
          ? new StatusError({ code: 429, reason: "TooManyRequests", message: "injected" }, {
            retryAfterMs: draw.int(0, 3_000),
          })
          : new Error("injected failure of a reconcile");
      }
      if (draw.chance(enqueues)) this.controller.enqueue(key);
    }
    this.#seen.set(key, seen);
    if (!isCalm() && draw.chance(requeues)) {
      return { requeueAfterMs: draw.pick([0, 1, 100, 20_000]) };
    }
  }
}
