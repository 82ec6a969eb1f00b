import { loadClient } from "../clients/mod.ts";
import { CountingHandlers } from "../inside/counting_handlers.ts";
import { cpuMs, memoryAfterGc, peakResidentMiB, residentMiB } from "../inside/process_facts.ts";
import { serveSmallObjects } from "../inside/small_objects.ts";
import { StallProbe } from "../inside/stall_probe.ts";
import { StubControl } from "../inside/stub_control.ts";
import type { Case, Measured, Run } from "./case.ts";

/** The number of changes after the list. The first ones are not measured: they compile the code. */
const CHANGES = 50_000;

/** How the cost of an object and of a change grows from a thousand to a million objects of 270 bytes. */
export const SCALE: readonly Case[] = [
  scaleCase("scale-1k", 1_000),
  scaleCase("scale-10k", 10_000),
  scaleCase("scale-100k", 100_000, { isLarge: true }),
  scaleCase("scale-1m", 1_000_000, { isLarge: true, runs: 3 }),
];

function scaleCase(name: string, count: number, options: Partial<Case> = {}): Case {
  return {
    name,
    title: ({ count }) => `${count.toLocaleString("en")} small objects`,
    figures: [
      { name: "objectUs", title: "CPU per listed object", unit: "µs", isCompared: true },
      { name: "eventUs", title: "CPU per change", unit: "µs", isCompared: true },
      { name: "stallMs", title: "longest stall", unit: "ms" },
      { name: "firstMs", title: "time to the first handler call", unit: "ms" },
      { name: "wallMs", title: "time of the list", unit: "ms" },
      { name: "bytesPerObject", title: "memory per object", unit: "B" },
      { name: "peakMiB", title: "peak RSS of the list", unit: "MiB" },
      { name: "staysMiB", title: "RSS after GC", unit: "MiB" },
    ],
    clients: ["floor", "kubeloop", "kubeloop-objects"],
    size: { pods: 0, count },
    measure,
    ...options,
  };
}

async function measure({ client: name, size: { count } }: Run): Promise<Measured> {
  const client = await loadClient(name);
  const server = await serveSmallObjects(count);
  const handlers = new CountingHandlers(client);
  const before = await memoryAfterGc();
  const stall = new StallProbe();
  const cpuAtStart = cpuMs();
  const startedAt = performance.now();
  const informer = client.start({ server }, handlers);
  await handlers.until("adds", 1);
  const firstMs = performance.now() - startedAt;
  await handlers.until("adds", count);
  const wallMs = performance.now() - startedAt;
  // Work that is still running after the last handler call is part of the list.
  await new Promise((resolve) => setTimeout(resolve, 20));
  const listMs = cpuMs() - cpuAtStart;
  const stallMs = stall.stop();
  const peakMiB = peakResidentMiB();
  const after = await memoryAfterGc();
  const staysMiB = residentMiB();
  if (informer.size() !== count) throw new Error(`The cache holds ${informer.size()} objects`);
  const control = new StubControl(server);
  await control.watchesOpened(1);
  await flood(control, handlers);
  return {
    objectUs: listMs / count * 1_000,
    eventUs: await flood(control, handlers) / CHANGES * 1_000,
    stallMs,
    firstMs,
    wallMs,
    bytesPerObject: (after.memoryMiB - before.memoryMiB) * 1024 * 1024 / count,
    peakMiB,
    staysMiB,
  };
}

/** Returns the CPU time of a number of changes. */
async function flood(control: StubControl, handlers: CountingHandlers): Promise<number> {
  const cpuBefore = cpuMs();
  const done = handlers.until("updates", handlers.updates + CHANGES);
  await control.flood(CHANGES);
  await done;
  return cpuMs() - cpuBefore;
}
