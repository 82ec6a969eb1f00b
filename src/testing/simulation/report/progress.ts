import type { Clock } from "@kubeloop/controller/internal/base";
import { isWatched, writeLine } from "./environment.ts";

/** After how long an exploration says for the first time how far it is. */
const FIRST_MS = 5000;
/** How long it is silent between two lines. */
const EVERY_MS = 3000;

/** What a progress line is made of. */
export interface ProgressOptions {
  readonly name: string | undefined;
  readonly clock: Clock;
  /** Whether to write at all. Default: whether stderr is a terminal. */
  readonly isOn?: boolean | undefined;
  /** Writes a line. Default: to stderr. */
  readonly write?: ((line: string) => void) | undefined;
}

/** Says how far an exploration is, when it takes long. */
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

  /** Learns of how many plans were run, and how many of them ended wrong. */
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
