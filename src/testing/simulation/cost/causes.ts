import type { CallLines } from "./call_lines.ts";
import { type Tally, TIMER, triggerKey } from "./tally.ts";

/** The cause of a part of a cost. */
export interface Cause {
  /** The cause in words. */
  readonly text: string;
  /** The line of the user's code that sends the requests or makes the watch. */
  readonly line?: string | undefined;
  /** The line of the user's code that adds the keys to the queue, or else makes the watch whose events add them. */
  readonly handler?: string | undefined;
}

/** The counts of one phase for all sizes, and the lines of the calls that were made. */
export interface PhaseRecord {
  readonly sizes: readonly number[];
  readonly tallies: readonly Tally[];
  readonly lines: CallLines;
}

/** Returns counts by size: `2, 8, 32`. */
export function list(counts: readonly number[]): string {
  return counts.map((count) => count.toLocaleString("en", { maximumFractionDigits: 1 })).join(", ");
}

/** Returns counts by size, or only the last one if all are about equal. */
function amounts(counts: readonly number[]): string {
  const [least, most] = [Math.min(...counts), Math.max(...counts)];
  return most - least <= 0.02 * most ? list(counts.slice(-1)) : list(counts);
}

/** Returns the cause of the number of requests of a kind. */
export function causeOfRequests(kind: string, record: PhaseRecord): Cause {
  const { lines, sizes, tallies } = record;
  const line = lines.of(plainKind(kind));
  if (kind.startsWith("watch ")) return { text: "a watch is opened again when it ends", line };
  const requests = requestsOf(kind, record);
  const reconciles = tallies.map((tally) => sum(tally.reconciles.values()));
  if (reconciles.at(-1) === 0) return { text: followed(kind, record), line };
  const each = ratios(requests, reconciles);
  const { handler, text } = causeOfReconciles(busiest(record), record);
  const isPerObject = grows(sizes, each);
  return {
    text: `each reconcile sends it ${times(each)}${
      isPerObject ? ", as if for each object" : ""
    }; ${text}`,
    line,
    handler,
  };
}

/** Returns the cause of the number of reconciles of a controller. */
export function causeOfReconciles(controller: string, record: PhaseRecord): Cause {
  const triggers = [...record.tallies.at(-1)!.added.values()]
    .filter((counts) => counts.controller === controller)
    .sort((a, b) => b.count - a.count);
  const [most, next] = triggers;
  if (most === undefined) return { text: `the queue of ${controller} has no meter` };
  const named = next !== undefined && next.count > most.count / 4 ? [most, next] : [most];
  const { lines } = record;
  return {
    text: named.map(({ trigger }) => triggered(controller, trigger, record)).join("; "),
    // A mapper of a Manager has returned when its keys are added.
    handler: lines.of(triggerKey(controller, most.trigger)) ?? lines.of(`watch ${most.trigger}`),
  };
}

/** Returns in words how often a trigger has added keys to the queue of a controller. */
function triggered(controller: string, trigger: string, { sizes, tallies }: PhaseRecord): string {
  const key = triggerKey(controller, trigger);
  const added = tallies.map((tally) => tally.added.get(key)?.count ?? 0);
  if (trigger === TIMER) {
    return `${trigger} (a delay or a resync) adds ${amounts(added)} keys of ${controller}`;
  }
  const events = tallies.map((tally) => tally.events.get(trigger) ?? 0);
  const each = ratios(added, events);
  const own = writesOf(trigger, tallies.at(-1)!) >= events.at(-1)! ? ", from its own writes" : "";
  const all = grows(sizes, each) ? ": its handler adds all of them" : "";
  return `each event of ${trigger} (there are ${amounts(events)}${own}) reconciles ${
    amounts(each)
  } of ${controller}${all}`;
}

/** Returns the number of writes of a resource. */
function writesOf(resource: string, { kinds }: Tally): number {
  return sum(
    [...kinds].flatMap(([kind, { isWrite, requests }]) =>
      isWrite && plainKind(kind).endsWith(` ${resource}`) ? [requests] : []
    ),
  );
}

/** Returns the cause of the number of bytes that requests of a kind carry. */
export function causeOfBytes(
  kind: string,
  direction: "sent" | "received",
  record: PhaseRecord,
): Cause {
  const { lines, sizes, tallies } = record;
  if (kind.startsWith("watch ")) {
    const resource = kind.slice("watch ".length);
    const events = tallies.map((tally) => tally.events.get(resource) ?? 0);
    const text = `the watch delivers ${amounts(events)} events of ${resource}`;
    return { text, line: lines.of(kind) };
  }
  const bytes = tallies.map(({ kinds }) => kinds.get(kind)?.[direction] ?? 0);
  const each = ratios(bytes, requestsOf(kind, record)).map(Math.round);
  const what = direction === "sent" ? "request" : "answer";
  const why = grows(sizes, each) ? ", as if it had all objects" : "";
  const { handler, line, text } = causeOfRequests(kind, record);
  return { text: `each ${what} has ${amounts(each)} bytes${why}; ${text}`, line, handler };
}

/** Returns the cause of the size of a cache. */
export function causeOfCache(what: string, { lines, tallies }: PhaseRecord): Cause {
  const [resource = ""] = what.split(" ", 1);
  const objects = tallies.map(({ caches }) => caches.get(what)?.objects ?? 0);
  return {
    text: `the watch of ${what} covers ${amounts(objects)} objects`,
    line: lines.of(`watch ${resource}`),
  };
}

/** Returns a kind of requests without the subresource, as calls name it. */
function plainKind(kind: string): string {
  return kind.replace(/\/[^/]*$/, "");
}

function requestsOf(kind: string, { tallies }: PhaseRecord): number[] {
  return tallies.map(({ kinds }) => kinds.get(kind)?.requests ?? 0);
}

/** Returns what came before requests of a process that has no controller of this library. */
function followed(kind: string, { tallies }: PhaseRecord): string {
  const triggers = [...tallies.at(-1)!.before.get(kind) ?? []].sort(([, a], [, b]) => b - a);
  const parts = triggers.map(([trigger, count]) =>
    `${list([count])} times after ${trigger === TIMER ? trigger : `an event of ${trigger}`}`
  );
  return parts.length === 0 ? "it is not sent" : `it is sent ${parts.join(", and ")}`;
}

/** Returns the controller that reconciles most. */
function busiest({ tallies }: PhaseRecord): string {
  const [most] = [...tallies.at(-1)!.reconciles].sort(([, a], [, b]) => b - a);
  return most?.[0] ?? "";
}

function sum(counts: Iterable<number>): number {
  return [...counts].reduce((total, count) => total + count, 0);
}

function times(each: readonly number[]): string {
  const text = amounts(each);
  return text === "1" ? "once" : `${text} times`;
}

function ratios(counts: readonly number[], of: readonly number[]): number[] {
  return counts.map((count, i) => count / Math.max(of[i]!, 1));
}

/** Reports whether a ratio grows with the number of objects, at least with its square root. */
function grows(sizes: readonly number[], each: readonly number[]): boolean {
  const [first, last] = [each[0]!, each.at(-1)!];
  const least = Math.sqrt(sizes.at(-1)! / sizes[0]!);
  return last - first >= 0.5 && last >= first * least;
}
