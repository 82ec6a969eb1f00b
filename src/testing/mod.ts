/**
 * What tests of controllers stand on: a clock that is moved by hand and chance that repeats.
 *
 * @module
 */

export { SeededRandom } from "./seeded_random.ts";
export { VirtualClock, type VirtualClockOptions } from "./virtual_clock.ts";
