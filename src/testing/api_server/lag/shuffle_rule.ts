import { randomInt, requireSync } from "@kubeloop/controller/internal/base";
import type { Draws, StoredObject } from "../storage/mod.ts";
import type { LagReader } from "./lag_reader.ts";
import { always, type LagRule } from "./lag_rule.ts";
import type { Lags } from "./lags.ts";
import type { Lag, ShuffleOptions } from "./lag_types.ts";

/** Sends the objects of lists and of initial events in a random order. */
export class ShuffleRule implements LagRule, Lag {
  hits = 0;
  readonly #lags: Lags;
  readonly #draws: Draws;
  readonly #options: ShuffleOptions;

  /** Creates a rule that takes its orders from `draws`. */
  constructor(lags: Lags, draws: Draws, options: ShuffleOptions) {
    this.#lags = lags;
    this.#draws = draws;
    this.#options = options;
  }

  /** Returns the objects in a random order, each as likely as any other. */
  arrange(
    { identity, request }: LagReader,
    objects: readonly StoredObject[],
  ): readonly StoredObject[] {
    const { when = always } = this.#options;
    if (objects.length < 2 || !requireSync("when", when(request))) return objects;
    const shuffled = [...objects];
    const random = this.#draws.of(`order ${identity}`);
    for (let i = shuffled.length - 1; i > 0; i--) {
      const j = randomInt(random, i + 1);
      [shuffled[i], shuffled[j]] = [shuffled[j]!, shuffled[i]!];
    }
    if (shuffled.some((object, index) => object !== objects[index])) this.hits++;
    return shuffled;
  }

  /** Has nothing to end. */
  end(): void {}

  /** Ends the lag. */
  release(): void {
    this.#lags.end(this);
  }
}
