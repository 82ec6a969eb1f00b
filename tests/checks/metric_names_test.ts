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
    assert(known !== undefined, `describe ${name} in src/operator/metrics/known_metrics.ts`);
    assertEquals(known.type === "summary" ? "histogram" : known.type, type, name);
    assert(name.endsWith("_total") === (type === "counter"), `${name}: counters end with _total`);
  }
});
