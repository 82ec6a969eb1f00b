/** The rows and steps of runs that are made up. */

import { assert, assertEquals } from "@std/assert";
import type { RunView, VersionView } from "../../../src/see/mod.ts";
import { Details } from "../../../src/testing/simulation/record/mod.ts";
import { causeOf, runView } from "../../../src/testing/simulation/report/mod.ts";
import { ToldRun } from "./told_run.ts";

type Tell = (run: ToldRun, details: Details) => void;

function viewed(tell: Tell): RunView {
  const run = new ToldRun();
  const details = new Details(run.history);
  tell(run, details);
  const wrong = [run.wrong("invariant", "it is wrong")];
  return runView(causeOf({ record: { ...run.record({ wrong }), details }, expected: undefined }));
}

/** Returns rows as text, with the lane, the versions, and the lanes that see a version at once. */
function rowsOf({ lanes, rows }: RunView): string[] {
  return rows.map(({ from, kind, lane, mark, numbers, seenBy, text, time }) =>
    [
      kind,
      time,
      lane === undefined ? "" : `(${lanes[lane]!.name})`,
      text,
      numbers === undefined ? "" : `v${numbers}`,
      seenBy === undefined ? "" : `at once: ${seenBy.map((lane) => lanes[lane]!.name)}`,
      from === undefined ? "" : `from ${from}`,
      mark === undefined ? "" : `<== ${mark}`,
    ].filter((part) => part !== "").join(" ")
  );
}

/** Returns the knowledge at each row, with the numbers of the versions. */
function knownOf({ rows, versions }: RunView): string[] {
  const shown = (index: number | undefined) =>
    index === undefined ? "nothing" : numberOf(versions[index]!);
  return rows.flatMap(({ step, text }) =>
    step === undefined ? [] : [
      `${text}: ${
        step.known.map(({ knew, object, state, was }) =>
          `${object} ${shown(knew)} / ${shown(was)} ${state}`
        ).join(", ")
      }`,
    ]
  );
}

function numberOf({ isGone, number }: VersionView): string {
  return `${number}${isGone ? " gone" : ""}`;
}

/** Some of everything that a page shows. */
function everything(run: ToldRun): void {
  run.process("op");
  run.process("b");
  run.step(0, "create things t");
  const one = run.commit("user", "creates", "things t");
  run.see("op", one);
  run.see("b", one);
  run.answer(run.send("op", "create maps m"), 500);
  run.at(0.999).see("op", run.write("op", "creates", "maps m"));
  run.at(1.999).call("b", "make(<a>) #1");
  run.log("b", "a & b");
  const two = run.commit("kubelet", "changes", "things t", { spec: 1 });
  run.at(3).see("op", two);
  run.at(3.5).fault("a fault");
  run.process("op", "is killed");
  run.at(4).process("op", "starts again");
  run.write("op", "creates", "maps n-0");
  run.write("op", "creates", "maps n-1");
}

Deno.test("runView() has a lane for each actor, and a row for each event", () => {
  const view = viewed(everything);
  assertEquals(view.lanes, [
    { name: "user", kind: "user" },
    { name: "cluster", kind: "cluster" },
    { name: "API server", kind: "server" },
    { name: "op", kind: "process" },
    { name: "b", kind: "process" },
    { name: "external world", kind: "world" },
  ]);
  assertEquals(rowsOf(view), [
    "process 0.00 s (op) op starts",
    "process 0.00 s (b) b starts",
    "step 0.00 s (user) step 1: create things t",
    "write 0.00 s (user) user creates things default/t → version 1 v1 at once: op,b",
    "refused 0.00 s (op) op: create maps default/m #1 is answered with 500",
    "write 1.00 s (op) op creates maps default/m → version 2 v2",
    "gap 1.00 s later",
    "call 2.00 s (b) b calls make(<a>) #1",
    "log 2.00 s (b) b logs: a & b",
    "write 2.00 s (cluster) kubelet changes things default/t (adds spec: 1) → version 3 v3",
    "gap 1.00 s later",
    "seen 3.00 s (op) op sees things default/t version 3 (adds spec: 1): 1.00 s late v3 from 9",
    "fault 3.50 s a fault",
    "process 3.50 s (op) op is killed",
    "process 4.00 s (op) op starts again: life 2",
    "write 4.00 s (op) op (life 2) creates maps default/n-0 → version 4 v4",
    "write 4.00 s (op) op (life 2) creates maps default/n-1 → version 5 v5 <== the wrong write",
    "wrong 4.00 s it is wrong",
  ]);
  assertEquals(view.lives, [
    { lane: 3, life: 1, from: 0, to: 13, isOver: true },
    { lane: 3, life: 2, from: 14, to: 17, isOver: false },
    { lane: 4, life: 1, from: 1, to: 17, isOver: false },
  ]);
});

/** A reconcile reads an old version of its object, and writes because of it. */
function staleWrite(run: ToldRun, details: Details): void {
  const cache = {};
  run.process("op");
  const one = run.commit("user", "creates", "things t", { spec: { size: 3 } });
  run.see("op", one);
  const two = run.commit("user", "changes", "things t", { spec: { size: 1 } });
  const reconcile = details.begin({ process: "op", controller: "things", key: "default/t" });
  const read = { process: "op", cache, name: "things", key: "default/t", reconcile };
  details.read({ ...read, objects: [one.object()] });
  details.read({ ...read, cache: {}, name: "maps", key: "default/t-0", objects: [] });
  const id = "op create maps default/t-0 #1";
  details.setOrigin(id, { place: "app.ts:7 (reconcile), from app.ts:9", reconcile });
  run.write("op", "creates", "maps t-0", { data: 1 }, { body: { data: 1 } });
  details.end(reconcile);
  run.see("op", two);
  const next = details.begin({ process: "op", controller: "things", key: "default/t" });
  details.read({ ...read, reconcile: next, objects: [two.object()] });
  details.end(next, "no more room");
}

Deno.test("runView() compares what a reconcile has read with what was true at each of its requests", () => {
  const view = viewed(staleWrite);
  assertEquals(knownOf(view), [
    "user creates things default/t (spec.size: 3) → version 1: ",
    "user changes things default/t (spec.size: 3 → 1) → version 2: ",
    "op reconciles default/t: things default/t 1 / 2 stale, maps default/t-0 nothing / nothing fresh",
    "op creates maps default/t-0 (data: 1) → version 3: things default/t 1 / 2 stale, maps default/t-0 nothing / nothing fresh",
    "op reconciles default/t, and fails: things default/t 2 / 2 fresh",
  ]);
  const { step } = view.rows.find(({ mark }) => mark === "the wrong write")!;
  assertEquals(step?.request, {
    text: "create maps default/t-0 #1",
    body: { data: 1 },
    answer: "200",
    isFailed: false,
    place: "app.ts:7 (reconcile), from app.ts:9",
  });
  assertEquals(view.versions[step!.change!.after], {
    object: "maps default/t-0",
    number: 3,
    time: "0.00 s",
    by: "op",
    isGone: false,
    value: { metadata: { name: "t-0", namespace: "default", uid: "uid-3" }, data: 1 },
  });
  assertEquals(
    view.reconciles.map(({ from, isFailed, key, result, to }) => ({
      from,
      to,
      key,
      isFailed,
      result,
    })),
    [
      { from: 3, to: 4, key: "default/t", isFailed: false, result: "succeeded" },
      { from: 5, to: 5, key: "default/t", isFailed: true, result: "failed: no more room" },
    ],
  );
  assertEquals([view.rows[4]!.reconcile, view.rows[5]!.reconcile], [0, 1]);
});

Deno.test("runView() tells an own write that has not come back from a write of another client", () => {
  const view = viewed((run, details) => {
    run.process("op");
    const one = run.commit("user", "creates", "things t");
    run.see("op", one);
    const reconcile = details.begin({ process: "op", controller: "things", key: "default/t" });
    const name = "things";
    details.read({
      process: "op",
      cache: {},
      name,
      key: "default/t",
      objects: [one.object()],
      reconcile,
    });
    details.setOrigin("op patch things default/t #1", { place: undefined, reconcile });
    details.setOrigin("op create maps default/m #1", { place: undefined, reconcile });
    run.write("op", "changes", "things t", { status: 1 });
    run.write("op", "creates", "maps m");
  });
  assertEquals(knownOf(view).slice(-1), [
    "op creates maps default/m → version 3: maps default/m nothing / nothing fresh, things default/t 1 / 2 own",
  ]);
});

Deno.test("runView() tells a reconcile whose process was killed from a running one", () => {
  const view = viewed((run, details) => {
    run.process("op");
    run.process("b");
    details.begin({ process: "op", controller: "things", key: "default/a" });
    details.begin({ process: "b", controller: "things", key: "default/b" });
    run.at(0.5).process("op", "is killed");
    run.at(0.6).process("op", "starts again");
  });
  assertEquals(view.reconciles.map(({ isFailed, key, result }) => [key, isFailed, result]), [
    ["default/a", true, "cut off, as its process ended"],
    ["default/b", false, "still running at the end"],
  ]);
});

Deno.test("runView() names the controllers if there are several", () => {
  const view = viewed((run, details) => {
    run.process("op");
    details.end(details.begin({ process: "op", controller: "one", key: "default/a" }));
    details.end(details.begin({ process: "op", controller: "two", key: "default/a" }));
  });
  assertEquals(rowsOf(view).slice(1, 3), [
    "reconcile 0.00 s (op) op reconciles default/a (controller one), and writes nothing",
    "reconcile 0.00 s (op) op reconciles default/a (controller two), and writes nothing",
  ]);
});

Deno.test("runView() bounds the rows and the contents of versions, and says what it leaves out", () => {
  const view = viewed((run) => {
    run.process("op");
    for (let i = 0; i < 300; i++) {
      run.at(i / 10).commit("user", "creates", `things t-${"abcdefghij"[i % 10]}${i}`, {
        spec: `${"abcdefghij"[i % 10]}${"x".repeat(5_000)}`,
      });
    }
  });
  assert(view.rows.length < 200, `${view.rows.length} rows`);
  assert(JSON.stringify(view).length < 600_000, `${JSON.stringify(view).length} characters`);
  assert(view.leftOut > 0);
  assertEquals(view.versions.filter(({ value }) => value === undefined).length, view.leftOut);
  assert(view.rows.some(({ kind, text }) => kind === "note" && text.includes("rows left out")));
  // The contents at the error are kept.
  const last = view.rows.findLast(({ step }) => step !== undefined)!;
  assert(view.versions[last.step!.change!.after]!.value !== undefined);
});

Deno.test("runView() shows repeated reconciles once, and how often they were repeated", () => {
  const view = viewed((run, details) => {
    run.process("op");
    for (let i = 0; i < 9; i++) {
      run.at(i / 10);
      details.end(details.begin({ process: "op", controller: "things", key: "default/t" }), "no");
    }
  });
  assertEquals(rowsOf(view).slice(1), [
    "reconcile 0.00 s (op) op reconciles default/t, and fails",
    "note the last line 8 times more, until 0.80 s",
    "wrong 0.80 s it is wrong",
  ]);
});
