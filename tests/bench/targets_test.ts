import { assertAlmostEquals, assertEquals } from "@std/assert";
import { madeUpRun } from "./_made_up_run.ts";
import { findCase } from "./cases/mod.ts";
import { judge, TARGETS } from "./targets.ts";

function verdictOn(run: ReturnType<typeof madeUpRun>, what: string, limit: string) {
  return judge(run).find((one) =>
    one.what.startsWith(what) && one.limit.includes(limit) && one.runtime === "deno"
  );
}

Deno.test("judge() compares with the floor of the same runtime", () => {
  const run = madeUpRun("flood", { floor: { cpuUs: 40 }, "kubeloop-objects": { cpuUs: 43.2 } });
  const what = "flood: kubeloop, objects: CPU";
  assertEquals(verdictOn(run, what, "floor")?.isReached, true);
  const slower = madeUpRun("flood", { floor: { cpuUs: 40 }, "kubeloop-objects": { cpuUs: 43.6 } });
  const verdict = verdictOn(slower, what, "floor");
  assertEquals(verdict?.isReached, false);
  assertAlmostEquals(verdict?.value ?? 0, 1.09);
});

Deno.test("judge() takes the median of the ratios of each round, and not the ratio of the medians", () => {
  const run = madeUpRun("flood", {
    floor: { cpuUs: [40, 80, 20] },
    kubeloop: { cpuUs: [20, 40, 11] },
  });
  assertEquals(verdictOn(run, "flood: kubeloop: CPU", "floor")?.value, 0.5);
});

Deno.test("judge() compares with client-go on every runtime", () => {
  const run = madeUpRun("flood", {
    kubeloop: { cpuUs: 20 },
    "client-go-protobuf": { cpuUs: 40 },
  });
  assertEquals(verdictOn(run, "flood: kubeloop: CPU", "client-go")?.value, 0.5);
});

Deno.test("judge() leaves isReached undefined for figures that were not measured", () => {
  const run = madeUpRun("flood", { "kubeloop-objects": { cpuUs: 44 } });
  assertEquals(judge(run).filter(({ isReached }) => isReached !== undefined), []);
});

Deno.test("TARGETS name cases, clients and figures that exist", () => {
  for (const [name, client, figure, , over = client] of TARGETS) {
    const { clients, figures } = findCase(name);
    assertEquals([client, over].filter((one) => !clients.includes(one)), [], name);
    assertEquals(figures.some((one) => one.name === figure), true, `${name}: ${figure}`);
  }
});
