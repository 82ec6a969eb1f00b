import type { Clock } from "@kubeloop/controller/internal/base";
import { isWatched, writeLine } from "./environment.ts";

/** The time until the first line, in milliseconds. */
const FIRST_MS = 5000;
/** The minimum time between two lines, in milliseconds. */
const EVERY_MS = 3000;

/** Options of {@linkcode Progress}. */
export interface ProgressOptions {
  readonly name: string | undefined;
  readonly clock: Clock;
  /** Whether to write at all. Default: whether stderr is a terminal. */
  readonly isOn?: boolean | undefined;
  /** Writes a line. Default: to stderr. */
  readonly write?: ((line: string) => void) | undefined;
}

/** Prints the progress of an exploration that takes long. */
export class Progress {
  readonly #name: string;
  readonly #clock: Clock;
  readonly #startMs: number;
  readonly #write: ((line: string) => void) | undefined;
  #nextMs = FIRST_MS;

  constructor({ clock, isOn = isWatched(), name, write = writeLine }: ProgressOptions) {
    this.#clock = clock;
    this.#name = name ?? "The simulation";
    this.#startMs = clock.now();
    this.#write = isOn ? write : undefined;
  }

  /** Reports the number of plans that were run, and the number that ended wrong. */
  report(plans: number, wrong: number): void {
    if (this.#write === undefined) return;
    const tookMs = this.#clock.now() - this.#startMs;
    if (tookMs < this.#nextMs) return;
    this.#nextMs = tookMs + EVERY_MS;
    const rate = Math.round(plans / (tookMs / 1000));
    this.#write(
      `${this.#name}: ${plans} plans in ${
        Math.round(tookMs / 1000)
      } s (${rate} a second), ${wrong} wrong`,
    );
  }
}
