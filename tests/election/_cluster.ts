import { Client, type Lease, Leases } from "@kubeloop/controller";
import { type MetricsProvider, noopMetrics } from "@kubeloop/controller/base";
import { ApiServer, type FaultRequest, VirtualClock } from "@kubeloop/testing";
import { RecordingLogger } from "../support/recording_logger.ts";

/** A server, a client for each replica, and what they log and measure. */
export class Cluster implements AsyncDisposable {
  readonly clock: VirtualClock = new VirtualClock();
  readonly server: ApiServer = new ApiServer({ clock: this.clock });
  readonly logger: RecordingLogger = new RecordingLogger();
  /** The last values of the metrics, by name. */
  readonly metrics: Map<string, number> = new Map();
  readonly #clients: Client[] = [];

  /** Returns a client of a replica; faults tell it by its user agent. */
  client(userAgent = "somebody"): Client {
    const client = new Client({
      ...this.server.clientOptions,
      namespace: "default",
      userAgent,
      logger: this.logger,
      metrics: this.#provider(),
    });
    this.#clients.push(client);
    return client;
  }

  /** Reads a Lease without a request of one of the replicas. */
  lease(name: string): Promise<Lease> {
    return this.clock.run(this.client().get(Leases, name, { namespace: "default" }));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const client of this.#clients) await client.close();
    await this.server[Symbol.asyncDispose]();
  }

  #provider(): MetricsProvider {
    const { metrics } = this;
    const gauge = (name: string) => ({
      set: (value: number) => void metrics.set(name, value),
      inc: (by = 1) => void metrics.set(name, (metrics.get(name) ?? 0) + by),
      dec: (by = 1) => void metrics.set(name, (metrics.get(name) ?? 0) - by),
    });
    return { ...noopMetrics, counter: gauge, gauge };
  }
}

/** Selects the requests of one replica, optionally only with some verbs. */
export function of(userAgent: string, ...verbs: string[]): (request: FaultRequest) => boolean {
  return ({ headers, verb }) =>
    headers.get("user-agent") === userAgent && (verbs.length === 0 || verbs.includes(verb));
}

/** Resolves when `signal` aborts. */
export function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener("abort", () => resolve(), { once: true });
  });
}
