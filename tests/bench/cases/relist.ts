import { loadClient } from "../clients/mod.ts";
import { CountingHandlers } from "../inside/counting_handlers.ts";
import { cpuMs, peakResidentMiB } from "../inside/process_facts.ts";
import { StallProbe } from "../inside/stall_probe.ts";
import { StubControl } from "../inside/stub_control.ts";
import type { Case, Measured, Run } from "./case.ts";

/** The watch ends with 410, and the new list equals the cache. */
export const relist: Case = {
  name: "relist",
  title: ({ pods }) => `Relist of ${pods.toLocaleString("en")} unchanged Pods after 410`,
  figures: [
    { name: "cpuMs", title: "CPU", unit: "ms", isCompared: true },
    { name: "stallMs", title: "longest stall", unit: "ms" },
    { name: "updates", title: "handler calls", unit: "" },
    { name: "peakMiB", title: "peak RSS", unit: "MiB", isCompared: true },
  ],
  clients: ["floor", "kubeloop", "kubeloop-objects", "client-node"],
  size: { pods: 10_000, count: 1 },
  runs: 8,
  measure,
};

async function measure({ client: name, server, size }: Run): Promise<Measured> {
  const client = await loadClient(name);
  const handlers = new CountingHandlers(client);
  const stub = new StubControl(server);
  client.start({ server }, handlers);
  await handlers.until("adds", size.pods);
  await stub.watchesOpened(1);
  await new Promise((resolve) => setTimeout(resolve, 300));
  // Clients pause before they list again, some for seconds, in which the probe would cost more than the list.
  await stub.expire();
  const stall = new StallProbe();
  const cpuBefore = cpuMs();
  await stub.answer();
  await stub.watchesOpened(2);
  await new Promise((resolve) => setTimeout(resolve, 100));
  return {
    cpuMs: cpuMs() - cpuBefore,
    stallMs: stall.stop(),
    updates: handlers.updates,
    peakMiB: peakResidentMiB(),
  };
}
