import { assertEquals, assertMatch } from "@std/assert";
import { madeUpRun } from "./_made_up_run.ts";
import type { BenchResult } from "./results.ts";
import { linesOf, scaleChart } from "./scale_chart.ts";

/** A run in which an object costs 8 µs of a few, and 4 of many. */
function run(): BenchResult {
  const of = (name: string, count: number, objectUs: number) => {
    const made = madeUpRun(name, { kubeloop: { objectUs }, floor: { objectUs: 2 } });
    return { ...made, cases: made.cases.map((one) => ({ ...one, size: { pods: 0, count } })) };
  };
  const [many, few] = [of("scale-10k", 10_000, 4), of("scale-1k", 1_000, 8)];
  return { ...many, cases: [...many.cases, ...few.cases, ...madeUpRun("sync", {}).cases] };
}

Deno.test("linesOf() returns a line for each client, from few objects to many", () => {
  assertEquals(
    linesOf(run(), "objectUs"),
    [
      ["kubeloop", 8, 4] as const,
      ["floor", 2, 2] as const,
    ].map(([client, first, last]) => ({
      client,
      runtime: "deno",
      points: [{ objects: 1_000, value: first }, { objects: 10_000, value: last }],
    })),
  );
});

Deno.test("scaleChart() draws lines on logarithmic scales in one SVG", () => {
  const svg = scaleChart(run());
  assertMatch(svg, /^<svg [^]*<\/svg>\n$/);
  const lines = [...svg.matchAll(/class="(?:kubeloop|floor) deno" points="([\d. ,]+)"/g)];
  const heights = lines.slice(1).map(([, points = ""]) =>
    points.split(" ").map((point) => Number(point.split(",")[1]))
  );
  // From 2 to 8 µs: 4 is in the middle.
  assertEquals(heights, [[52, 127], [202, 202]]);
});
