import type { SeeState } from "../../mod.ts";
import { type Rates, SPARK_VALUES } from "../kit/mod.ts";

const NONE: Rates = { good: [], bad: [] };

/** The last rates of each watch and each controller, for sparklines. */
export class RateHistory {
  #rates = new Map<string, Rates>();
  #at = "";

  /** Adds the rates of a state, once. Watches and controllers that it does not have are forgotten. */
  add({ at, controllers, watches }: SeeState): void {
    if (at === this.#at) return;
    this.#at = at;
    const next = new Map<string, Rates>();
    const add = (name: string, good: number, bad: number) => {
      const old = this.of(name);
      next.set(name, { good: latest(old.good, good), bad: latest(old.bad, bad) });
    };
    for (const { eventsPerSecond, name } of watches) add(`watch ${name}`, eventsPerSecond, 0);
    for (const { errorsPerSecond, name, reconcilesPerSecond } of controllers) {
      add(`controller ${name}`, reconcilesPerSecond, errorsPerSecond);
    }
    this.#rates = next;
  }

  /** Returns the rates of `watch NAME` or `controller NAME`, the oldest first. */
  of(name: string): Rates {
    return this.#rates.get(name) ?? NONE;
  }
}

function latest(values: readonly number[], value: number): number[] {
  return [...values, value].slice(-SPARK_VALUES);
}
