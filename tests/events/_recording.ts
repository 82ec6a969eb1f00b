import { Client, type EndedRequest } from "@kubeloop/controller/client";
import type { MetricsProvider } from "@kubeloop/controller/base";
import { noopMetrics } from "@kubeloop/controller/base";
import { EventRecorder, EventsV1, type EventV1 } from "@kubeloop/controller/events";
import { type ConfigMap, ConfigMaps, type Stored } from "@kubeloop/controller/types";
import { ApiServer, SeededRandom, VirtualClock } from "@kubeloop/testing";
import { RecordingLogger } from "../support/recording_logger.ts";

/** The namespace of the objects. */
export const namespace = "default";

/** A ConfigMap as a server has stored it. */
export function map(name = "a"): Stored<ConfigMap> {
  return { metadata: { name, namespace, uid: `uid-${name}`, resourceVersion: "7" } };
}

/** A recorder on a virtual clock, and the server it writes to. */
export class Recording implements AsyncDisposable {
  readonly clock: VirtualClock = new VirtualClock();
  readonly server: ApiServer;
  readonly client: Client;
  readonly logger: RecordingLogger = new RecordingLogger();
  readonly recorder: EventRecorder;
  /** The requests of the recorder. */
  readonly ended: EndedRequest[] = [];
  /** The counters by name and labels. */
  readonly metrics: Map<string, number> = new Map();
  readonly stop: AbortController = new AbortController();
  #running: Promise<void> | undefined;

  constructor() {
    this.server = new ApiServer({ clock: this.clock, random: new SeededRandom(1) });
    const metrics: MetricsProvider = {
      ...noopMetrics,
      counter: (name, labels) => ({
        inc: (by = 1) => {
          const key = [name, ...Object.values(labels)].join(" ");
          this.metrics.set(key, (this.metrics.get(key) ?? 0) + by);
        },
      }),
    };
    this.client = new Client({ ...this.server.clientOptions, logger: this.logger, metrics });
    const observed = this.client.observed({ ended: (request) => void this.ended.push(request) });
    this.recorder = new EventRecorder(observed, {
      reportingController: "widgets.acme.io",
      reportingInstance: "widgets-0",
    });
  }

  /** The verbs and statuses of the requests, as in `POST 201`. */
  get requests(): string[] {
    return this.ended.map(({ method, status }) => `${method} ${status}`);
  }

  /** Runs the recorder, and lets it write. */
  async run(): Promise<void> {
    this.#running = this.recorder.run({ signal: this.stop.signal });
    this.#running.catch(() => {});
    await this.clock.advance(100);
  }

  /** Stops the recorder, and waits for its end. */
  async end(): Promise<void> {
    this.stop.abort();
    await this.clock.run(this.#running ?? Promise.resolve());
  }

  /** Records an event about a ConfigMap, and lets it be written. */
  async report(reason = "Rolled", note = "It rolls", name?: string): Promise<void> {
    this.recorder.event(ConfigMaps, map(name), { type: "Normal", reason, note });
    await this.clock.advance(100);
  }

  /** Returns the Events that the server has. */
  async events(): Promise<Stored<EventV1>[]> {
    return (await this.clock.run(this.client.list(EventsV1, {}))).items;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.end();
    await this.client.close();
    await this.server.close();
  }
}
