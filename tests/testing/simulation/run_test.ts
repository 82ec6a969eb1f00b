/** When a run continues, and its message about a state that is not the expected one. */

import { type ConfigMap, ConfigMaps } from "@kubeloop/controller";
import {
  act,
  create,
  type PlanFault,
  type Process,
  type ProcessEnv,
  settle,
  simulation,
  type SimulationOptions,
  wait,
} from "@kubeloop/testing/simulation";
import { assertEquals, assertStringIncludes } from "@std/assert";

const call = { namespace: "default" };

const idle: Process = () => new Promise(() => {});

function sleep({ clock }: ProcessEnv, ms: number): Promise<void> {
  return new Promise((resolve) => clock.setTimer(() => resolve(), ms));
}

async function wrongs(options: SimulationOptions, ...faults: PlanFault[]): Promise<string[]> {
  const { wrong } = await simulation(options).replay({ seed: 1, faults });
  return wrong.map(({ atMs, message, oracle }) => `${atMs} ${oracle}: ${message}`);
}

/** Creates ConfigMaps for each ConfigMap that is named `want-COUNT`, and gives up at the first error. */
const maker: Process = async ({ client }) => {
  for await (const { object, type } of await client.watch(ConfigMaps, call)) {
    const [, count] = /^want-(\d)$/.exec(object.metadata.name ?? "") ?? [];
    if (type !== "ADDED" || count === undefined) continue;
    try {
      for (let i = 0; i < Number(count); i++) {
        await client.create(ConfigMaps, { metadata: { name: `made-${i}` } }, call);
      }
    } catch {
      // Too bad.
    }
  }
};

const refused: PlanFault = {
  fault: "answer",
  code: 500,
  write: "operator create configmaps default/made-0 #1",
};

Deno.test("a run without faults takes as long as its steps, and as long as nothing must happen after them", async () => {
  const { settled, virtualMs } = await simulation({
    process: idle,
    workload: [wait(1000), create(ConfigMaps, "c"), settle({ quietMs: 5000 })],
  }).replay({ seed: 1, faults: [] });
  assertEquals(virtualMs, 1000 + 5000 + 30_000);
  assertEquals(settled.size, 0);
});

Deno.test("a run says how the end state differs, in up to five fields", async () => {
  const missing = (i: number) => `configmaps default/made-${i} is missing`;
  for (const [count, more] of [[5, ""], [7, "; and 2 more"]] as const) {
    const options = { process: maker, workload: [create(ConfigMaps, `want-${count}`)] };
    const shown = [0, 1, 2, 3, 4].map(missing).join("; ");
    assertEquals(await wrongs(options, refused), [
      "1830000 end state: 30 minutes after the last fault, the end state is not the one of the run without faults: " +
      shown + more,
    ]);
  }
});

Deno.test("a run ends after the step whose state is wrong, even if a later step would repair it", async () => {
  const sim = simulation({
    process: maker,
    workload: [
      create(ConfigMaps, "want-1"),
      settle(),
      create(ConfigMaps, "made-0"),
      settle(),
    ],
    limits: { recoveryMs: 60_000 },
  });
  assertEquals([...(await sim.reference()).settled.keys()], [1, 3]);
  const { endedAfter, history, wrong } = await sim.replay({ seed: 1, faults: [refused] });
  assertEquals(history.moments.filter(({ kind }) => kind === "step").length, 2);
  assertEquals([endedAfter, wrong.map(({ message }) => message)], [1, [
    "1 minutes after the last fault, the state after step 2 is not the one of the run without faults: " +
    "configmaps default/made-0 is missing",
  ]]);
});

Deno.test("a step that acts on what has settled waits until a late watch has caught up, and no other does", async () => {
  const late: PlanFault = {
    fault: "hold",
    process: "operator",
    scope: "kind",
    event: "ADDED configmaps default/c #1",
    forMs: 95_000,
  };
  const acted = async (last: ReturnType<typeof act> | ReturnType<typeof create>) => {
    const workload = [wait(1000), create(ConfigMaps, "c"), settle({ quietMs: 10_000 }), last];
    const { history, virtualMs } = await simulation({ process: maker, workload })
      .replay({ seed: 1, faults: [late] });
    const steps = history.moments.filter(({ kind }) => kind === "step");
    return [steps[2]?.atMs, steps[3]?.atMs, virtualMs];
  };
  // Everything settles again when the fault is over; at the end it does so in any case.
  assertEquals(await acted(act("nothing", () => Promise.resolve())), [1000, 106_000, 136_000]);
  assertEquals(await acted(create(ConfigMaps, "other")), [1000, 11_000, 126_000]);
});

Deno.test("a run that does not settle names the last writer when its time is over", async () => {
  const restless: Process = async (env) => {
    for (let i = 0;; i++) {
      await sleep(env, 8000);
      const data = { i: String(i) };
      await env.client.patch(ConfigMaps, "c", { data } as Partial<ConfigMap>, call).catch(() => {});
    }
  };
  const options = {
    process: restless,
    workload: [create(ConfigMaps, "c"), settle({ quietMs: 12_000 })],
    limits: { stepMs: 60_000 },
  };
  const [first] = await wrongs(options);
  assertEquals(
    first,
    '60000 liveness: It has not settled after 1 minutes: operator changes configmaps default/c, field data.i, from "5" to "6"',
  );
  // Requests that fail are work as well.
  const [second] = await wrongs({ ...options, workload: options.workload.slice(1) });
  assertEquals(second, "60000 liveness: It has not settled after 1 minutes: requests fail");
});

Deno.test("a loop in the moment in which a fault takes effect is worth a note, and any other is an error", async () => {
  const hasty: Process = async ({ client }) => {
    for (let i = 0; i < 70; i++) {
      const data = { i: String(i) };
      await client.patch(ConfigMaps, "c", { data } as Partial<ConfigMap>, call).catch(() => {});
    }
    await new Promise(() => {});
  };
  const options = {
    process: hasty,
    objects: [{ resource: ConfigMaps, object: { metadata: { name: "c" } } }],
    workload: [settle()],
    mask: () => undefined,
  };
  const sim = simulation(options);
  const lose: PlanFault = { fault: "lose", write: "operator patch configmaps default/c #5" };
  const { notes, wrong } = await sim.replay({ seed: 1, faults: [lose] });
  assertEquals(wrong, []);
  assertEquals(notes.some((note) => note.startsWith("operator has changed configmaps")), true);
  assertEquals((await sim.reference()).wrong.map(({ oracle }) => oracle), ["hot loop"]);
});

Deno.test("explore() ends with the findings that were asked for, and reports each plan before", async () => {
  const sim = simulation({
    process: maker,
    workload: [create(ConfigMaps, "want-1"), settle()],
    limits: { recoveryMs: 0 },
  });
  const good = { seed: 1, faults: [] };
  const bad = { seed: 1, faults: [refused] };
  const explored = async (findings?: number) => {
    const progress: string[] = [];
    const { ended, plans } = await sim.explore({
      plans: [good, bad, bad, good],
      budget: { findings },
      onProgress: (plans, findings) => void progress.push(`${plans}:${findings}`),
    });
    return `${ended} ${plans} ${progress.join(" ")}`;
  };
  assertEquals(await explored(), "findings 2 1:0");
  // Both plans show the same bug, which is one finding.
  assertEquals(await explored(2), "all plans 4 1:0 2:1 3:1 4:1");
  const { findings, wrong } = await sim.explore({
    plans: [bad, good, bad],
    budget: { findings: 2 },
  });
  assertEquals([wrong, findings.map(({ plans }) => plans)], [2, [2]]);
  assertStringIncludes(String(findings[0]), "Plans that show it: 2");
});

Deno.test("explore() ends when its plans or its time are used up", async () => {
  const sim = simulation({ process: maker, workload: [create(ConfigMaps, "want-1")] });
  const plans = Array.from({ length: 4 }, () => ({ seed: 1, faults: [] }));
  let nowMs = 0;
  const clock = { now: () => nowMs, wallNow: () => nowMs, setTimer: () => ({ cancel() {} }) };
  const explored = async (budget?: object, planMs = 1000) => {
    nowMs = 0;
    const report = await sim.explore({
      plans,
      clock,
      budget,
      onProgress: () => void (nowMs += planMs),
    });
    return `${report.ended} ${report.plans} ${report.tookMs}`;
  };
  assertEquals(await explored({ plans: 3 }), "plans 3 3000");
  assertEquals(await explored({ plans: 4 }), "all plans 4 4000");
  assertEquals(await explored({ ms: 2000 }), "time 2 2000");
  assertEquals(await explored({ ms: 2001 }), "time 3 3000");
  assertEquals(await explored(undefined, 300_000), "time 2 600000");
});
