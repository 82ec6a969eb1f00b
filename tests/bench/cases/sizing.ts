import { loadClient } from "../clients/mod.ts";
import { CountingHandlers } from "../inside/counting_handlers.ts";
import { cpuMs, memoryAfterGc, peakResidentMiB, residentMiB } from "../inside/process_facts.ts";
import { StubControl } from "../inside/stub_control.ts";
import type { Case, Measured, Run } from "./case.ts";
import { bothEncodings } from "./clients.ts";

/** The events per second whose CPU is measured, each for some seconds. */
const RATES: readonly number[] = [10, 100, 1_000];
const SECONDS = 5;

/**
 * The resources that a `Manager` needs, which reads each object at its start and after every event. V8's heap is limited:
 * otherwise it grows with the memory of the machine rather than with the cache.
 */
export const SIZING: readonly Case[] = [
  sizingCase("sizing-1k", 1_000, 128),
  sizingCase("sizing-10k", 10_000, 256),
  sizingCase("sizing-50k", 50_000, 512),
];

function sizingCase(name: string, pods: number, heapMiB: number): Case {
  return {
    name,
    heapMiB,
    title: ({ pods }) => `A Manager of ${pods.toLocaleString("en")} Pods`,
    figures: [
      { name: "peakMiB", title: "peak RSS", unit: "MiB" },
      { name: "usedMiB", title: "memory after GC", unit: "MiB" },
      { name: "heapMiB", title: "… heap", unit: "MiB" },
      { name: "residentMiB", title: "RSS after the events", unit: "MiB" },
      { name: "startMs", title: "CPU of the start", unit: "ms" },
      ...RATES.map((rate) => ({
        name: `cpuAt${rate}`,
        title: `CPU at ${rate.toLocaleString("en")} events/s`,
        unit: "mCPU",
      })),
    ],
    clients: bothEncodings("kubeloop-manager"),
    size: { pods, count: SECONDS },
    runs: 3,
    isLong: true,
    measure,
  };
}

async function measure({ client: name, server, size }: Run): Promise<Measured> {
  const client = await loadClient(name);
  const handlers = new CountingHandlers(client);
  const stub = new StubControl(server);
  const cpuAtStart = cpuMs();
  client.start({ server }, handlers);
  await handlers.until("adds", size.pods);
  await stub.watchesOpened(1);
  const startMs = cpuMs() - cpuAtStart;
  await stub.prepare();
  const used: Record<string, number> = {};
  for (const rate of RATES) {
    const cpuBefore = cpuMs();
    await stub.pace(rate * size.count, rate);
    await handlers.until("updates", handlers.updates + rate * size.count);
    used[`cpuAt${rate}`] = (cpuMs() - cpuBefore) / size.count;
  }
  const peakMiB = peakResidentMiB();
  const resident = residentMiB();
  const { heapMiB, memoryMiB } = await memoryAfterGc();
  return { peakMiB, residentMiB: resident, usedMiB: memoryMiB, heapMiB, startMs, ...used };
}
