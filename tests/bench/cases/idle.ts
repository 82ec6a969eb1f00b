import { loadClient } from "../clients/mod.ts";
import { cpuMs, memoryAfterGc, residentMiB } from "../inside/process_facts.ts";
import { StubControl } from "../inside/stub_control.ts";
import type { Case, Measured, Run } from "./case.ts";

const IDLE_S = 5;

/** Informers of one client on namespaces without events. */
export const idle: Case = {
  name: "idle",
  title: ({ count }) => `${count.toLocaleString("en")} informers with idle watches`,
  figures: [
    { name: "residentKib", title: "RSS per watch", unit: "KiB", isCompared: true },
    { name: "memoryKib", title: "memory after GC per watch", unit: "KiB" },
    { name: "openMs", title: "CPU to open one", unit: "ms" },
    { name: "idleMs", title: "CPU of all, idle", unit: "ms/s" },
  ],
  clients: ["floor", "kubeloop", "client-node"],
  size: { pods: 100, count: 1_000 },
  quickSize: { pods: 100, count: 200 },
  runs: 3,
  measure,
};

async function measure({ client: name, server, size }: Run): Promise<Measured> {
  const { count } = size;
  const client = await loadClient(name);
  const memoryBefore = (await memoryAfterGc()).memoryMiB;
  const residentBefore = residentMiB();
  const cpuAtStart = cpuMs();
  const handlers = { add() {}, update() {} };
  const informers = Array.from(
    { length: count },
    (_, i) => client.start({ server, namespace: `idle-${i}` }, handlers),
  );
  await new StubControl(server).watchesOpened(count);
  const opening = cpuMs() - cpuAtStart;
  const { memoryMiB } = await memoryAfterGc();
  const resident = residentMiB() - residentBefore;
  const cpuBefore = cpuMs();
  await new Promise((resolve) => setTimeout(resolve, IDLE_S * 1000));
  const idling = cpuMs() - cpuBefore;
  if (informers.some((informer) => informer.size() > 0)) throw new Error("There are Pods");
  return {
    residentKib: resident * 1024 / count,
    memoryKib: (memoryMiB - memoryBefore) * 1024 / count,
    openMs: opening / count,
    idleMs: idling / IDLE_S,
  };
}
