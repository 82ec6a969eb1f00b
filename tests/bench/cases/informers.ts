import type { Handlers, RunningInformer } from "../clients/informer_client.ts";
import { floor } from "../clients/floor.ts";
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

/** Counts the calls of its handlers. */
class Calls {
  #calls = 0;
  #wanted = Infinity;
  #reached: () => void = () => {};

  readonly count = (): void => {
    if (++this.#calls === this.#wanted) this.#reached();
  };

  until(calls: number): Promise<void> {
    return new Promise((resolve) => {
      this.#wanted = calls;
      this.#reached = resolve;
      if (this.#calls >= calls) resolve();
    });
  }
}

async function measure({ client: name, size: { count } }: Run): Promise<Measured> {
  const server = await serveSmallObjects(OBJECTS);
  const calls = new Calls();
  const start = name === "floor" ? floorInformers(server) : await informersOfOneClient(server);
  const memoryBefore = (await memoryAfterGc()).memoryMiB;
  const residentBefore = residentMiB();
  const stall = new StallProbe();
  const control = new StubControl(server);
  const cpuAtStart = cpuMs();
  const startedAt = performance.now();
  const informers = Array.from({ length: count }, (_, i) => start(`ns-${i}`, calls.count));
  await calls.until(1);
  const firstMs = performance.now() - startedAt;
  await calls.until(count * OBJECTS);
  await control.watchesOpened(count);
  const wallMs = performance.now() - startedAt;
  const openMs = (cpuMs() - cpuAtStart) / count;
  const stallMs = stall.stop();
  const peakMiB = peakResidentMiB();
  const memoryMiB = (await memoryAfterGc()).memoryMiB - memoryBefore;
  const resident = residentMiB() - residentBefore;
  const cpuBefore = cpuMs();
  await control.flood(CHANGES);
  await calls.until(count * (OBJECTS + CHANGES));
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

type Start = (namespace: string, onCall: () => void) => RunningInformer;

function floorInformers(server: string): Start {
  return (namespace, onCall) => {
    const handlers: Handlers<unknown> = { add: onCall, update: onCall };
    return floor.start({ server, namespace }, handlers);
  };
}

async function informersOfOneClient(server: string): Promise<Start> {
  const { Client, Pods, SharedInformer } = await import("@kubeloop/controller");
  const client = new Client({ server });
  return (namespace, onCall) => {
    const informer = new SharedInformer(client.listerWatcher(Pods, { namespace }), {
      resource: Pods,
    });
    informer.addChangeHandler(onCall);
    informer.run({ signal: new AbortController().signal });
    return { size: () => informer.indexer.size };
  };
}
