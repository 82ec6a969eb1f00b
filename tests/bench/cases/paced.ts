import type { Handlers, PodView } from "../clients/informer_client.ts";
import { loadClient } from "../clients/mod.ts";
import { cpuMs } from "../inside/process_facts.ts";
import { StubControl } from "../inside/stub_control.ts";
import { percentile } from "../stats.ts";
import { bothEncodings } from "./clients.ts";
import type { Case, Measured, Run } from "./case.ts";

const RATE = 2_000;

/** The latency of events at the rate of a busy cluster, from the server to the handler and to the reconcile. */
export const paced: Case = {
  name: "paced",
  title: ({ count }) =>
    `${RATE.toLocaleString("en")} events/s: ${count.toLocaleString("en")} from send to handler`,
  figures: [
    { name: "handlerP99", title: "handler p99", unit: "ms" },
    { name: "handlerP50", title: "handler p50", unit: "ms" },
    { name: "reconcileP99", title: "reconcile p99", unit: "ms" },
    { name: "reconcileP50", title: "reconcile p50", unit: "ms" },
    { name: "cpuUs", title: "CPU per event", unit: "µs", isCompared: true },
  ],
  clients: [
    "floor",
    "kubeloop",
    "kubeloop-objects",
    ...bothEncodings("kubeloop-controller", "kubeloop-manager"),
    "client-node",
  ],
  size: { pods: 10_000, count: 10_000 },
  quickSize: { pods: 10_000, count: 4_000 },
  runs: 3,
  measure,
};

/** Latencies, in milliseconds. */
class Latencies {
  readonly values: number[] = [];

  /** Records the latency of a Pod from an event; ignores Pods of the first list, and events without their Pod. */
  take({ metadata }: PodView): void {
    const sentAtUs = Number(metadata.annotations?.["bench/sent-at"] ?? 0);
    if (sentAtUs === 0) return;
    const nowUs = (performance.timeOrigin + performance.now()) * 1000;
    this.values.push((nowUs - sentAtUs) / 1000);
  }

  /** Returns the percentiles, with names that begin with `name`; empty if there are no values. */
  measured(name: string): Measured {
    const sorted = Float64Array.from(this.values).sort();
    if (sorted.length === 0) return {};
    return { [`${name}P50`]: percentile(sorted, 0.5), [`${name}P99`]: percentile(sorted, 0.99) };
  }
}

async function measure({ client: name, server, size }: Run): Promise<Measured> {
  const client = await loadClient(name);
  const stub = new StubControl(server);
  const [handled, reconciled] = [new Latencies(), new Latencies()];
  let updates = 0;
  let finish = () => {};
  const finished = new Promise<void>((resolve) => finish = resolve);
  const handlers: Handlers<unknown> = {
    add() {},
    update(item) {
      handled.take(client.podOf(item));
      if (++updates === size.count) finish();
    },
    reconcile: (pod) => reconciled.take(pod),
  };
  client.start({ server }, handlers);
  await stub.watchesOpened(1);
  await stub.prepare();
  // Gives the reconciles of the listed Pods time to finish.
  await new Promise((resolve) => setTimeout(resolve, 1_000));
  const cpuBefore = cpuMs();
  await stub.pace(size.count, RATE);
  await finished;
  const cpu = cpuMs() - cpuBefore;
  await new Promise((resolve) => setTimeout(resolve, 100));
  return {
    ...handled.measured("handler"),
    ...reconciled.measured("reconcile"),
    cpuUs: cpu * 1000 / size.count,
  };
}
