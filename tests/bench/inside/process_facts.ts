/**
 * Measurements of the current process, on Deno, Node and Bun.
 *
 * @module
 */

import { readdirSync, readFileSync } from "node:fs";
import process from "node:process";

const MIB = 1024 * 1024;

/** Returns the CPU time of all threads so far, in milliseconds. */
export function cpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

/** The groups of threads whose CPU time is measured apart. */
export type ThreadGroup = "main" | "gc" | "jit" | "v8" | "other";

/**
 * The names of helper threads, as Linux cuts them, by what they do. V8's workers collect garbage and compile by turns,
 * so what each costs cannot be told apart; the workers of Node 22 have no names, and count as others.
 */
const THREADS: Readonly<Record<string, ThreadGroup>> = {
  "HeapHelper": "gc",
  "JITWorker": "jit",
  "V8 DefaultWorke": "v8",
  "V8Worker": "v8",
};

/** The CPU time of a process and of its groups of threads, in milliseconds. Groups without threads are left out. */
export type Cpu = Readonly<Partial<Record<"all" | ThreadGroup, number>>>;

/** Returns the CPU time so far. Groups of threads can be told apart on Linux only. */
export function cpu(): Cpu {
  const all = cpuMs();
  const groups: Partial<Record<ThreadGroup, number>> = {};
  let known = 0;
  for (const id of process.platform === "linux" ? readdirSync("/proc/self/task") : []) {
    const group = Number(id) === process.pid ? "main" : THREADS[ofThread(id, "comm").trim()];
    if (group === undefined) continue;
    const ms = Number(ofThread(id, "schedstat").split(" ")[0]) / 1e6;
    groups[group] = (groups[group] ?? 0) + ms;
    known += ms;
  }
  // The rest, and not the sum of other threads, because threads that have ended belong to it.
  return known === 0 ? { all } : { all, ...groups, other: all - known };
}

function ofThread(id: string, file: "comm" | "schedstat"): string {
  try {
    return readFileSync(`/proc/self/task/${id}/${file}`, "utf8");
  } catch {
    // The thread has just ended, or this kernel keeps no times of threads.
    return "";
  }
}

/** Returns the CPU time of the current thread so far, in milliseconds. */
export function threadCpuMs(): number {
  return parseInt(readFileSync("/proc/thread-self/schedstat", "utf8")) / 1e6;
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
