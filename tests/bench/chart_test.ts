import { assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { madeUpRun } from "./_made_up_run.ts";
import { barsOf, chart } from "./chart.ts";

const run = madeUpRun("flood", {
  floor: { cpuUs: 40 },
  "kubeloop-objects": { cpuUs: 44 },
  "client-go-json": { cpuUs: 80 },
});

Deno.test("barsOf() returns a bar for each measured client", () => {
  const group = { title: "CPU", case: "flood", figure: "cpuUs", unit: "µs" };
  assertEquals(barsOf(run, group), [
    { label: "kubeloop, objects · Deno", value: 44, isOurs: true },
    { label: "floor · Deno", value: 40, isOurs: false },
    { label: "client-go, JSON", value: 80, isOurs: false },
  ]);
});

Deno.test("chart() draws bars with lengths proportional to their values", () => {
  const widths = [...chart(run).matchAll(/<rect .*? width="([\d.]+)"/g)].map(([, width]) =>
    Number(width)
  );
  assertEquals(widths.length, 3);
  const [ours = 0, floor = 0, most = 0] = widths;
  assertEquals([ours / most, floor / most].map((ratio) => ratio.toFixed(2)), ["0.55", "0.50"]);
});

Deno.test("chart() returns one SVG without unmeasured groups, and escapes text", () => {
  const svg = chart(run);
  assertMatch(svg, /^<svg [^]*<\/svg>\n$/);
  assertStringIncludes(svg, "A &amp; B");
  assertEquals(svg.includes("Import"), false);
});

Deno.test("barsOf() has bars of Bun", () => {
  const group = { title: "CPU", case: "flood", figure: "cpuUs", unit: "µs" };
  const onBun = madeUpRun("flood", { kubeloop: { cpuUs: [20, 30, 22] } }, "bun");
  assertEquals(barsOf(onBun, group), [{ label: "kubeloop · Bun", value: 22, isOurs: true }]);
});
