import { loadClient } from "../clients/mod.ts";
import { CountingHandlers } from "../inside/counting_handlers.ts";
import { cpuMs, memoryAfterGc, peakResidentMiB } from "../inside/process_facts.ts";
import { StallProbe } from "../inside/stall_probe.ts";
import type { Case, Measured, Run } from "./case.ts";
import { INFORMERS } from "./clients.ts";

/** Returns a case that fills an empty cache with `pods` Pods and notifies the handlers of each. */
export function syncCase(name: string, pods: number, options: Partial<Case> = {}): Case {
  return {
    name,
    title: ({ pods }) => `Sync of ${pods.toLocaleString("en")} Pods`,
    figures: [
      { name: "cpuMs", title: "CPU", unit: "ms", isCompared: true },
      { name: "wallMs", title: "time", unit: "ms" },
      { name: "stallMs", title: "longest stall", unit: "ms" },
      { name: "memoryMiB", title: "memory after GC", unit: "MiB", isCompared: true },
      { name: "heapMiB", title: "… heap", unit: "MiB" },
      { name: "offHeapMiB", title: "… off heap", unit: "MiB" },
      { name: "bytesPerPod", title: "per Pod", unit: "B" },
      { name: "peakMiB", title: "peak RSS", unit: "MiB", isCompared: true },
    ],
    clients: INFORMERS,
    size: { pods, count: 1 },
    runs: 8,
    measure,
    ...options,
  };
}

async function measure({ client: name, server, size }: Run): Promise<Measured> {
  const client = await loadClient(name);
  const handlers = new CountingHandlers(client);
  const before = await memoryAfterGc();
  const stall = new StallProbe();
  const cpuAtStart = cpuMs();
  const startedAt = performance.now();
  const informer = client.start({ server }, handlers);
  await handlers.until("adds", size.pods);
  const wallMs = performance.now() - startedAt;
  // Work that is still running after the last handler call is part of the sync.
  await new Promise((resolve) => setTimeout(resolve, 20));
  const cpu = cpuMs() - cpuAtStart;
  const stallMs = stall.stop();
  const peakMiB = peakResidentMiB();
  const after = await memoryAfterGc();
  if (informer.size() !== size.pods) throw new Error(`The cache holds ${informer.size()} Pods`);
  return {
    cpuMs: cpu,
    wallMs,
    stallMs,
    ...after,
    bytesPerPod: (after.memoryMiB - before.memoryMiB) * 1024 * 1024 / size.pods,
    peakMiB,
  };
}
