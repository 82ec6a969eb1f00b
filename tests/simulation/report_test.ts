import {
  assert,
  assertEquals,
  assertRejects,
  assertStringIncludes,
  assertThrows,
} from "@std/assert";
import { assertClean } from "@kubeloop/testing/simulation";
import { careful, leaker } from "./_operators.ts";

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
      "The wrong call, at 1 s",
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
    derived: 0,
    neverMet: [],
    pairsNeverMet: ["crash and crash"],
    outside: [],
    unread: [],
    ended: "findings",
    faults: { crash: { derived: 0, plans: 1, noEffect: 0 } },
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
