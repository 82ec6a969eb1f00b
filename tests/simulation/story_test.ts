import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { ConfigMaps } from "@kubeloop/controller";
import {
  create,
  type Finding,
  type Plan,
  settle,
  type Simulation,
} from "@kubeloop/testing/simulation";
import {
  counter,
  dropper,
  duplicator,
  forgetter,
  leaker,
  scaler,
  spinner,
  Widgets,
} from "./_operators.ts";

/** Returns text without its version numbers, which depend on what else is written. */
function unnumbered(text: string): string {
  return text.replaceAll(/version \d+/g, "version N").replaceAll(
    /versions \d+ to \d+/g,
    "versions N to N",
  );
}

/** Runs one plan, which must end wrong. */
async function findingOf<C>(sim: Simulation<C>, faults: Plan["faults"]): Promise<Finding> {
  const report = await sim.explore({ plans: [{ seed: 1, faults }] });
  const [finding] = report.findings;
  assert(finding !== undefined, `nothing was found: ${report}`);
  return finding;
}

Deno.test("the story of a delete on stale knowledge says what was known and what was true", async () => {
  const finding = await findingOf(scaler(), [{
    fault: "stale",
    process: "operator",
    step: 5,
    at: "ADDED widgets.example.com default/w #1",
    forMs: 5000,
  }]);
  assertEquals(finding.wrong[0]?.oracle, "stale delete");
  const cause = unnumbered(finding.cause.join("\n"));
  assertStringIncludes(cause, "The wrong write, at 96 s: operator (life 2) deletes configmaps");
  assertStringIncludes(
    cause,
    "operator (life 2) acted on widgets default/w version N (spec.size: 1), while version N (spec.size: 3) was true since 60 s.",
  );
  const story = finding.story();
  const marked = story.filter((line) => line.includes("<=="));
  assertEquals(marked.length, 1);
  assertMatch(marked[0]!, /96\.000 s operator \(life 2\) deletes configmaps .*<== the wrong write/);
  // The story ends where it goes wrong.
  assertStringIncludes(story.at(-1)!, "X operator deletes configmaps");
  assert(story.some((line) => line.includes("user changes widgets default/w (spec.size: 3 → 1)")));
  assert(story.some((line) => /the last line \d+ times more, until/.test(line)), story.join("\n"));
});

Deno.test("the story of a crash names the write that was lost, and the life that made it again", async () => {
  const finding = await findingOf(leaker(), [{
    fault: "crash",
    when: "before",
    write: "operator patch widgets.example.com/status default/w #1",
  }]);
  const cause = unnumbered(finding.cause.join("\n"));
  assertStringIncludes(
    cause,
    'operator was killed at 0 s, after [calls make(w) #1], before it sent [patch widgets.example.com/status default/w #1], which says {"status":{"id":"lb-1"}}.',
  );
  assertStringIncludes(cause, "The wrong call, at 1 s: operator (life 2): [calls make(w) #2].");
  assertStringIncludes(cause, "The run without faults does not make it.");
});

Deno.test("the story of an end state names the write that is missing", async () => {
  const finding = await findingOf(forgetter(), [{
    fault: "lose",
    write: "operator patch widgets.example.com/status default/w #2",
  }]);
  const cause = unnumbered(finding.cause.join("\n"));
  assertStringIncludes(
    cause,
    'configmaps default/w: data.size is "1" and should be "3". operator made it so at 0 s (version N), and nobody changed it afterwards.',
  );
  assertStringIncludes(
    cause,
    'Without the faults, operator changes configmaps default/w (data.size: "1" → "3") at 30 s.',
  );
  assertStringIncludes(cause, "Here, operator never sent that write.");
  assertStringIncludes(cause, "Here, that is at 30 s: the answer is lost.");
  const story = finding.story();
  // Half an hour of logs of idle watches is one line.
  assertEquals(story.filter((line) => line.includes("dropped the watch")), []);
  assertMatch(story.at(-2)!, /operator logs: .*failed, trying again/);
});

Deno.test("the story of a lost entry shows what somebody else had written meanwhile", async () => {
  const finding = await findingOf(dropper(), [{
    fault: "edit",
    edit: "finalizer",
    write: "operator patch widgets.example.com default/w #1",
  }]);
  assertStringIncludes(
    unnumbered(finding.cause.join("\n")),
    'operator acted on widgets default/w version N (no metadata.finalizers), while version N (metadata.finalizers: ["another-client.example.com/was-here"]) was true since 0 s.',
  );
});

Deno.test("the story says which version a process never saw", async () => {
  const finding = await findingOf(counter(), [{
    fault: "coalesce",
    process: "operator",
    event: "MODIFIED widgets.example.com default/w #2",
  }]);
  assertStringIncludes(
    unnumbered(finding.cause.join("\n")),
    "operator never saw version N of widgets default/w: user changes widgets default/w (spec.size: 1 → 3), at 30 s.",
  );
  assert(
    finding.story().some((line) =>
      unnumbered(line).includes("never sees version N (spec.size: 1 → 3)")
    ),
  );
});

Deno.test("the story says what was wrong first, and where it showed", async () => {
  const finding = await findingOf(duplicator(), [{
    fault: "stale",
    process: "operator",
    step: 3,
    at: "ADDED widgets.example.com default/w #1",
    forMs: 5000,
  }]);
  const cause = unnumbered(finding.cause.join("\n"));
  assertMatch(cause, /The wrong write, at 6\d s: operator \(life 2\) creates configmaps/);
  assertMatch(cause, /It showed, at 6\d\.\d+ s: operator \(life 2\) creates configmaps/);
  assertMatch(cause, /while that object was deleted since 30 s \(version N\)/);
});

Deno.test("the story has one line for many objects that are made at once", async () => {
  const report = await scaler({
    workload: [create(Widgets, "w", { spec: { size: 50 } }), settle()],
    always: [({ server }) => server.count(ConfigMaps, "default") < 40 || "too many"],
  }).explore();
  const story = report.findings[0]!.story();
  assert(story.length < 12, story.join("\n"));
  assert(story.some((line) => / default\/w-3 and 3[45] more → versions \d+ to \d+$/.test(line)));
});

Deno.test("the story of a loop shows one round of it", async () => {
  const report = await spinner().explore();
  assertEquals(report.ended, "reference");
  const [finding] = report.findings;
  assertEquals(finding?.wrong[0]?.oracle, "hot loop");
  const story = finding!.story();
  assert(story.length < 80, story.join("\n"));
});
