import type { Case, Measured, Run } from "./case.ts";
import { INFORMERS } from "./clients.ts";
import { measureList } from "./measured_list.ts";

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
      { name: "bytesPerObject", title: "per Pod", unit: "B" },
      { name: "peakMiB", title: "peak RSS", unit: "MiB", isCompared: true },
    ],
    clients: INFORMERS,
    size: { pods, count: 1 },
    runs: 8,
    measure,
    ...options,
  };
}

async function measure({ client, server, size }: Run): Promise<Measured> {
  const { cpuMs, figures } = await measureList(client, server, size.pods);
  return { ...figures, cpuMs };
}
