import { type Clock, describeError, type Logger } from "@kubeloop/controller/internal/base";
import type { Client } from "@kubeloop/controller/client";
import {
  apiVersionOf,
  type DeepReadonly,
  type Event,
  Events,
  formatTime,
  isAlreadyExists,
  isNotFound,
  type KubeObject,
  type ResourceDescriptor,
} from "@kubeloop/controller/types";

/** The number of events that are remembered to be counted. */
const MAX_KNOWN = 1000;
/** An event that occurs again later than this is a new one. */
const FORGOTTEN_AFTER_MS = 600_000;

/** The maximum number of names that are tried for one event. */
const MAX_TRIES = 10;

interface Known {
  readonly name: string;
  count: number;
  atMs: number;
}

/**
 * Writes core/v1 Events as the components of a cluster do: `kubectl describe` shows them. An event that occurs again is
 * counted. An event that cannot be written is dropped, with a line in the debug log.
 */
export class EventWriter {
  readonly #client: Client;
  readonly #clock: Clock;
  readonly #logger: Logger;
  readonly #component: string;
  readonly #known = new Map<string, Known>();
  #written = 0;

  /** Creates a writer. `component` is the source of the events, such as `replicaset-controller`. */
  constructor(
    component: string,
    options: { readonly client: Client; readonly clock: Clock; readonly logger: Logger },
  ) {
    this.#component = component;
    this.#client = options.client;
    this.#clock = options.clock;
    this.#logger = options.logger;
  }

  /**
   * Writes an event about an object.
   *
   * @param event Its `type`, `reason` and `message`, and the field of the object that it is about.
   */
  async write(
    resource: ResourceDescriptor,
    { metadata }: DeepReadonly<KubeObject>,
    { fieldPath, ...event }: {
      readonly type: "Normal" | "Warning";
      readonly reason: string;
      readonly message: string;
      readonly fieldPath?: string;
    },
    signal: AbortSignal,
  ): Promise<void> {
    const { name = "", namespace = "default", resourceVersion, uid } = metadata;
    const key = JSON.stringify([
      resource.kind,
      uid,
      fieldPath,
      event.type,
      event.reason,
      event.message,
    ]);
    const nowMs = this.#clock.now();
    const lastTimestamp = formatTime(this.#clock.wallNow());
    const known = this.#known.get(key);
    try {
      if (known !== undefined && nowMs - known.atMs <= FORGOTTEN_AFTER_MS) {
        this.#remember(key, { name: known.name, count: known.count + 1, atMs: nowMs });
        const patch = { count: known.count + 1, lastTimestamp };
        await this.#client.patch(Events, known.name, patch, { namespace, signal });
        return;
      }
      const created: Omit<Event, "metadata"> = {
        involvedObject: {
          kind: resource.kind,
          apiVersion: apiVersionOf(resource),
          name,
          ...(resource.namespaced && { namespace }),
          ...(uid !== undefined && { uid }),
          ...(resourceVersion !== undefined && { resourceVersion }),
          ...(fieldPath !== undefined && { fieldPath }),
        },
        ...event,
        source: { component: this.#component },
        reportingComponent: this.#component,
        firstTimestamp: lastTimestamp,
        lastTimestamp,
        count: 1,
      };
      for (let tries = 1;; tries++) {
        const metadata = { name: `${name}.${this.#suffix()}`, namespace };
        this.#remember(key, { name: metadata.name, count: 1, atMs: nowMs });
        try {
          await this.#client.create(Events, { ...created, metadata }, { signal });
          return;
        } catch (error) {
          // Another component has taken the name in the same millisecond.
          if (!isAlreadyExists(error) || tries === MAX_TRIES) throw error;
        }
      }
    } catch (error) {
      if (signal.aborted) throw error;
      if (isNotFound(error)) this.#known.delete(key);
      this.#logger.debug(`${this.#component}: an event is lost: ${describeError(error)}`);
    }
  }

  #remember(key: string, known: Known): void {
    this.#known.delete(key);
    this.#known.set(key, known);
    if (this.#known.size <= MAX_KNOWN) return;
    for (const oldest of this.#known.keys()) {
      this.#known.delete(oldest);
      return;
    }
  }

  /** The time in nanoseconds, in hexadecimal; the last digits count the events of the millisecond. */
  #suffix(): string {
    const nanoseconds = BigInt(this.#clock.wallNow()) * 1_000_000n +
      BigInt(this.#written++ % 1_000_000);
    return nanoseconds.toString(16);
  }
}
