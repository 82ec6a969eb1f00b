/** The counts of requests of one kind. */
export interface KindCounts {
  requests: number;
  /** The bytes of the bodies that were sent. */
  sent: number;
  /** The bytes of the bodies that were received. */
  received: number;
  /** Whether requests of this kind may change an object that is not a Lease or an Event. */
  readonly isWrite: boolean;
}

/** The objects that one watch of a process covers. */
export interface CacheCounts {
  objects: number;
  /** The bytes of the objects in JSON. */
  bytes: number;
}

/** The reconciles of one controller that one kind of event has caused. */
export interface TriggerCounts {
  readonly controller: string;
  /** The resource of the events, or {@linkcode TIMER}. */
  readonly trigger: string;
  count: number;
}

/** The trigger of keys that come without an event: a resync, or a key that was added with a delay. */
export const TIMER = "a timer";

/** The counts of one phase of a run. */
export class Tally {
  /** The requests by kind, as in `get pods` and `patch widgets.example.com/status`. */
  readonly kinds: Map<string, KindCounts> = new Map();
  /** The events of watches by resource. */
  readonly events: Map<string, number> = new Map();
  /** The finished reconciles by controller. */
  readonly reconciles: Map<string, number> = new Map();
  /** The keys that were added to queues, by controller and trigger. */
  readonly added: Map<string, TriggerCounts> = new Map();
  /** The requests by kind and by what came just before them. */
  readonly before: Map<string, Map<string, number>> = new Map();
  /** The caches at the end of the phase, by what they hold. */
  readonly caches: Map<string, CacheCounts> = new Map();

  /** Returns the counts of a kind of requests. */
  kind(kind: string, isWrite: boolean): KindCounts {
    let counts = this.kinds.get(kind);
    if (counts === undefined) {
      counts = { requests: 0, sent: 0, received: 0, isWrite };
      this.kinds.set(kind, counts);
    }
    return counts;
  }

  /** Counts a request after an event of `trigger`. */
  follows(kind: string, trigger: string): void {
    let triggers = this.before.get(kind);
    if (triggers === undefined) this.before.set(kind, triggers = new Map());
    increase(triggers, trigger);
  }

  /** Counts a key that was added to a queue. */
  add(controller: string, trigger: string): void {
    const key = triggerKey(controller, trigger);
    const counts = this.added.get(key);
    if (counts === undefined) this.added.set(key, { controller, trigger, count: 1 });
    else counts.count++;
  }

  /** Counts what a watch holds at the end of the phase. */
  cache(what: string, objects: number, bytes: number): void {
    const counts = this.caches.get(what);
    if (counts === undefined) this.caches.set(what, { objects, bytes });
    else {
      counts.objects += objects;
      counts.bytes += bytes;
    }
  }
}

/** Returns the name of a controller with a trigger. */
export function triggerKey(controller: string, trigger: string): string {
  return `${controller} by ${trigger}`;
}

/** Adds `by` to a count. */
export function increase(counts: Map<string, number>, name: string, by = 1): void {
  counts.set(name, (counts.get(name) ?? 0) + by);
}
