/** The parts of the page of a report that need no browser. */

import { assert, assertEquals, assertRejects } from "@std/assert";
import type { RowView, RunView } from "../../../src/see/mod.ts";
import { firstRow } from "../../../src/see/page/report/first_row.ts";
import { arrowPaths, drawingOf } from "../../../src/see/page/report/geometry.ts";
import { reportSource } from "../../../src/see/page/report/report_source.ts";
import { sidePairs } from "../../../src/see/page/report/side_pairs.ts";
import { replayOf, withoutCallers } from "../../../src/see/page/report/words.ts";

function shown(left: unknown, right: unknown): string[] {
  return sidePairs(left, right).map(({ left, right }) =>
    `${left?.text ?? ""} | ${right?.text ?? ""}`
  );
}

Deno.test("sidePairs() puts the lines of a change beside each other", () => {
  const old = { kind: "Widget", spec: { size: 1, gone: true } };
  const now = { kind: "Widget", spec: { size: 3 }, status: { ready: 3 } };
  assertEquals(shown(old, now), [
    "kind: Widget | kind: Widget",
    "spec: | spec:",
    "gone: true | ",
    "size: 1 | size: 3",
    " | status:",
    " | ready: 3",
  ]);
  assertEquals(shown(undefined, { a: 1, b: 2 }), [" | a: 1", " | b: 2"]);
  assertEquals(shown({ a: 1 }, undefined), ["a: 1 | "]);
  assertEquals(shown(undefined, undefined), [" | {}"]);
});

function run(rows: readonly Partial<RowView>[], rest: Partial<RunView> = {}): RunView {
  return {
    lanes: [
      { name: "user", kind: "user" },
      { name: "API server", kind: "server" },
      { name: "op", kind: "process" },
      { name: "b", kind: "process" },
      { name: "external world", kind: "world" },
    ],
    rows: rows.map((row) => ({ kind: "log", time: "", text: "", ...row })),
    lives: [],
    reconciles: [],
    versions: [],
    leftOut: 0,
    ...rest,
  };
}

Deno.test("firstRow() is the wrong write, else the last marked row, else the last step", () => {
  const step = { known: [], more: 0 };
  const rows = [{ step }, { mark: "here it showed" }, { mark: "the wrong write" }, { step }];
  assertEquals(firstRow(run(rows)), 2);
  assertEquals(firstRow(run(rows.toSpliced(2, 1))), 1);
  assertEquals(firstRow(run([{ step }, { step }, {}])), 1);
  assertEquals(firstRow(run([])), 0);
});

Deno.test("drawingOf() draws an arrow for each write, call and late event, and for each process that sees a write", () => {
  const { arrows, height, width } = drawingOf(run([
    { kind: "write", lane: 0, numbers: [1], seenBy: [2, 3] },
    { kind: "gap" },
    { kind: "write", lane: 2, numbers: [2, 3], mark: "the wrong write" },
    { kind: "refused", lane: 2 },
    { kind: "call", lane: 3 },
    { kind: "seen", lane: 3, numbers: [1], from: 0 },
    { kind: "fault" },
  ]));
  assertEquals([width, height], [420, 188]);
  assertEquals(
    arrows.map(({ isMarked, kind, label, x1, x2, y1, y2 }) =>
      `${kind} ${x1},${y1} ${x2},${y2} ${label}${isMarked ? " marked" : ""}`.trim()
    ),
    [
      "write 42,14 126,14 v1",
      "seen 126,14 204,21",
      "seen 126,14 288,21",
      "write 204,62 126,62 v2–3 marked",
      "refused 204,90 165,90",
      "call 300,118 378,118",
      "late 126,14 288,146",
    ],
  );
});

Deno.test("drawingOf() puts the bars of reconciles at the same time beside each other", () => {
  const rest = { lane: 2, controller: "c", key: "k", result: "succeeded", isFailed: false };
  const { reconciles } = drawingOf(run(Array.from({ length: 6 }, () => ({})), {
    reconciles: [
      { ...rest, from: 0, to: 3 },
      { ...rest, from: 1, to: 2 },
      { ...rest, lane: 3, from: 1, to: 2 },
      { ...rest, from: 4, to: 5 },
    ],
  }));
  assertEquals(reconciles.map(({ height, x, y }) => [x, y, height]), [
    [207, 4, 104],
    [212, 32, 48],
    [291, 32, 48],
    [207, 116, 48],
  ]);
});

Deno.test("arrowPaths() of an arrow without length has numbers", () => {
  const arrow = { row: 0, kind: "late", isMarked: false, label: "", x1: 3, y1: 3, x2: 3, y2: 3 };
  assert(!JSON.stringify(arrowPaths(arrow as never)).includes("NaN"));
});

Deno.test("withoutCallers() keeps the first line of a place", () => {
  assertEquals(
    withoutCallers(
      "Sent at src/a.ts:7 (apply), from src/b.ts:9 (Reconciler.run), from src/c.ts:1. It was so, from then on.",
    ),
    "Sent at src/a.ts:7 (apply). It was so, from then on.",
  );
});

Deno.test("replayOf() quotes a plan for a shell", () => {
  assertEquals(
    replayOf({ seed: 1, faults: [{ fault: "lose", write: "it's" }] }),
    `KUBELOOP_PLAN='{"seed":1,"faults":[{"fault":"lose","write":"it'\\''s"}]}'`,
  );
});

Deno.test("reportSource() sends the token, and passes on what the process says", async () => {
  const sent: string[] = [];
  const answers = [
    Response.json({ misfits: [] }),
    Response.json({ error: "Another plan is running" }, { status: 429 }),
    new Response("<html>", { status: 502 }),
  ];
  const source = reportSource({
    token: "t",
    send: (path, { body, headers, method = "GET" }) => {
      sent.push(`${method} ${path} ${new Headers(headers).get("authorization")} ${body ?? ""}`);
      const answer = answers.shift();
      return answer === undefined
        ? Promise.reject(new TypeError("failed"))
        : Promise.resolve(answer);
    },
  });
  const plan = { seed: 1, faults: [] };
  assertEquals(await source.run(plan), { misfits: [] });
  await assertRejects(() => source.run(plan), Error, "Another plan is running");
  await assertRejects(() => source.report(), Error, "with the status 502");
  await assertRejects(() => source.report(), Error, "does not answer");
  assertEquals(sent.slice(1, 3), [
    'POST see/run Bearer t {"plan":{"seed":1,"faults":[]}}',
    "GET see/report Bearer t ",
  ]);
});
