import { assertEquals } from "@std/assert";
import type { MetricLabels, MetricsProvider } from "../../../src/base/mod.ts";
import { informerTest } from "../informer/_informer_harness.ts";
import { ReflectorHarness } from "./_reflector_harness.ts";
import { added, failing, listOf, pod, Stream } from "./_scripted_source.ts";

/** Returns a metrics provider that records sums of counters, last values of gauges and all values of histograms. */
function recordingMetrics(): MetricsProvider & { readonly values: Record<string, unknown> } {
  const values: Record<string, unknown> = {};
  const key = (name: string, labels: MetricLabels) => `${name}{${labels["name"]}}`;
  const add = (name: string, labels: MetricLabels, by: number) => {
    values[key(name, labels)] = (values[key(name, labels)] as number ?? 0) + by;
  };
  return {
    values,
    counter: (name, labels) => ({ inc: (by = 1) => add(name, labels, by) }),
    gauge: (name, labels) => ({
      set: (value) => void (values[key(name, labels)] = value),
      inc: (by = 1) => add(name, labels, by),
      dec: (by = 1) => add(name, labels, -by),
    }),
    histogram: (name, labels) => ({
      observe: (value) => void ((values[key(name, labels)] ??= []) as number[]).push(value),
    }),
  };
}

Deno.test("Reflector reports metrics under client-go's names", async () => {
  const metrics = recordingMetrics();
  await using t = new ReflectorHarness({ metrics });
  const stream = new Stream().send(added(pod("c", "12345678901234567")));
  t.source.lists = [failing(new Error("down")), () => listOf("10", pod("a", "1"), pod("b", "2"))];
  t.source.watches = [() => stream, () => new Stream().end(), () => new Stream()];
  await t.start(2_300);
  stream.end();
  await t.clock.advance(0);
  assertEquals(metrics.values, {
    "reflector_lists_total{pods}": 2,
    "reflector_errors_total{pods}": 2,
    "reflector_list_duration_seconds{pods}": [0],
    "reflector_items_per_list{pods}": [2],
    "reflector_watches_total{pods}": 2,
    "reflector_short_watches_total{pods}": 1,
    "reflector_watch_duration_seconds{pods}": [1.5, 0],
    "reflector_items_per_watch{pods}": [1, 0],
    "reflector_last_resource_version{pods}": 345678901234567,
  });
});

informerTest(
  "SharedInformer reports metrics of its queue, its store and its handlers",
  async (harness) => {
    const metrics = recordingMetrics();
    await using t = harness({ metrics });
    t.informer.addEventHandler({
      onAdd: () => {
        throw new Error("no luck");
      },
    });
    t.source.add(pod("a", ""));
    await t.start();
    // The time between two changes does not count as latency.
    await t.clock.advance(5000);
    t.source.modify(pod("a", ""));
    await t.clock.settle();
    const informerMetrics = Object.entries(metrics.values).filter(([name]) =>
      name.startsWith("informer")
    );
    assertEquals(Object.fromEntries(informerMetrics), {
      "informer_queued_items{pods}": 0,
      "informer_processing_latency_seconds{pods}": [0, 0],
      "informer_store_resource_version{pods}": 2,
      "informer_handler_errors_total{pods}": 1,
    });
  },
);
