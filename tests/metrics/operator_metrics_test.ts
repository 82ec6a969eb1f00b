import { assertEquals } from "@std/assert";
import { OperatorMetrics } from "../../src/metrics/mod.ts";
import { RecordingMetrics } from "../workqueue/_recording_metrics.ts";

Deno.test("OperatorMetrics labels a hot loop with the field, but not with keys of lists and maps", () => {
  const metrics = new RecordingMetrics();
  const operator = new OperatorMetrics("widgets", metrics);
  const fields = [
    "status.lastChecked",
    "status.conditions[Ready].lastHeartbeatTime",
    'metadata.annotations["acme.io/checked"]',
    "status.nodes.node-7.seen",
  ];
  for (const field of fields) {
    operator.hotLoop({ resource: "widgets.acme.io", field, writer: "widgets" });
  }
  assertEquals(
    [...metrics.values].filter(([name]) => name.startsWith("kubeloop_hot_loop_fields_total"))
      .map(([name]) => /field="?([^",}]*)/.exec(name)?.[1] ?? name),
    ["status.lastChecked", "status.conditions", "metadata.annotations", "status.nodes"],
  );
});

Deno.test("OperatorMetrics keeps five hot loops of a controller apart, and counts the others together", () => {
  const metrics = new RecordingMetrics();
  const operator = new OperatorMetrics("widgets", metrics);
  for (let i = 0; i < 20; i++) {
    operator.hotLoop({ resource: "widgets.acme.io", field: `status.f${i}`, writer: `w${i}` });
  }
  const loops = [...metrics.values.keys()].filter((name) => name.includes("hot_loop_fields"));
  assertEquals(loops.length, 6);
  assertEquals(loops.at(-1)?.split("other").length, 4, "three labels are other");
});

Deno.test("OperatorMetrics reports seconds, and skipped writes by what would have written", () => {
  const metrics = new RecordingMetrics();
  const operator = new OperatorMetrics("widgets", metrics);
  operator.started("initial_list", 1_500);
  operator.writeSkipped("status");
  operator.writeSkipped("status");
  const value = (part: string) =>
    [...metrics.values].filter(([name]) => part.split(" ").every((one) => name.includes(one)))
      .map(([, value]) => value);
  assertEquals(value("startup initial_list widgets"), [1.5]);
  assertEquals(value("writes_skipped status"), [2]);
  assertEquals(value("writes_skipped apply"), [0], "series exist from the start");
});
