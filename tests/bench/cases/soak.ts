import { loadClient } from "../clients/mod.ts";
import { CountingHandlers } from "../inside/counting_handlers.ts";
import { cpuMs, memoryAfterGc, peakResidentMiB } from "../inside/process_facts.ts";
import { StubControl } from "../inside/stub_control.ts";
import type { Case, Measured, Run } from "./case.ts";

const ROUNDS = 10;

/** The growth of memory while the same Pods change for hours. */
export const soak: Case = {
  name: "soak",
  title: ({ pods, count }) =>
    `${count.toLocaleString("en")} events of the same ${pods.toLocaleString("en")} Pods`,
  figures: [
    { name: "growthMiB", title: `growth, from ${100 / ROUNDS} % to the end`, unit: "MiB" },
    { name: "firstMiB", title: `memory after GC at ${100 / ROUNDS} %`, unit: "MiB" },
    { name: "lastMiB", title: "in the end", unit: "MiB" },
    { name: "mostMiB", title: "at most", unit: "MiB" },
    { name: "peakMiB", title: "peak RSS", unit: "MiB" },
    { name: "cpuUs", title: "CPU per event", unit: "µs" },
  ],
  clients: ["kubeloop", "kubeloop-objects"],
  size: { pods: 10_000, count: 10_000_000 },
  quickSize: { pods: 10_000, count: 500_000 },
  runs: 1,
  timeoutMs: 30 * 60_000,
  isLong: true,
  measure,
};

async function measure({ client: name, server, size }: Run): Promise<Measured> {
  const client = await loadClient(name);
  const handlers = new CountingHandlers(client);
  const stub = new StubControl(server);
  client.start({ server }, handlers);
  await handlers.until("adds", size.pods);
  await stub.watchesOpened(1);
  await stub.prepare();
  const memory: number[] = [];
  const cpuBefore = cpuMs();
  for (let round = 1; round <= ROUNDS; round++) {
    const count = size.count / ROUNDS;
    const reached = handlers.until("updates", round * count);
    await stub.flood(count);
    await reached;
    const { memoryMiB } = await memoryAfterGc();
    memory.push(memoryMiB);
    console.error(`… ${(round * count).toLocaleString("en")} events: ${memoryMiB.toFixed(1)} MiB`);
  }
  const [firstMiB = NaN] = memory;
  const lastMiB = memory.at(-1) ?? NaN;
  return {
    growthMiB: lastMiB - firstMiB,
    firstMiB,
    lastMiB,
    mostMiB: Math.max(...memory),
    peakMiB: peakResidentMiB(),
    cpuUs: (cpuMs() - cpuBefore) * 1000 / size.count,
  };
}
