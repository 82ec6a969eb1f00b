import { loadClient } from "../clients/mod.ts";
import { CountingHandlers } from "../inside/counting_handlers.ts";
import { cpuMs, memoryAfterGc, peakResidentMiB, residentMiB } from "../inside/process_facts.ts";
import { serveSmallObjects } from "../inside/small_objects.ts";
import { StallProbe } from "../inside/stall_probe.ts";
import { StubControl } from "../inside/stub_control.ts";
import type { Case, Measured, Run } from "./case.ts";

/** The number of objects of each informer. */
const OBJECTS = 100;
/** The number of changes that each informer gets. */
const CHANGES = 100;

/** Informers on namespaces of one server, which share a client and its connections. */
export const INFORMERS_OF_ONE_CLIENT: readonly Case[] = [
  informersCase("informers-100", 100),
  informersCase("informers-300", 300),
];

function informersCase(name: string, count: number): Case {
  return {
    name,
    title: ({ count }) => `${count} informers of one client, each with ${OBJECTS} objects`,
    figures: [
      { name: "openMs", title: "CPU to list and watch, each", unit: "ms" },
      { name: "eventUs", title: "CPU per change", unit: "µs" },
      { name: "firstMs", title: "time to the first handler call", unit: "ms" },
      { name: "wallMs", title: "time until all watch", unit: "ms" },
      { name: "stallMs", title: "longest stall", unit: "ms" },
      { name: "residentKib", title: "RSS after GC, each", unit: "KiB" },
      { name: "memoryKib", title: "memory after GC, each", unit: "KiB" },
      { name: "peakMiB", title: "peak RSS", unit: "MiB" },
    ],
    clients: ["floor", "kubeloop"],
    size: { pods: 0, count },
    measure,
  };
}

async function measure({ client: name, size: { count } }: Run): Promise<Measured> {
  const server = await serveSmallObjects(OBJECTS);
  const client = await loadClient(name);
  const handlers = new CountingHandlers(client);
  const memoryBefore = (await memoryAfterGc()).memoryMiB;
  const residentBefore = residentMiB();
  const stall = new StallProbe();
  const control = new StubControl(server);
  const cpuAtStart = cpuMs();
  const startedAt = performance.now();
  const informers = Array.from(
    { length: count },
    (_, i) => client.start({ server, namespace: `ns-${i}` }, handlers),
  );
  await handlers.until("adds", 1);
  const firstMs = performance.now() - startedAt;
  await handlers.until("adds", count * OBJECTS);
  await control.watchesOpened(count);
  const wallMs = performance.now() - startedAt;
  const openMs = (cpuMs() - cpuAtStart) / count;
  const stallMs = stall.stop();
  const peakMiB = peakResidentMiB();
  const memoryMiB = (await memoryAfterGc()).memoryMiB - memoryBefore;
  const resident = residentMiB() - residentBefore;
  const cpuBefore = cpuMs();
  await control.flood(CHANGES);
  await handlers.until("updates", count * CHANGES);
  const eventUs = (cpuMs() - cpuBefore) * 1_000 / (count * CHANGES);
  if (informers.some((informer) => informer.size() !== OBJECTS)) {
    throw new Error("Objects are missing");
  }
  return {
    openMs,
    eventUs,
    firstMs,
    wallMs,
    stallMs,
    residentKib: resident * 1024 / count,
    memoryKib: memoryMiB * 1024 / count,
    peakMiB,
  };
}
