import { assertAlmostEquals, assertEquals } from "@std/assert";
import { madeUpRun } from "./_made_up_run.ts";
import { judge } from "./targets.ts";

function verdictOn(run: ReturnType<typeof madeUpRun>, what: string) {
  return judge(run).find((one) => one.what.startsWith(what) && one.runtime === "deno");
}

Deno.test("judge() compares with the floor of the same runtime", () => {
  const run = madeUpRun("flood", { floor: { cpuUs: 40 }, kubeloop: { cpuUs: 44 } });
  assertEquals(verdictOn(run, "flood, full objects")?.isReached, true);
  const slower = madeUpRun("flood", { floor: { cpuUs: 40 }, kubeloop: { cpuUs: 44.1 } });
  const verdict = verdictOn(slower, "flood, full objects");
  assertEquals(verdict?.isReached, false);
  assertAlmostEquals(verdict?.value ?? 0, 1.1025);
});

Deno.test("judge() compares with client-go on every runtime", () => {
  const run = madeUpRun("flood", {
    "kubeloop-compact": { cpuUs: 20 },
    "client-go-protobuf": { cpuUs: 40 },
  });
  assertEquals(verdictOn(run, "compact: CPU per event, of client-go's")?.value, 0.5);
});

Deno.test("judge() supports figures of which more is better", () => {
  const reached = (callsM: number) =>
    verdictOn(madeUpRun("queue", { kubeloop: { callsM } }), "work queue")?.isReached;
  assertEquals(reached(6), true);
  assertEquals(reached(4), false);
});

Deno.test("judge() leaves isReached undefined for figures that were not measured", () => {
  const run = madeUpRun("flood", { kubeloop: { cpuUs: 44 } });
  assertEquals(judge(run).filter(({ isReached }) => isReached !== undefined), []);
});
