/** Checks that every metric that the sources report is described, and that dashboards show only such metrics. */

import { assert, assertEquals } from "@std/assert";
import { KNOWN_METRICS } from "../../src/operator/mod.ts";

const SOURCES = new URL("../../src/", import.meta.url);

/** The calls that make a series: the name comes first, or is a variable. */
const CALL = /\.(counter|gauge|histogram)\(\s*"([^"]*)"|#count\("(rest_[^"]*)"/g;

async function* sourceFiles(folder: URL): AsyncGenerator<URL> {
  for await (const { name, isDirectory } of Deno.readDir(folder)) {
    if (isDirectory) yield* sourceFiles(new URL(`${name}/`, folder));
    else if (name.endsWith(".ts")) yield new URL(name, folder);
  }
}

/** Returns the type of each metric that a source reports. Examples in comments count nothing. */
async function reported(): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  for await (const file of sourceFiles(SOURCES)) {
    if (file.pathname.includes("/src/testing/")) continue;
    const text = await Deno.readTextFile(file);
    const code = text.split("\n").filter((line) => !line.trimStart().startsWith("*")).join("\n");
    for (const [, type = "counter", made, counted] of code.matchAll(CALL)) {
      found.set((made ?? counted)!, type);
    }
  }
  return found;
}

Deno.test("KNOWN_METRICS describes every metric that the sources report, with its type", async () => {
  const metrics = await reported();
  assert(metrics.size >= 30, "finds the metrics");
  for (const [name, type] of metrics) {
    const known = KNOWN_METRICS[name];
    assert(known !== undefined, `describe ${name} in src/metrics/known_metrics.ts`);
    assertEquals(known.type === "summary" ? "histogram" : known.type, type, name);
    assert(name.endsWith("_total") === (type === "counter"), `${name}: counters end with _total`);
  }
});

/** The words of PromQL, its functions, and the labels that the dashboard uses. */
const NOT_METRICS: ReadonlySet<string> = new Set(
  ("by code controller field histogram_quantile increase instance job label_values le max method min name phase rate " +
    "reason resource result state status sum time type verb write writer").split(" "),
);

/** Returns the names of the metrics in a PromQL expression, without the parts of histograms and summaries. */
function metricsIn(expression: string): string[] {
  const plain = expression.replace(/"[^"]*"/g, "").replace(/\[[^\]]*\]/g, "");
  const words = plain.match(/[a-z_][a-z0-9_]*/g) ?? [];
  return words.filter((word) => !NOT_METRICS.has(word)).map((word) => {
    const whole = word.replace(/_(bucket|sum|count)$/, "");
    return KNOWN_METRICS[word] === undefined ? whole : word;
  });
}

Deno.test("the Grafana dashboard shows only existing metrics, with their type", async () => {
  const text = await Deno.readTextFile(
    new URL("../../docs/grafana/kubeloop.json", import.meta.url),
  );
  const { panels, templating } = JSON.parse(text);
  const expressions: string[] = [
    ...panels.flatMap(({ targets = [] }) => targets.map(({ expr }: { expr: string }) => expr)),
    ...templating.list.flatMap(({ definition }: { definition?: string }) => definition ?? []),
  ];
  assert(expressions.length > 25);
  const shown = new Set<string>();
  for (const expression of expressions) {
    const metrics = metricsIn(expression);
    assert(metrics.length > 0, `${expression} shows a metric`);
    for (const name of metrics) {
      const known = KNOWN_METRICS[name];
      assert(known !== undefined, `${expression}: there is no metric ${name}`);
      assertEquals(
        known.type === "counter",
        /\b(rate|increase|label_values)\(/.test(expression) &&
          !/_bucket|_sum/.test(expression),
        `${expression}: ${name} is a ${known.type}`,
      );
      assertEquals(known.type === "histogram", expression.includes(`${name}_bucket`), expression);
      shown.add(name);
    }
  }
  const hidden = Object.keys(KNOWN_METRICS).filter((name) => !shown.has(name));
  assertEquals(hidden, [
    "kubeloop_event_writes_total",
    "kubeloop_events_total",
    "kubeloop_reference_waiting_keys",
    "kubeloop_reference_watches",
    "workqueue_unfinished_work_seconds",
    "workqueue_work_duration_seconds",
    "informer_handler_errors_total",
    "informer_process_errors_total",
    "informer_processing_latency_seconds",
    "informer_store_resource_version",
    "reflector_items_per_list",
    "reflector_items_per_watch",
    "reflector_last_resource_version",
    "reflector_watch_duration_seconds",
    "leader_election_slowpath_total",
    "kubeloop_shards_owned",
  ]);
});
