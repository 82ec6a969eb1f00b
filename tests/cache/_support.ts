import { DeletedFinalStateUnknown, type DeltaFIFO, type Deltas } from "../../src/cache/mod.ts";
import type { FIFO } from "../../src/extras/mod.ts";
import { type Logger, silentLogger } from "../../src/base/mod.ts";

/** An object with an identity, and a value that distinguishes its states. */
export interface Thing {
  readonly id: string;
  readonly val?: unknown;
}

export const thing = (id: string, val?: unknown): Thing => val === undefined ? { id } : { id, val };
export const thingKey = (obj: Thing): string => obj.id;

/** Renders deltas as short text: `Added(a=1) Deleted(?a:a=1)`. A question mark marks a tombstone. */
export function short(deltas: Deltas<Thing>): string {
  return deltas.map(({ type, object }) => {
    const text = (obj: Thing | undefined) =>
      obj === undefined ? "" : obj.val === undefined ? obj.id : `${obj.id}=${obj.val}`;
    if (!DeletedFinalStateUnknown.is(object)) return `${type}(${text(object)})`;
    return `${type}(?${object.key}:${text(object.obj)})`;
  }).join(" ");
}

/** Pops all deltas of a queue and returns them as short texts. */
export function drain(queue: DeltaFIFO<Thing>): string[] {
  const seen: string[] = [];
  while (queue.tryPop((deltas) => seen.push(short(deltas))));
  return seen;
}

/** Pops all objects of a queue and returns them as short texts. */
export function drainFIFO(queue: FIFO<Thing>): string[] {
  const seen: string[] = [];
  while (queue.tryPop((obj) => seen.push(obj.val === undefined ? obj.id : `${obj.id}=${obj.val}`)));
  return seen;
}

/** Returns a logger that records its lines. */
export function recordingLogger(): Logger & { readonly lines: string[] } {
  const lines: string[] = [];
  const keep = (level: string) => (message: string) => void lines.push(`${level}: ${message}`);
  return { ...silentLogger, lines, info: keep("info"), warn: keep("warn"), error: keep("error") };
}

/** Runs pending microtasks, so that promises that are ready settle. */
export async function ticks(count = 10): Promise<void> {
  for (let i = 0; i < count; i++) await Promise.resolve();
}

/** Reports whether `promise` is still pending after pending microtasks have run. */
export async function isPending(promise: Promise<unknown>): Promise<boolean> {
  let pending = true;
  const settled = () => {
    pending = false;
  };
  promise.then(settled, settled);
  await ticks();
  return pending;
}
