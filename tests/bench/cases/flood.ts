import { loadClient } from "../clients/mod.ts";
import { CountingHandlers } from "../inside/counting_handlers.ts";
import { cpuMs, memoryAfterGc, peakResidentMiB } from "../inside/process_facts.ts";
import { StallProbe } from "../inside/stall_probe.ts";
import { StubControl } from "../inside/stub_control.ts";
import type { Case, Measured, Run } from "./case.ts";
import { INFORMERS } from "./clients.ts";

/** Events as fast as the client can process them. */
export const flood: Case = {
  name: "flood",
  title: ({ pods, count }) =>
    `Flood of ${count.toLocaleString("en")} MODIFIED of ${pods.toLocaleString("en")} Pods`,
  figures: [
    { name: "cpuUs", title: "CPU per event", unit: "µs" },
    { name: "eventsPerS", title: "events", unit: "/s" },
    { name: "stallMs", title: "longest stall", unit: "ms" },
    { name: "memoryMiB", title: "memory after GC", unit: "MiB" },
    { name: "peakMiB", title: "peak RSS", unit: "MiB" },
    { name: "serverUs", title: "server's CPU per event", unit: "µs" },
  ],
  clients: INFORMERS,
  size: { pods: 10_000, count: 50_000 },
  quickSize: { pods: 10_000, count: 20_000 },
  measure,
};

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
  const cpuBefore = cpuMs();
  const startedAt = performance.now();
  const reached = handlers.until("updates", count);
  await stub.flood(count);
  await reached;
  const wallMs = performance.now() - startedAt;
  const cpu = cpuMs() - cpuBefore;
  const serverAfter = await stub.state();
  const stallMs = stall.stop();
  const peakMiB = peakResidentMiB();
  const { memoryMiB } = await memoryAfterGc();
  return {
    cpuUs: cpu * 1000 / count,
    eventsPerS: count / wallMs * 1000,
    stallMs,
    memoryMiB,
    peakMiB,
    serverUs: (serverAfter.cpuMs - serverBefore.cpuMs) * 1000 / count,
  };
}
