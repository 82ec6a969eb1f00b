import type { PodView } from "../clients/informer_client.ts";
import { loadClient } from "../clients/mod.ts";
import { cpuMs, memoryAfterGc } from "../inside/process_facts.ts";
import { StubControl } from "../inside/stub_control.ts";
import { bothEncodings } from "./clients.ts";
import type { Case, Measured, Run } from "./case.ts";

/** A flood of events, each of which is reconciled: what a `Manager` costs beside a `Controller`. */
export const reconciles: Case = {
  name: "reconciles",
  title: ({ pods, count }) =>
    `Reconciles in a flood of ${count.toLocaleString("en")} MODIFIED of ${
      pods.toLocaleString("en")
    } Pods`,
  figures: [
    { name: "cpuUs", title: "CPU per event", unit: "µs" },
    { name: "perEvent", title: "reconciles per event", unit: "" },
    { name: "memoryMiB", title: "memory after GC", unit: "MiB" },
  ],
  clients: bothEncodings("kubeloop-controller", "kubeloop-manager"),
  size: { pods: 10_000, count: 100_000 },
  quickSize: { pods: 10_000, count: 40_000 },
  measure,
};

async function measure({ client: name, server, size }: Run): Promise<Measured> {
  const { pods, count } = size;
  const client = await loadClient(name);
  const stub = new StubControl(server);
  const reconciled = new Reconciled();
  const listed = reconciled.until(() => reconciled.count >= pods);
  client.start({ server }, {
    add() {},
    update() {},
    reconcile: (pod) => reconciled.take(pod),
  });
  await listed;
  await stub.watchesOpened(1);
  await stub.prepare();
  // A warm-up, so that compiled code is measured.
  await flood(stub, reconciled, 5 * pods);
  const reconcilesBefore = reconciled.count;
  const cpuBefore = cpuMs();
  await flood(stub, reconciled, count);
  const cpu = cpuMs() - cpuBefore;
  const perEvent = (reconciled.count - reconcilesBefore) / count;
  const { memoryMiB } = await memoryAfterGc();
  return { cpuUs: cpu * 1000 / count, perEvent, memoryMiB };
}

/** Sends events, and waits for the reconcile that sees the last one, or after a list the last but one. */
async function flood(stub: StubControl, reconciled: Reconciled, count: number): Promise<void> {
  const last = reconciled.newest + count;
  const done = reconciled.until(() => reconciled.newest >= last);
  await stub.flood(count);
  await done;
}

/** Counts reconciled Pods. */
class Reconciled {
  count = 0;
  /** The highest resource version of a Pod. */
  newest = 0;
  #isReached: () => boolean = () => false;
  #reached: () => void = () => {};

  take({ metadata }: PodView): void {
    this.count++;
    const version = Number(metadata.resourceVersion);
    if (version > this.newest) this.newest = version;
    if (this.#isReached()) this.#reached();
  }

  until(isReached: () => boolean): Promise<void> {
    return new Promise((resolve) => {
      this.#isReached = isReached;
      this.#reached = resolve;
    });
  }
}
