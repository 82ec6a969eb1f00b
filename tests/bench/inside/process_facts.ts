/**
 * Measurements of the current process, on Deno, Node and Bun.
 *
 * @module
 */

import { readFileSync } from "node:fs";
import process from "node:process";

const MIB = 1024 * 1024;

/** Returns the CPU time of all threads so far, in milliseconds. */
export function cpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

/** Returns the current resident memory, in MiB. */
export function residentMiB(): number {
  return statusMiB("VmRSS");
}

/** Returns the peak resident memory, in MiB. `getrusage` would return the peak of the parent if that is higher. */
export function peakResidentMiB(): number {
  return statusMiB("VmHWM");
}

function statusMiB(field: string): number {
  const status = readFileSync("/proc/self/status", "utf8");
  const [, kib = "NaN"] = new RegExp(`^${field}:\\s+(\\d+)`, "m").exec(status) ?? [];
  return Number(kib) / 1024;
}

/** The memory in use after garbage collection, in MiB. */
export interface Memory {
  /** JavaScript objects. */
  readonly heapMiB: number;
  /** Memory of objects outside the heap, such as buffers. */
  readonly offHeapMiB: number;
  /** The sum of both. */
  readonly memoryMiB: number;
}

/** Collects garbage and measures the remaining memory. */
export async function memoryAfterGc(): Promise<Memory> {
  // Twice, because objects that finalizers release become garbage only after the first collection.
  for (let i = 0; i < 2; i++) {
    collect();
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  const { heapUsed, external } = process.memoryUsage();
  // JavaScriptCore includes off-heap memory in the heap size, V8 does not.
  const heap = "Bun" in globalThis ? heapUsed - external : heapUsed;
  return {
    heapMiB: heap / MIB,
    offHeapMiB: external / MIB,
    memoryMiB: (heap + external) / MIB,
  };
}

function collect(): void {
  const { gc, Bun } = globalThis as {
    readonly gc?: () => void;
    readonly Bun?: { gc(force: boolean): void };
  };
  if (Bun !== undefined) Bun.gc(true);
  else if (gc !== undefined) gc();
  else throw new Error("Cannot collect garbage: run with --expose-gc");
}
