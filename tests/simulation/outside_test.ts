/** Programs and plans that do not fit a simulation. */

import { assertEquals, assertMatch, assertRejects } from "@std/assert";
import { ConfigMaps } from "../../mod.ts";
import {
  assertClean,
  create,
  type Plan,
  type PlanFault,
  type Process,
  settle,
  simulation,
} from "../../src/testing/simulation/mod.ts";

const CALL = { namespace: "default" };
const WORKLOAD = [create(ConfigMaps, "want"), settle()];

/** Makes one ConfigMap, for which `name` is called, until it is there. */
function maker(name: () => string | Promise<string>): Process {
  return async ({ client, clock }) => {
    for (;;) {
      const metadata = { name: await name() };
      try {
        await client.create(ConfigMaps, { metadata }, CALL);
        break;
      } catch {
        await new Promise<void>((resolve) => clock.setTimer(resolve, 1000));
      }
    }
    await new Promise(() => {});
  };
}

Deno.test("a program that uses the clock, the chance or the timers of the runtime is named with its line", async () => {
  const process = maker(() => {
    clearTimeout(setTimeout(() => {}, 0));
    return `made-${0 * (Math["random"]() + Date.now())}`;
  });
  const { outside, wrong } = await simulation({ process, workload: WORKLOAD }).reference();
  assertEquals(wrong, []);
  const used = outside.map((one) =>
    /^operator uses (.*)\(\) at .*outside_test.ts:\d+[^:]*: use (.*)$/.exec(one)
  );
  assertEquals(used.map((found) => found?.slice(1).join(": ")), [
    "setTimeout: env.clock.setTimer()",
    "Math.random: env.random",
    "Date.now: env.clock.wallNow() or env.clock.now()",
  ]);
  assertEquals(Date.now.toString().includes("native code"), true, "the guard is gone");
});

Deno.test("a program whose equal runs differ is wrong without any fault", async () => {
  let runs = 0;
  const sim = simulation({ process: maker(() => `made-${++runs}`), workload: WORKLOAD });
  const { wrong } = await sim.reference();
  const differ = wrong.find(({ oracle }) => oracle === "process");
  assertMatch(
    differ?.message ?? "",
    /^Two equal runs without faults differ: first \[.*made-1.*\], then \[/,
  );
});

Deno.test("a program that awaits a hash is right, whenever it is computed", async () => {
  const process = maker(async () => {
    const hash = await crypto.subtle.digest("SHA-256", new TextEncoder().encode("want"));
    return `made-${new Uint8Array(hash)[0]}`;
  });
  const report = await simulation({ process, workload: WORKLOAD })
    .explore({ budget: { plans: 60, ms: Infinity } });
  assertEquals(report.outside, []);
  const { findings: [finding] } = report;
  // Only what the program forgets: that the object may be there.
  assertEquals(finding?.record.wrong[0]?.message.includes("missing") ?? false, false);
});

Deno.test("replay() refuses a plan that does not fit any more, and says which part", async () => {
  const sim = simulation({ process: maker(() => "made"), workload: WORKLOAD });
  const write = "operator create configmaps default/made #1";
  const replay = async (...faults: unknown[]) => {
    const plan = { seed: 1, faults } as Plan;
    const { message } = await assertRejects(() => sim.replay(plan), RangeError);
    return message.split("\n").slice(1);
  };
  const crash: PlanFault = { fault: "crash", when: "after", write };
  assertEquals((await sim.replay({ seed: 1, faults: [crash] })).taken, new Set([crash]));
  console.log(
    (await sim.reference()).wrong,
    (await sim.try({ seed: 1, faults: [crash] })).history.lines().slice(0, 30),
  );
  assertEquals(await replay(crash, { fault: "lose", write: "operator create pods default/p #1" }), [
    '- [operator create pods default/p #1] is carried out, but its answer is lost: write "operator create pods default/p #1" did not happen',
  ]);
  assertEquals(await replay({ fault: "restart", process: "other", step: 1 }), [
    "- other is killed and started again after step 2: there is no process other, only operator",
  ]);
  assertEquals(await replay({ fault: "skip", step: 7 }), [
    "- the workload does not wait at step 8: there is no step 8: the workload has 2",
  ]);
  for (
    const [fault, why] of [
      [{ fault: "crash", when: "during", write }, 'when must be "before" or "after" in '],
      [{ fault: "lose" }, "write must be a text in "],
      [{ fault: "restart", process: "operator", step: -1 }, "step must be the index of a step in "],
      [{ fault: "pause", write, forMs: "5" }, "forMs must be a time in milliseconds in "],
      [
        { fault: "answer", code: 500, write, times: 0 },
        "times must be a whole number of at least 1",
      ],
      [{ fault: "late", ms: 5 }, "an unknown field: ms in "],
      [{ fault: "toString" }, "Unknown fault in a plan: "],
    ] as const
  ) {
    const plan = { seed: 1, faults: [fault] } as unknown as Plan;
    await assertRejects(() => sim.replay(plan), SyntaxError, why);
  }
});

Deno.test("limits may be raised: a run of thirty days, and more writes in a minute", async () => {
  const busy: Process = async ({ client, clock }) => {
    for (let i = 0;; i++) {
      const data = { i: String(i % 100) };
      await client.patch(ConfigMaps, "want", { data }, CALL).catch(() => {});
      await new Promise<void>((resolve) =>
        clock.setTimer(resolve, i % 100 === 99 ? 3_600_000 : 10)
      );
    }
  };
  const month = 30 * 86_400_000;
  const options = {
    process: busy,
    workload: [create(ConfigMaps, "want"), settle({ quietMs: 60_000 })],
  };
  const limits = { writesPerMinute: 1000, virtualMs: month + 1 };
  assertEquals((await simulation({ ...options, limits }).reference()).wrong, []);
  const [hot] = (await simulation(options).reference()).wrong;
  assertEquals(hot?.oracle, "hot loop");
});

Deno.test("assertClean() passes what has run all its plans with one fault", async () => {
  const right = maker(() => "made");
  const sim = simulation({ process: right, workload: [settle()] });
  const report = await sim.explore({ budget: { plans: 300 } });
  assertEquals(report.coverage.derived > 60, true);
  assertClean(report);
});
