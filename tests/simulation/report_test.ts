import {
  assert,
  assertEquals,
  assertRejects,
  assertStringIncludes,
  assertThrows,
} from "@std/assert";
import { assertClean, type RunRecord } from "@kubeloop/testing/simulation";
import { SharedInformer } from "@kubeloop/controller";
import { careful, counter, leaker, scaler } from "./_operators.ts";
import { nightlyTest, testOn } from "../support/kinds_of_tests.ts";

const CRASH = {
  seed: 1,
  faults: [{
    fault: "crash",
    when: "before",
    write: "operator patch widgets.example.com/status default/w #1",
  }],
} as const;

Deno.test("assertClean() passes for a controller without a bug", async () => {
  const report = await careful().explore({ budget: { plans: 40 } });
  assertClean(report);
  assertEquals([report.plans, report.ended], [40, "plans"]);
});

Deno.test("assertClean() throws the report of a bug", async () => {
  const report = await leaker().explore();
  const error = assertThrows(() => assertClean(report), Error, "The simulation found a bug.");
  for (
    const part of [
      "WRONG (invariant): 2 load balancers",
      "Fault: the process is killed",
      "Seed: 1",
      "The wrong call, at 1.00 s",
      "Replay: KUBELOOP_PLAN='{",
    ]
  ) assertStringIncludes(error.message, part);
  assert(error.message.length <= 21_000);
});

Deno.test("assertClean() says that a simulation is wrong without any fault", async () => {
  const report = await leaker({ always: [() => "never good"] }).explore();
  assertEquals(report.ended, "reference");
  assertThrows(() => assertClean(report), Error, "wrong without any fault");
});

Deno.test("assertClean() does not take plans without effect for a proof", async () => {
  const sim = careful();
  const faults = [{ fault: "lose", write: "operator create pods default/nothing #1" }] as const;
  const idle = await sim.explore({ plans: [{ seed: 1, faults }] });
  assertEquals([idle.plans, idle.noEffect], [1, 1]);
  assertThrows(() => assertClean(idle), Error, "No plan of the simulation changed anything");
  const none = await sim.explore({ plans: [] });
  assertThrows(() => assertClean(none), Error, "ran no plan");
});

Deno.test("the JSON of a report is the same each time, and its plan runs again", async () => {
  const explore = async () => JSON.stringify(await leaker().explore({ plans: [CRASH] }));
  const text = await explore();
  assertEquals(await explore(), text);
  const { findings, ...rest } = JSON.parse(text);
  assertEquals(rest, {
    simulation: "leaker",
    seed: 1,
    plans: 1,
    noEffect: 0,
    wrong: 1,
    derived: 0,
    neverMet: [],
    pairsNeverMet: ["crash and crash"],
    outside: [],
    unread: [],
    ended: "findings",
    faults: { crash: { derived: 0, alone: 1, plans: 1, noEffect: 0 } },
    notes: [],
  });
  const [finding] = findings;
  assertEquals(finding.plan, { ...CRASH, simulation: "leaker" });
  assertEquals(finding.replay, `KUBELOOP_PLAN='${JSON.stringify(finding.plan)}'`);
  const marked = finding.story.filter(({ mark }: { mark?: string }) => mark !== undefined);
  assertEquals(marked.map(({ text }: { text: string }) => text), [
    "operator (life 2) calls make(w) #2",
  ]);
  const record = await leaker().replay(JSON.stringify(finding.plan));
  assertEquals(record.history.hash(), finding.trace);
  assertEquals(record.wrong, finding.wrong);
});

Deno.test("a plan that is none is refused", async () => {
  await assertRejects(() => leaker().replay("{"), SyntaxError, "A plan must be JSON");
});

nightlyTest("the run of a finding names lines, and has the trace of the plan", async () => {
  const { run, runShared } = SharedInformer.prototype;
  const { stackTraceLimit } = Error;
  for (const sim of [leaker(), scaler(), counter()]) {
    const { findings: [finding] } = await sim.explore();
    assert(finding !== undefined);
    assertEquals((await sim.try(finding.plan)).history.lines(), finding.record.history.lines());
    const line = /(?:Sent|Called) at \S+\.[jt]s:\d+/;
    assert(finding.cause.some((sentence) => line.test(sentence)), String(finding));
    assertEquals(JSON.stringify(finding).includes("file://"), false);
  }
  assert(SharedInformer.prototype.run === run && SharedInformer.prototype.runShared === runShared);
  assertEquals(Error.stackTraceLimit, stackTraceLimit);
});

testOn(
  ["deno"],
  "the tests are one bundle",
  "the line that a finding names is that of the call",
  async () => {
    const { findings: [finding] } = await leaker().explore();
    const [, path = "", line] = /Called at (\S+):(\d+)/.exec(String(finding)) ?? [];
    assertEquals(path, "tests/simulation/_operators.ts");
    const text = await Deno.readTextFile(new URL("./_operators.ts", import.meta.url));
    assertStringIncludes(text.split("\n")[Number(line) - 1]!, "cloud.make(");
  },
);

Deno.test("a plan may leave out steps of the workload, and must say which", async () => {
  const sim = scaler();
  const steps = (record: RunRecord) =>
    record.history.moments.flatMap((moment) => moment.kind === "step" ? [moment.index] : []);
  assertEquals(steps(await sim.replay({ seed: 1, faults: [] })), [0, 1, 2, 3, 4, 5]);
  const record = await sim.replay({ seed: 1, faults: [], without: [2, 3] });
  assertEquals(steps(record), [0, 1, 4, 5]);
  assertEquals(record.wrong, []);
  for (const without of [1, [-1], ["a"], [1.5]] as never[]) {
    await assertRejects(() => sim.replay({ seed: 1, faults: [], without }), SyntaxError, "without");
  }
  await assertRejects(
    () => sim.replay({ seed: 1, faults: [], without: [6] }),
    RangeError,
    "step 7 is to be left out, and the workload has 6 steps",
  );
});
