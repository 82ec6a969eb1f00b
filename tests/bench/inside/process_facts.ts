/**
 * What a process knows about itself, on Deno, Node and Bun.
 *
 * @module
 */

import { readFileSync } from "node:fs";
import process from "node:process";

const MIB = 1024 * 1024;

/** CPU time of all threads so far, in milliseconds. */
export function cpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

/** Resident memory now, in MiB. */
export function residentMiB(): number {
  return statusMiB("VmRSS");
}

/** The most resident memory there ever was, in MiB. `getrusage` would give that of the parent, if it had more. */
export function peakResidentMiB(): number {
  return statusMiB("VmHWM");
}

function statusMiB(field: string): number {
  const status = readFileSync("/proc/self/status", "utf8");
  const [, kib = "NaN"] = new RegExp(`^${field}:\\s+(\\d+)`, "m").exec(status) ?? [];
  return Number(kib) / 1024;
}

/** What is in use after garbage collection, in MiB. */
export interface Memory {
  /** JavaScript objects. */
  readonly heapMiB: number;
  /** Bytes outside of the heap that objects hold: those of buffers. */
  readonly offHeapMiB: number;
  /** Both. */
  readonly memoryMiB: number;
}

/** Collects garbage and looks what is left. */
export async function memoryAfterGc(): Promise<Memory> {
  // Twice, since what finalizers let go of is garbage only then.
  for (let i = 0; i < 2; i++) {
    collect();
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  const { heapUsed, external } = process.memoryUsage();
  // JavaScriptCore counts what is off the heap as a part of it, V8 does not.
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
