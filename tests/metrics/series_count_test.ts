/** Counts the lines that a controller adds to `/metrics`. */

import { assert, assertEquals } from "@std/assert";
import { silentLogger } from "../../src/base/mod.ts";
import { Client } from "../../src/client/mod.ts";
import { SharedInformerFactory } from "../../src/cache/mod.ts";
import { Controller } from "../../src/controller/mod.ts";
import { OperatorMetrics, PrometheusRegistry } from "../../src/metrics/mod.ts";
import { ConfigMaps } from "../../src/types/mod.ts";
import { ApiServer, VirtualClock } from "../../src/testing/mod.ts";

/** Returns the lines of a controller with an informer of its own, which has reconciled `objects` objects. */
async function seriesWith(objects: number): Promise<string[]> {
  const clock = new VirtualClock();
  const server = new ApiServer({ clock });
  const metrics = new PrometheusRegistry({ clock });
  await using client = new Client({
    ...server.clientOptions,
    clock,
    metrics,
    logger: silentLogger,
  });
  for (let i = 0; i < objects; i++) {
    await clock.run(
      client.create(ConfigMaps, { metadata: { name: `c${i}`, namespace: "default" } }),
    );
  }
  const informer = new SharedInformerFactory(client).informer(ConfigMaps, { namespace: "default" });
  const stop = new AbortController();
  const seen = new Set<string>();
  const controller = new Controller({
    informer,
    name: "maps",
    reconcile: (key) => {
      seen.add(key);
      if (key.endsWith("1")) throw new Error("one in ten fails");
      return { requeueAfterMs: 60_000 };
    },
  });
  const operator = new OperatorMetrics("maps", metrics);
  for (const write of ["apply", "status", "finalizer"] as const) operator.writeSkipped(write);
  operator.started("first_reconcile", 20);
  operator.started("initial_list", 2_000);
  operator.hotLoop({ resource: "configmaps", field: "data.last", writer: "maps" });
  const running = controller.run({ signal: stop.signal });
  await clock.advance(10_000);
  assertEquals(seen.size, objects);
  stop.abort();
  await clock.run(running);
  const lines = metrics.text().split("\n").filter((line) => line !== "" && !line.startsWith("#"));
  return lines.map((line) => line.slice(0, line.lastIndexOf(" ")))
    .filter((line) => !line.startsWith("process_") && !line.startsWith("rest_client_"));
}

Deno.test("a controller with its informer has fewer than 100 series, whatever the number of objects", async () => {
  const few = await seriesWith(2);
  const many = await seriesWith(200);
  assertEquals(many, few);
  assert(many.length <= 100, `${many.length} series:\n${many.join("\n")}`);
  assert(!many.some((line) => line.includes("c1")), "no object is named");
});
