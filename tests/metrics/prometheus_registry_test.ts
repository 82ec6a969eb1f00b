import { assert, assertEquals, assertStrictEquals, assertThrows } from "@std/assert";
import {
  combineMetrics,
  meterMetrics,
  metricsHandler,
  PrometheusRegistry,
} from "../../src/metrics/mod.ts";
import { noopMetrics } from "../../src/base/mod.ts";
import { VirtualClock } from "../../src/testing/mod.ts";
import { RecordingLogger } from "../support/recording_logger.ts";

function registry(options: { maxBuckets?: number } = {}) {
  const logger = new RecordingLogger();
  const metrics = new PrometheusRegistry({ clock: new VirtualClock(), logger, ...options });
  /** The lines of one metric. */
  const lines = (name: string) =>
    metrics.text().split("\n").filter((line) => line.includes(name) && !line.startsWith("# HELP"));
  return { logger, metrics, lines };
}

Deno.test("PrometheusRegistry.text() has help, types, buckets, sum and count, in one order", () => {
  const { metrics } = registry();
  const queue = { name: "widgets" };
  metrics.histogram("my_seconds", { b: "2", a: "1" }, [0.1, 1, Infinity]).observe(0.5);
  metrics.histogram("my_seconds", { a: "1", b: "2" }, [0.1, 1, Infinity]).observe(0.1);
  metrics.histogram("my_seconds", { a: "1", b: "2" }, [0.1, 1, Infinity]).observe(60);
  metrics.gauge("workqueue_depth", queue).inc(3);
  metrics.gauge("workqueue_depth", queue).dec();
  metrics.counter("my_total", { of: "b" }).inc();
  metrics.counter("my_total", { of: "a" }).inc(2.5);
  metrics.gauge("process_start_time_seconds", {}).set(1_600_000_000.25);
  assertEquals(
    metrics.text(),
    `# TYPE my_seconds histogram
my_seconds_bucket{a="1",b="2",le="0.1"} 1
my_seconds_bucket{a="1",b="2",le="1"} 2
my_seconds_bucket{a="1",b="2",le="+Inf"} 3
my_seconds_sum{a="1",b="2"} 60.6
my_seconds_count{a="1",b="2"} 3
# TYPE my_total counter
my_total{of="a"} 2.5
my_total{of="b"} 1
# HELP process_start_time_seconds Start of the process, in seconds since the Unix epoch.
# TYPE process_start_time_seconds gauge
process_start_time_seconds 1600000000.25
# HELP workqueue_depth Number of keys that wait in the queue.
# TYPE workqueue_depth gauge
workqueue_depth{name="widgets"} 2
`,
  );
});

Deno.test("PrometheusRegistry gives the same series for the same name and labels in any order", () => {
  const { metrics } = registry();
  assertStrictEquals(
    metrics.counter("x_total", { a: "1", b: "2" }),
    metrics.counter("x_total", { b: "2", a: "1" }),
  );
});

Deno.test("PrometheusRegistry presents reflector histograms as summaries, as client-go does", () => {
  const { lines, metrics } = registry();
  metrics.histogram("reflector_items_per_list", { name: "pods" }, [0, 1, 10]).observe(7);
  assertEquals(lines("reflector_items_per_list"), [
    "# TYPE reflector_items_per_list summary",
    'reflector_items_per_list_sum{name="pods"} 7',
    'reflector_items_per_list_count{name="pods"} 1',
  ]);
});

Deno.test("PrometheusRegistry keeps ten buckets of many, spread over the whole range, or all", () => {
  const bounds = Array.from({ length: 40 }, (_, i) => (i + 1) / 10);
  const shown = (maxBuckets?: number) => {
    const { lines, metrics } = registry(maxBuckets === undefined ? {} : { maxBuckets });
    metrics.histogram("x_seconds", {}, bounds).observe(0.15);
    return lines("x_seconds_bucket").map((line) => line.slice("x_seconds_bucket{le=".length));
  };
  assertEquals(
    shown().map((line) => line.slice(1, line.indexOf('"', 1))),
    ["0.1", "0.2", "0.3", "0.4", "0.5", "0.8", "1.2", "1.8", "2.7", "4", "+Inf"],
  );
  assertEquals(shown(2), ['"0.1"} 0', '"4"} 1', '"+Inf"} 1']);
  assertEquals(shown(Infinity).length, 41);
});

Deno.test("PrometheusRegistry escapes label values and cuts long ones", () => {
  const { lines, metrics } = registry();
  metrics.counter("x_total", { v: 'a"b\\c\nd' }).inc();
  metrics.counter("y_total", { v: "é".repeat(300) }).inc();
  assertEquals(lines("x_total{"), ['x_total{v="a\\"b\\\\c\\nd"} 1']);
  assertEquals(lines("y_total{"), [`y_total{v="${"é".repeat(256)}…"} 1`]);
  metrics.counter("z_total", { v: "é".repeat(256) }).inc();
  assertEquals(lines("z_total{"), [`z_total{v="${"é".repeat(256)}"} 1`]);
});

Deno.test("PrometheusRegistry keeps a thousand metrics, and continues with them when more are added", () => {
  const { metrics } = registry();
  // One is the start time of the process.
  for (let i = 1; i < 1_000; i++) metrics.counter(`x${i}_total`, {});
  assertThrows(
    () => metrics.counter("more_total", {}),
    RangeError,
    "Cannot add the metric more_total: there are 1000 names; use labels instead",
  );
  metrics.counter("x999_total", { a: "b" }).inc();
});

Deno.test("PrometheusRegistry counts the sets of labels after the hundredth together, and logs once", () => {
  const { lines, logger, metrics } = registry();
  for (let i = 0; i < 300; i++) {
    metrics.counter("x_total", { name: `n${i}` }).inc();
    // Other names of labels each time make no further series either.
    if (i >= 100) metrics.counter("x_total", { [`name${i}`]: "n" }).inc();
    metrics.gauge("x_now", { name: `n${i}` }).set(i);
    metrics.histogram("x_seconds", { name: `n${i}` }, [1]).observe(i);
  }
  assertEquals(lines("x_total{").length, 101);
  assert(lines("x_total{").includes('x_total{name="other"} 400'));
  assertEquals(lines("x_now{").length, 100, "gauges would overwrite each other");
  assert(lines("x_seconds_count").includes('x_seconds_count{name="other"} 200'));
  assertEquals(logger.of("warn").length, 3);
  assertEquals(
    logger.of("warn")[0],
    'The metric x_total has more than 100 sets of labels: further ones count as "other" (logged once); ' +
      "do not use names of objects as labels",
  );
});

Deno.test("PrometheusRegistry keeps the count of a label value that is other", () => {
  const { lines, metrics } = registry();
  const own = metrics.counter("x_total", { name: "other" });
  own.inc(1_000);
  for (let i = 0; i < 200; i++) metrics.counter("x_total", { name: `n${i}` }).inc();
  own.inc(1_000);
  assertEquals(lines('x_total{name="other"}'), ['x_total{name="other"} 2101']);
});

Deno.test("PrometheusRegistry refuses names and labels that Prometheus would refuse, with the reason", () => {
  const { metrics } = registry();
  for (const name of ["", "a-b", "1a", "é", undefined as unknown as string]) {
    assertThrows(() => metrics.counter(name, {}), TypeError, "The name of a metric must match");
  }
  for (const label of ["", "a-b", "__a", "le", "quantile", "a:b"]) {
    assertThrows(
      () => metrics.counter("x_total", { [label]: "" }),
      TypeError,
      "A label of x_total",
    );
  }
  metrics.counter("x_total", {});
  assertThrows(
    () => metrics.gauge("x_total", {}),
    TypeError,
    "The metric x_total is a counter, and cannot be a gauge as well",
  );
  assertThrows(
    () => metrics.histogram("h", {}, [1, 1]),
    RangeError,
    "numbers that increase: received 1, 1",
  );
  assertThrows(() => metrics.histogram("h", {}, [NaN]), RangeError);
  assertThrows(() => metrics.counter("x_total", {}).inc(-1), RangeError, "received -1");
  assertThrows(() => metrics.counter("x_total", {}).inc(NaN), RangeError);
  assertThrows(() => metrics.histogram("h", {}, [1]).observe(NaN), RangeError);
  for (const maxBuckets of [1, 2.5, NaN]) {
    assertThrows(() => new PrometheusRegistry({ maxBuckets }), RangeError, "maxBuckets");
  }
});

Deno.test("PrometheusRegistry refuses two metrics with the same lines: Prometheus would refuse all", () => {
  const { metrics } = registry();
  for (const suffix of ["_bucket", "_sum", "_count"]) {
    metrics.histogram("x_seconds", {}, [1]);
    assertThrows(
      () => metrics.counter(`x_seconds${suffix}`, {}),
      TypeError,
      `The counter x_seconds${suffix} cannot be told from the histogram x_seconds`,
    );
    metrics.gauge(`y_seconds${suffix}`, {});
    assertThrows(
      () => metrics.histogram("y_seconds", {}, [1]),
      TypeError,
      "The histogram y_seconds cannot be told from the gauge y_seconds_",
    );
  }
  metrics.histogram("reflector_list_duration_seconds", {}, [1]);
  assertThrows(
    () => metrics.gauge("reflector_list_duration_seconds_sum", {}),
    TypeError,
    "from the summary",
  );
  metrics.counter("z", {});
  metrics.counter("z_count", {}).inc();
  metrics.gauge("z_sum", {}).set(1);
});

Deno.test("PrometheusRegistry refuses wrong arguments of plain JavaScript, with the reason", () => {
  const { metrics } = registry();
  const given = (value: unknown) => value as never;
  for (const labels of [undefined, null, "eu"]) {
    assertThrows(() => metrics.counter("x_total", given(labels)), TypeError, "labels of x_total");
  }
  const counter = metrics.counter("x_total", {});
  for (const by of ["5", 5n, null]) assertThrows(() => counter.inc(given(by)), RangeError);
  counter.inc(2);
  assert(metrics.text().includes("\nx_total 2\n"));
  const gauge = metrics.gauge("x_now", {});
  for (const value of ["5", 5n, null]) {
    for (const change of ["set", "inc", "dec"] as const) {
      assertThrows(() => gauge[change](given(value)), TypeError, "A gauge has a number");
    }
  }
  gauge.inc(2);
  assert(metrics.text().includes("\nx_now 2\n"));
  for (const buckets of [undefined, [NaN], "abc"]) {
    assertThrows(() => metrics.histogram("h", {}, given(buckets)), RangeError, "buckets of h");
  }
});

Deno.test("PrometheusRegistry merges label values that are equal after encoding", () => {
  const { lines, metrics } = registry();
  for (const a of ["\ud800", "\ud801", "\ufffd"]) metrics.counter("x_total", { a }).inc();
  const cut = "a".repeat(255) + "\u{1f600}";
  metrics.counter("y_total", { a: cut }).inc();
  assertEquals(lines("x_total{"), ['x_total{a="\ufffd"} 3']);
  assert(metrics.text().isWellFormed());
});

Deno.test("meterMetrics() refuses an invalid meter, and a name with two types", () => {
  for (const meter of [undefined, {}]) {
    assertThrows(() => meterMetrics(meter as never), TypeError, "Expected a Meter");
  }
  const instrument = () => ({ add: () => {}, record: () => {} });
  const provider = meterMetrics({
    createCounter: instrument,
    createGauge: instrument,
    createHistogram: instrument,
  });
  provider.counter("x_total", {});
  assertThrows(
    () => provider.gauge("x_total", {}),
    TypeError,
    "The metric x_total is a counter, and cannot be a gauge as well",
  );
});

Deno.test("PrometheusRegistry writes numbers as Prometheus reads them", () => {
  const { lines, metrics } = registry();
  for (const value of [NaN, Infinity, -Infinity, 1e21, 1e-8, -0.5]) {
    metrics.gauge("x_now", { v: `${value}` }).set(value);
  }
  assertEquals(lines("x_now{"), [
    'x_now{v="-0.5"} -0.5',
    'x_now{v="-Infinity"} -Inf',
    'x_now{v="1e+21"} 1e+21',
    'x_now{v="1e-8"} 1e-8',
    'x_now{v="Infinity"} +Inf',
    'x_now{v="NaN"} NaN',
  ]);
});

Deno.test("metricsHandler() answers GET and HEAD with the content type of the text format", async () => {
  const { metrics } = registry();
  const ask = (method: string) =>
    metricsHandler(metrics)(new Request("http://localhost/metrics", { method }));
  assertEquals(ask("GET").headers.get("content-type"), "text/plain; version=0.0.4; charset=utf-8");
  assertEquals(await ask("GET").text(), metrics.text());
  assertEquals(await ask("HEAD").text(), "");
  assertEquals([ask("POST").status, ask("POST").headers.get("allow")], [405, "GET, HEAD"]);
});

Deno.test("combineMetrics() reports to each provider", () => {
  const [a, b] = [registry().metrics, registry().metrics];
  const both = combineMetrics(a, noopMetrics, b);
  both.counter("x_total", {}).inc(2);
  const gauge = both.gauge("x_now", {});
  gauge.set(5);
  gauge.inc();
  gauge.dec(3);
  both.histogram("x_seconds", {}, [1]).observe(4);
  const text = a.text();
  assertEquals(b.text(), text);
  for (const line of ["x_total 2\n", "x_now 3\n", "x_seconds_sum 4\n"]) assert(text.includes(line));
});
