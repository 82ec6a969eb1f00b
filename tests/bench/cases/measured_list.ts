import { loadClient } from "../clients/mod.ts";
import { CountingHandlers } from "../inside/counting_handlers.ts";
import { cpuMs, memoryAfterGc, peakResidentMiB } from "../inside/process_facts.ts";
import { StallProbe } from "../inside/stall_probe.ts";
import type { Measured } from "./case.ts";

/** An empty cache that was filled with a list, and what that cost. */
export interface MeasuredList {
  /** The handlers, which were notified of each object. */
  readonly handlers: CountingHandlers;
  readonly cpuMs: number;
  /** Times of the list, and the memory that it took. */
  readonly figures: Measured;
}

/** Fills the cache of the client `name` with the `count` objects of a server. */
export async function measureList(
  name: string,
  server: string,
  count: number,
): Promise<MeasuredList> {
  const client = await loadClient(name);
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
  const cpu = cpuMs() - cpuAtStart;
  const stallMs = stall.stop();
  const peakMiB = peakResidentMiB();
  const after = await memoryAfterGc();
  if (informer.size() !== count) throw new Error(`The cache holds ${informer.size()} objects`);
  const bytesPerObject = (after.memoryMiB - before.memoryMiB) * 1024 * 1024 / count;
  return {
    handlers,
    cpuMs: cpu,
    figures: { firstMs, wallMs, stallMs, peakMiB, bytesPerObject, ...after },
  };
}
