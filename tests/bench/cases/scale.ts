import type { CountingHandlers } from "../inside/counting_handlers.ts";
import { cpuMs, residentMiB } from "../inside/process_facts.ts";
import { serveSmallObjects } from "../inside/small_objects.ts";
import { StubControl } from "../inside/stub_control.ts";
import type { Case, Measured, Run } from "./case.ts";
import { measureList } from "./measured_list.ts";

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

async function measure({ client, size: { count } }: Run): Promise<Measured> {
  const server = await serveSmallObjects(count);
  const { handlers, cpuMs, figures } = await measureList(client, server, count);
  const staysMiB = residentMiB();
  const control = new StubControl(server);
  await control.watchesOpened(1);
  await flood(control, handlers);
  const floodMs = await flood(control, handlers);
  return {
    ...figures,
    objectUs: cpuMs / count * 1_000,
    eventUs: floodMs / CHANGES * 1_000,
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
