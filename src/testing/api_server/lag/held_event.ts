import type { LiveEntry, LogEntry } from "../storage/mod.ts";
import type { LagEvent } from "./lag_types.ts";

/** A reason why an event, and with it all later ones of its watch, is kept back. */
export interface Block {
  /** Whether the reason still holds. It never holds again. */
  active: boolean;
}

/** An event on its way through the gate of a watch. */
export class HeldEvent {
  /** The revision of the write. */
  readonly revision: number;
  /** The event, as predicates see it. */
  readonly event: LagEvent;
  /** The counted memory of the event, in bytes. */
  readonly bytes: number;
  /** The event is delivered only when none of these is active. */
  readonly blocks: Block[] = [];
  /** The time before which the event is not delivered. */
  dueMs: number = -Infinity;
  /** The entry to deliver; undefined if a later event replaced or cancelled it. */
  entry: LiveEntry | undefined;

  /** Creates the event of a write. `type` is the type of the event that the watch sends. */
  constructor(entry: LiveEntry, type: LogEntry["type"]) {
    const { object, previous, revision } = entry;
    this.entry = entry;
    this.revision = revision;
    this.bytes = object.bytes + (previous?.bytes ?? 0);
    const { namespace, name, uid } = object;
    this.event = { type, namespace, name, uid, resourceVersion: String(revision) };
  }

  /** Reports whether nothing keeps the event back at `nowMs`. */
  isFree(nowMs: number): boolean {
    return this.dueMs <= nowMs && this.blocks.every(({ active }) => !active);
  }
}
