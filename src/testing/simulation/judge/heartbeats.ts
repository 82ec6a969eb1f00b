import type { ServerWrite } from "../../api_server/mod.ts";
import { objectName } from "../record/mod.ts";
import { changedFields } from "./last_change.ts";

/** The number of writes in a row that change the same fields of a status, from which on they are a heartbeat. */
const BEATS = 20;
/** The number of writes of an object before its changes are looked at, which takes time. */
const FEW = 5;
/** The least time between two beats, in milliseconds of virtual time. Faster ones are a loop. */
const MIN_INTERVAL_MS = 1000;

interface Beat {
  readonly fields: string;
  readonly count: number;
  readonly atMs: number;
}

/** Recognizes processes that renew a part of a status for ever, so that a run settles although they do. */
export class Heartbeats {
  readonly #now: () => number;
  readonly #writes = new Map<string, number>();
  readonly #last = new Map<string, Beat>();
  readonly #fields = new Set<string>();

  constructor(now: () => number) {
    this.#now = now;
  }

  /** The fields that change with each beat, as in `widgets.example.com default/w status.beats`. */
  get fields(): ReadonlySet<string> {
    return this.#fields;
  }

  /** Reports whether a write has changed nothing but what is known to change with each beat. */
  renews(write: ServerWrite): boolean {
    if (this.#fields.size === 0 || write.type !== "MODIFIED") return false;
    const object = objectName(write);
    return changedFields(write).every((field) => this.#fields.has(`${object} ${field}`));
  }

  /** Reports whether a write is one more beat. */
  isBeat(write: ServerWrite): boolean {
    if (write.type !== "MODIFIED") return false;
    const object = objectName(write);
    const writes = (this.#writes.get(object) ?? 0) + 1;
    this.#writes.set(object, writes);
    if (writes < FEW) return false;
    const changed = changedFields(write);
    // A time, such as that of a condition.
    if (changed.every((field) => field === "")) return true;
    if (!changed.every((field) => /^status\b/.test(field))) {
      this.#last.delete(object);
      return false;
    }
    const fields = changed.join(" ");
    const atMs = this.#now();
    const last = this.#last.get(object);
    const goesOn = last?.fields === fields && atMs - last.atMs >= MIN_INTERVAL_MS;
    const count = goesOn ? last.count + 1 : 1;
    this.#last.set(object, { fields, count, atMs });
    if (count < BEATS) return false;
    for (const field of changed) this.#fields.add(`${object} ${field}`);
    return true;
  }
}
