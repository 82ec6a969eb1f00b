import { assert } from "@std/assert";
import process from "node:process";

/** A time that is too short to compare, in milliseconds. */
const SHORT_MS = 60;

/**
 * Asserts that `work` takes linear time: for `4 * n` it may use at most nine times the CPU of `n`, where quadratic work uses
 * sixteen times. Other processes do not disturb it, and it is measured three times before it fails.
 */
export async function assertLinear(
  n: number,
  work: (n: number) => Promise<unknown> | unknown,
  what = "",
): Promise<void> {
  let shown = "";
  for (let tries = 0; tries < 3; tries++) {
    const few = await cpuMs(() => work(n));
    const many = await cpuMs(() => work(4 * n));
    if (many < Math.max(SHORT_MS, 9 * few)) return;
    shown = `${what}: ${few.toFixed(1)} ms of CPU for ${n}, ${many.toFixed(1)} ms for ${4 * n}`;
  }
  assert(false, shown);
}

async function cpuMs(work: () => Promise<unknown> | unknown): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}
