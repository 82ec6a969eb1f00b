import { Heap, type HeapItem, type Random } from "../../src/base/mod.ts";
import { Register } from "./_register.ts";

class Happening implements HeapItem {
  heapIndex = -1;
  readonly atMs: number;
  readonly sequence: number;
  readonly happen: () => void;

  constructor(atMs: number, sequence: number, happen: () => void) {
    this.atMs = atMs;
    this.sequence = sequence;
    this.happen = happen;
  }
}

/** How bad the world is. */
export interface Hardships {
  /** The rates of two clocks differ by this ratio at most. */
  readonly drift: number;
}

/** True time, a server behind a bad network, and machines that stand still. */
export class World {
  readonly register: Register = new Register();
  readonly random: Random;
  readonly #happenings = new Heap<Happening>((a, b) =>
    a.atMs < b.atMs || (a.atMs === b.atMs && a.sequence < b.sequence)
  );
  /** When the server answers with errors. */
  readonly #outages: (readonly [number, number])[] = [];
  #sequence = 0;
  /** From then on, nothing bad happens. */
  readonly #calmFromMs: number;
  nowMs = 0;

  constructor(random: Random, calmFromMs: number = Infinity) {
    this.random = random;
    this.#calmFromMs = calmFromMs;
    for (let atMs = this.between(5_000, 60_000); this.chance(0.5); atMs += 20_000) {
      this.#outages.push([atMs, atMs + this.between(1_000, 30_000)]);
    }
  }

  between(least: number, most: number): number {
    return least + (most - least) * this.random.next();
  }

  chance(probability: number): boolean {
    return this.random.next() < probability;
  }

  at(atMs: number, happen: () => void): void {
    this.#happenings.push(new Happening(Math.max(atMs, this.nowMs), this.#sequence++, happen));
  }

  run(untilMs: number): void {
    for (let next = this.#happenings.peek(); next !== undefined && next.atMs <= untilMs;) {
      this.#happenings.remove(next);
      this.nowMs = next.atMs;
      next.happen();
      next = this.#happenings.peek();
    }
    this.nowMs = untilMs;
  }

  isOut(): boolean {
    return this.nowMs < this.#calmFromMs &&
      this.#outages.some(([from, until]) => from <= this.nowMs && this.nowMs < until);
  }

  /** How long something takes on the network; Infinity if it is lost. */
  latencyMs(): number {
    const dice = this.nowMs < this.#calmFromMs ? this.random.next() : 1;
    if (dice < 0.02) return Infinity;
    if (dice < 0.05) return this.between(1_000, 8_000);
    if (dice < 0.06) return this.between(8_000, 40_000);
    return this.between(1, 80);
  }
}

/** A machine: a clock of its own rate, and moments in which it stands still. */
export class Machine {
  readonly #world: World;
  readonly #offsetMs: number;
  readonly #rate: number;
  #wallSkewMs: number;
  #standsUntilMs = 0;
  #isDead = false;
  #cutOffUntilMs = 0;

  constructor(world: World, { drift }: Hardships) {
    this.#world = world;
    this.#offsetMs = world.between(0, 1e6);
    // Any two rates differ by the factor `drift` at most.
    this.#rate = Math.pow(drift, world.between(-0.5, 0.5));
    this.#wallSkewMs = world.between(-1e8, 1e8);
  }

  now(): number {
    return this.#offsetMs + this.#world.nowMs * this.#rate;
  }

  /** The wall clock, which sometimes jumps. */
  wallNow(): number {
    if (this.#world.chance(0.02)) this.#wallSkewMs = this.#world.between(-1e8, 1e8);
    return 1.8e12 + this.#wallSkewMs + Math.floor(this.#world.nowMs);
  }

  stand(forMs: number): void {
    this.#standsUntilMs = Math.max(this.#standsUntilMs, this.#world.nowMs + forMs);
  }

  /** Sends and receives nothing for a time. */
  cutOff(forMs: number): void {
    this.#cutOffUntilMs = this.#world.nowMs + forMs;
  }

  kill(): void {
    this.#isDead = true;
  }

  /** Calls `happen` at a true time, or when the suspended machine resumes after it. */
  at(atMs: number, happen: () => void): void {
    this.#world.at(atMs, () => {
      if (this.#isDead) return;
      if (this.#world.nowMs < this.#standsUntilMs) return this.at(this.#standsUntilMs, happen);
      happen();
    });
  }

  /** Calls `happen` when the clock of the machine shows `localMs`. */
  atLocal(localMs: number, happen: () => void): void {
    if (localMs === Infinity) return;
    // A little later, or rounding would make the clock show a little less.
    this.at((localMs - this.#offsetMs) / this.#rate + 0.001, happen);
  }

  /**
   * Sends a request to the server and calls `answered` with what `carryOut` returns, or `failed` after an error or after
   * `limitMs`. What was sent may be carried out long after that.
   */
  request<R>(
    carryOut: () => R,
    limitMs: number,
    answered: (result: R) => void,
    failed: () => void,
  ): void {
    const world = this.#world;
    let isOver = false;
    const end = (then: () => void) => () => {
      if (isOver) return;
      isOver = true;
      then();
    };
    this.atLocal(this.now() + limitMs, end(failed));
    const arrivesMs = world.nowMs + world.latencyMs();
    if (arrivesMs === Infinity || world.nowMs < this.#cutOffUntilMs) return;
    world.at(arrivesMs, () => {
      const isOut = world.isOut();
      // An outage may also begin after the request was carried out.
      const result = isOut && world.chance(0.7) ? undefined : { value: carryOut() };
      const backMs = world.nowMs + world.latencyMs();
      if (backMs === Infinity || world.nowMs < this.#cutOffUntilMs) return;
      this.at(backMs, end(isOut || result === undefined ? failed : () => answered(result.value)));
    });
  }
}
