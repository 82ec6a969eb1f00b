import { loadClient } from "../clients/mod.ts";
import { CountingHandlers } from "../inside/counting_handlers.ts";
import { cpu, memoryAfterGc, peakResidentMiB } from "../inside/process_facts.ts";
import { StallProbe } from "../inside/stall_probe.ts";
import { StubControl } from "../inside/stub_control.ts";
import type { Case, Figure, Measured, Run } from "./case.ts";
import { INFORMERS, RECONCILERS } from "./clients.ts";

/** Events as fast as the client can process them: a cold flood, which holds the compilation, and a warm one after it. */
export const flood: Case = floodCase("flood", INFORMERS);

/** The same flood for reconcilers. Their events are counted when their reconciles have ended. */
export const manager: Case = floodCase("manager", [
  "floor",
  "kubeloop",
  "kubeloop-objects",
  ...RECONCILERS,
  "client-go-protobuf",
]);

/** Returns a case of floods for these clients. */
function floodCase(name: string, clients: readonly string[]): Case {
  return {
    name,
    title: ({ pods, count }) =>
      `Flood of twice ${count.toLocaleString("en")} MODIFIED of ${pods.toLocaleString("en")} Pods`,
    figures: [
      { name: "cpuUs", title: "CPU per event, cold", unit: "µs", isCompared: true },
      { name: "warmUs", title: "warm", unit: "µs", isCompared: true },
      { name: "peakMiB", title: "peak RSS", unit: "MiB", isCompared: true },
      { name: "memoryMiB", title: "memory after GC", unit: "MiB" },
      { name: "stallMs", title: "longest stall", unit: "ms" },
      { name: "eventsPerS", title: "events", unit: "/s" },
      { name: "serverUs", title: "server's CPU per event", unit: "µs" },
      ...threads("cpuUs", "cold"),
      ...threads("warmUs", "warm"),
    ],
    clients,
    size: { pods: 10_000, count: 50_000 },
    quickSize: { pods: 10_000, count: 20_000 },
    runs: 8,
    measure,
  };
}

/** Returns the figures of the groups of threads of a flood. */
function threads(flood: string, when: string): Figure[] {
  const table = `Threads, CPU per event, ${when}`;
  const groups = { main: "main", gc: "GC", jit: "JIT", v8: "V8's GC and JIT", other: "other" };
  return Object.entries(groups).map(([group, title]) => {
    return { name: `${flood}.${group}`, title, unit: "µs", table };
  });
}

async function measure({ client: name, server, size }: Run): Promise<Measured> {
  const { pods, count } = size;
  const client = await loadClient(name);
  const handlers = new CountingHandlers(client);
  const stub = new StubControl(server);
  client.start({ server }, handlers);
  await handlers.until("adds", pods);
  await stub.watchesOpened(1);
  await stub.prepare();
  await new Promise((resolve) => setTimeout(resolve, 300));

  const stall = new StallProbe();
  const serverBefore = await stub.state();
  const startedAt = performance.now();
  const cold = await floodOf("cpuUs", count, { stub, handlers });
  const wallMs = performance.now() - startedAt;
  const serverAfter = await stub.state();
  const stallMs = stall.stop();
  const peakMiB = peakResidentMiB();
  const warm = await floodOf("warmUs", count, { stub, handlers });
  const { memoryMiB } = await memoryAfterGc();
  return {
    ...cold,
    ...warm,
    eventsPerS: count / wallMs * 1000,
    stallMs,
    memoryMiB,
    peakMiB,
    serverUs: (serverAfter.cpuMs - serverBefore.cpuMs) * 1000 / count,
  };
}

/** Sends events and returns the CPU time of one, in µs: in all as `name`, and by groups of threads. */
async function floodOf(
  name: string,
  count: number,
  { stub, handlers }: { readonly stub: StubControl; readonly handlers: CountingHandlers },
): Promise<Measured> {
  const before: Measured = cpu();
  const reached = handlers.until("updates", handlers.updates + count);
  await stub.flood(count);
  await reached;
  return Object.fromEntries(
    Object.entries(cpu()).map(([group, ms]) => [
      group === "all" ? name : `${name}.${group}`,
      Math.max(0, ms - (before[group] ?? 0)) * 1000 / count,
    ]),
  );
}
