import { requireCount, requireSync, showJson } from "@kubeloop/controller/internal/base";
import type { Step } from "../plans/mod.ts";

/** One step, or several. */
export type CostSteps<C = undefined> = Step<C> | readonly Step<C>[];

/** Options of {@linkcode Simulation.cost}. */
export interface CostOptions<C = undefined> {
  /** The steps that create object number `i` and what belongs to it, such as `create(Widgets, "w-" + i)`. */
  readonly each: (i: number) => CostSteps<C>;
  /** The numbers of objects to measure with: at least three, in ascending order. Default 2, 8 and 32. */
  readonly sizes?: readonly number[] | undefined;
  /** The length of the phase `quiet`, in hours of virtual time. Default 1. */
  readonly quietHours?: number | undefined;
  /** The steps that change object number `i`, for the phase `change`. Default: the phase is left out. */
  readonly change?: ((i: number) => CostSteps<C>) | undefined;
  /** The steps that change an object that all objects share, for the phase `shared`. Default: the phase is left out. */
  readonly shared?: CostSteps<C> | undefined;
}

/** Checked options. */
export interface CostPlan<C> {
  readonly sizes: readonly number[];
  readonly quietMs: number;
  each(i: number): readonly Step<C>[];
  readonly change: readonly Step<C>[] | undefined;
  readonly shared: readonly Step<C>[] | undefined;
}

/** The least number of sizes that tell n from n². */
const LEAST_SIZES = 3;
/** A world of more objects takes minutes. */
const MAX_SIZE = 100_000;
const MAX_HOURS = 24 * 30;
const HOUR_MS = 3_600_000;

/**
 * Checks options.
 *
 * @throws {TypeError} If a function does not return steps.
 * @throws {RangeError} If a number is out of its range.
 */
export function planOf<C>(options: CostOptions<C>): CostPlan<C> {
  const { change, each, quietHours = 1, shared, sizes = [2, 8, 32] } = options;
  if (typeof each !== "function") throw new TypeError("cost() needs the option each, a function");
  if (change !== undefined && typeof change !== "function") {
    throw new TypeError("The option change of cost() must be a function");
  }
  if (!Array.isArray(sizes) || sizes.length < LEAST_SIZES) {
    throw new RangeError(
      `The option sizes of cost() must have at least ${LEAST_SIZES} numbers, to tell n from n²: received ${
        showJson(sizes)
      }`,
    );
  }
  sizes.forEach((size, i) => {
    requireCount("sizes", size, 1);
    if (size > MAX_SIZE || size <= (sizes[i - 1] ?? 0)) {
      throw new RangeError(
        `The option sizes of cost() must ascend to at most ${MAX_SIZE}: received ${
          showJson(sizes)
        }`,
      );
    }
  });
  if (!(quietHours >= 0 && quietHours <= MAX_HOURS)) {
    throw new RangeError(
      `The option quietHours of cost() must be from 0 to ${MAX_HOURS}: received ${
        showJson(quietHours)
      }`,
    );
  }
  return {
    sizes: [...sizes],
    quietMs: quietHours * HOUR_MS,
    each: (i) => stepsOf("each", each(i)),
    change: change && stepsOf("change", change(0)),
    shared: shared && stepsOf("shared", shared),
  };
}

function stepsOf<C>(option: string, given: CostSteps<C>): readonly Step<C>[] {
  requireSync(`${option} of cost()`, given);
  const steps = (Array.isArray(given) ? given : [given]) as readonly Step<C>[];
  for (const step of steps) {
    if (typeof step?.text === "string") continue;
    throw new TypeError(
      `The option ${option} of cost() must give steps, such as create() returns: received ${
        showJson(step)
      }`,
    );
  }
  return steps;
}
