/** Timelines of runs that are made up. */

import { assertEquals } from "@std/assert";
import {
  causeOf,
  drawTimeline,
  timelinePage,
  timelineRows,
  timelineSection,
} from "../../../src/testing/simulation/report/mod.ts";
import { ToldRun } from "./told_run.ts";

function drawn(tell: (run: ToldRun) => void) {
  const run = new ToldRun();
  tell(run);
  const wrong = [run.wrong("invariant", "it is wrong")];
  const cause = causeOf({ record: run.record({ wrong }), expected: undefined });
  const rows = timelineRows(cause);
  return { cause, rows, drawing: drawTimeline(rows, cause) };
}

/** Some of everything that is drawn. */
function everything(run: ToldRun): void {
  run.process("op");
  run.process("b");
  run.step(0, "create things t");
  const one = run.commit("user", "creates", "things t");
  run.see("op", one);
  run.see("op", one);
  run.see("b", one);
  run.see("absent", one);
  run.answer(run.send("op", "create maps m"), 500);
  run.at(0.999).see("op", run.write("op", "creates", "maps m"));
  run.at(1.999).call("b", "make(<a>) #1");
  run.log("b", "a & b");
  const two = run.commit("user", "changes", "things t", { spec: 1 });
  run.at(3).see("op", two);
  run.commit("user", "changes", "things t", { spec: 2 });
  run.process("op", "is killed");
  run.process("op", "is killed");
  run.process("b", "fails: no");
  run.at(4).process("op", "starts again");
  run.list("op", "things", two);
  run.write("op", "creates", "maps n-0");
  run.write("op", "creates", "maps n-1");
  const last = run.commit("user", "changes", "things t", { spec: 3 });
  run.process("op", "is killed");
  run.process("op", "starts again");
  run.list("op", "things", last);
  run.log("op", "dropped the watch");
}

Deno.test("the rows of a timeline lie below each other, with gaps where nothing happens", () => {
  const { rows } = drawn((run) => {
    everything(run);
    run.at(5).fault("a fault");
    for (let i = 0; i < 4; i++) run.at(5.1 + i / 10).write("op", "changes", "maps m");
    for (let i = 0; i < 3; i++) {
      run.at(7 + 2 * i).call("b", "ask() #1");
      run.at(7.6 + 2 * i).call("b", "answer() #1");
    }
    run.at(14).send("op", "patch maps y", { injected: "no answer" });
    run.call("b", "end() #1");
    for (let i = 0; i < 4; i++) run.at(15).log("op", `log ${"abcd"[i]}`);
  });
  assertEquals(
    rows.map(({ height, kind, mark = "", process, text, time, versions, who, y }) =>
      `${y}+${height} ${kind} ${time} ${process}/${who}: ${text} ${versions} ${mark}`
    ),
    [
      "0+30 process 0.00 s op/op: op starts  ",
      "30+30 process 0.00 s b/b: b starts  ",
      "60+30 step 0.00 s undefined/user: step 1: create things t  ",
      "90+30 write 0.00 s undefined/user: user creates things default/t → version 1 1 ",
      "120+30 refused 0.00 s op/op: op: create maps default/m #1 is answered with 500  ",
      "150+30 write 1.00 s op/op: op creates maps default/m → version 2 2 ",
      "180+22 gap  undefined/: 1.00 s later  ",
      "202+30 call 2.00 s b/b: b calls make(<a>) #1  ",
      "232+30 log 2.00 s b/b: b logs: a & b  ",
      "262+30 write 2.00 s undefined/user: user changes things default/t (adds spec: 1) → version 3 3 ",
      "292+22 gap  undefined/: 1.00 s later  ",
      "314+30 seen 3.00 s op/op: op sees things default/t version 3 (adds spec: 1): 1.00 s late 3 ",
      "344+30 write 3.00 s undefined/user: user changes things default/t (spec: 1 → 2) → version 4 4 ",
      "374+30 process 3.00 s op/op: op is killed  ",
      "404+30 process 3.00 s op/op: op is killed  ",
      "434+30 process 3.00 s b/b: b fails: no  ",
      "464+22 gap  undefined/: 1.00 s later  ",
      "486+30 process 4.00 s op/op (life 2): op starts again: life 2  ",
      "516+30 seen 4.00 s op/op (life 2): op (life 2) reads things default/t version 3 (adds spec: 1): while version 4 is the newest 3 ",
      "546+48 write 4.00 s op/op (life 2): op (life 2) creates maps default/n-0, default/n-1 → versions 5 to 6 5,6 ",
      "594+30 write 4.00 s undefined/user: user changes things default/t (spec: 2 → 3) → version 7 7 ",
      "624+30 process 4.00 s op/op (life 2): op is killed  ",
      "654+30 process 4.00 s op/op (life 3): op starts again: life 3  ",
      "684+30 log 4.00 s op/op (life 3): op (life 3) logs: dropped the watch  ",
      "714+22 gap  undefined/: 1.00 s later  ",
      "736+30 fault 5.00 s undefined/: a fault  ",
      "766+30 write 5.10 s op/op (life 3): op (life 3) changes maps default/m (no change but of its version) → version 8 8 ",
      "796+22 note  undefined/: the last line 3 times more, until 5.40 s  ",
      "818+22 gap  undefined/: 1.60 s later  ",
      "840+48 call 7.00 s b/b: b calls ask() #1  ",
      "888+30 call 7.60 s b/b: b calls answer() #1  ",
      "918+22 note  undefined/: the last 2 lines 2 times more, until 11.60 s  ",
      "940+22 gap  undefined/: 2.40 s later  ",
      "962+30 refused 14.00 s op/op (life 3): op (life 3): [op patch maps default/y #1]: no answer  ",
      "992+30 call 14.00 s b/b: b calls end() #1  the wrong call",
      "1022+22 gap  undefined/: 1.00 s later  ",
      "1044+30 log 15.00 s op/op (life 3): op (life 3) logs: log a  ",
      "1074+30 log 15.00 s op/op (life 3): op (life 3) logs: log b  ",
      "1104+30 log 15.00 s op/op (life 3): op (life 3) logs: log c  ",
      "1134+30 log 15.00 s undefined/: 1 more line is logged, and nothing is written  ",
      "1164+30 wrong 15.00 s undefined/: it is wrong  ",
    ],
  );
});

Deno.test("a timeline draws an arrow for each write, call and late event, and for the first who sees it at once", () => {
  const { drawing } = drawn(everything);
  const { svg, ...rest } = drawing;
  assertEquals(rest, {
    "width": 608,
    "height": 774,
    "lanes": [
      { "name": "user, cluster", "x": 56 },
      { "name": "API server", "x": 180 },
      { "name": "op", "x": 304 },
      { "name": "b", "x": 428 },
      { "name": "external world", "x": 552 },
    ],
  });
  assertEquals(svg.split("\n"), [
    '<line class="lane" x1="56" y1="0" x2="56" y2="774"/>',
    '<line class="lane" x1="180" y1="0" x2="180" y2="774"/>',
    '<line class="lane" x1="552" y1="0" x2="552" y2="774"/>',
    '<rect class="life" x="297" y="15" width="14" height="374" rx="7"><title>op, life 1</title></rect>',
    '<g class="death"><title>op is killed</title><path class="cross" d="M299,384L309,394M309,384L299,394"/></g>',
    '<g class="death"><title>op is killed</title><path class="cross" d="M299,414L309,424M309,414L299,424"/></g>',
    '<rect class="life" x="297" y="501" width="14" height="168" rx="7"><title>op, life 2</title></rect>',
    '<g class="death"><title>op is killed</title><path class="cross" d="M299,664L309,674M309,664L299,674"/></g>',
    '<rect class="life" x="297" y="699" width="14" height="75" rx="7"><title>op, life 3</title></rect>',
    '<rect class="life" x="421" y="45" width="14" height="404" rx="7"><title>b, life 1</title></rect>',
    '<g class="death"><title>b fails: no</title><path class="cross" d="M423,444L433,454M433,444L423,454"/></g>',
    '<circle class="step" cx="56" cy="75" r="4"><title>0.00 s step 1: create things t</title></circle>',
    '<g class="write"><title>0.00 s user creates things default/t → version 1</title><path d="M56,105L174,105"/><path class="head" d="M174,105L166,109L166,101Z"/><circle cx="180" cy="105" r="5"/><text x="188" y="101">v1</text></g>',
    '<g class="refused"><title>0.00 s op: create maps default/m #1 is answered with 500</title><path d="M297,135L244.5,135"/><path class="head" d="M244.5,135L252.5,131L252.5,139Z"/><path class="cross" d="M233.5,130L243.5,140M243.5,130L233.5,140"/></g>',
    '<g class="write"><title>1.00 s op creates maps default/m → version 2</title><path d="M297,165L186,165"/><path class="head" d="M186,165L194,161L194,169Z"/><circle cx="180" cy="165" r="5"/><text x="170" y="169" text-anchor="end">v2</text></g>',
    '<g class="call"><title>2.00 s b calls make(&lt;a&gt;) #1</title><path d="M435,217L546,217"/><path class="head" d="M546,217L538,221L538,213Z"/><circle cx="552" cy="217" r="5"/></g>',
    '<circle class="log" cx="428" cy="247" r="2.5"><title>2.00 s b logs: a &amp; b</title></circle>',
    '<g class="write"><title>2.00 s user changes things default/t (adds spec: 1) → version 3</title><path d="M56,277L174,277"/><path class="head" d="M174,277L166,281L166,273Z"/><circle cx="180" cy="277" r="5"/><text x="188" y="273">v3</text></g>',
    '<g class="late"><title>3.00 s op sees things default/t version 3 (adds spec: 1): 1.00 s late</title><path d="M180,277L291.5,326.6"/><path class="head" d="M291.5,326.6L282.6,327L285.8,319.7Z"/><circle cx="297" cy="329" r="3.5"/></g>',
    '<g class="write"><title>3.00 s user changes things default/t (spec: 1 → 2) → version 4</title><path d="M56,359L174,359"/><path class="head" d="M174,359L166,363L166,355Z"/><circle cx="180" cy="359" r="5"/><text x="188" y="355">v4</text></g>',
    '<g class="late"><title>4.00 s op (life 2) reads things default/t version 3 (adds spec: 1): while version 4 is the newest</title><path d="M180,277L294.5,525.6"/><path class="head" d="M294.5,525.6L287.5,520L294.8,516.6Z"/><circle cx="297" cy="531" r="3.5"/></g>',
    '<g class="write"><title>4.00 s op (life 2) creates maps default/n-0 → version 5',
    'op (life 2) acted on things default/t version 3 (spec: 1), while version 4 (spec: 2) was true since 3.00 s</title><path d="M297,561L186,561"/><path class="head" d="M186,561L194,557L194,565Z"/><circle cx="180" cy="561" r="5"/><text x="170" y="565" text-anchor="end">v5</text></g>',
    '<g class="write marked"><title>4.00 s op (life 2) creates maps default/n-1 → version 6</title><path d="M297,609L186,609"/><path class="head" d="M186,609L194,605L194,613Z"/><circle cx="180" cy="609" r="5"/><text x="170" y="613" text-anchor="end">v6</text></g>',
    '<g class="write marked"><title>4.00 s user changes things default/t (spec: 2 → 3) → version 7</title><path d="M56,639L174,639"/><path class="head" d="M174,639L166,643L166,635Z"/><circle cx="180" cy="639" r="5"/><text x="188" y="635">v7</text></g>',
    '<g class="seen"><title>op sees version 1 at once</title><path d="M180,105L291,111.6"/><path class="head" d="M291,111.6L282.8,115.2L283.3,107.2Z"/></g>',
  ]);
});

Deno.test("a timeline of writes without a process has two lanes", () => {
  const { drawing } = drawn((run) => void run.commit("user", "creates", "maps a"));
  assertEquals(
    [drawing.width, drawing.height, drawing.lanes.map(({ name, x }) => `${name} ${x}`)],
    [236, 60, ["user, cluster 56", "API server 180"]],
  );
});

Deno.test("a timeline says how many rows it leaves out", () => {
  const { rows } = drawn((run) => {
    run.commit("user", "creates", "maps a");
    for (let i = 0; i < 59; i++) run.step(i, "a step");
  });
  const { rows: more } = drawn((run) => {
    run.commit("user", "creates", "maps a");
    run.commit("user", "creates", "maps focus");
    for (let i = 0; i < 60; i++) run.step(i, "a step");
  });
  assertEquals([rows[0]!, more[0]!].map(({ kind, text }) => `${kind}: ${text}`), [
    "write: user creates maps default/a → version 1",
    "note: 1 row left out",
  ]);
});

Deno.test("timelineSection() says what is wrong and why, above the rows", () => {
  const { cause, drawing, rows } = drawn((run) => {
    everything(run);
    run.at(14).call("b", "<end> #1");
  });
  const wrong = [{ oracle: "a", message: "<b>" }, { oracle: "c", message: "d" }];
  const section = (faults: readonly string[]) =>
    timelineSection({ wrong, faults, seed: 7, replay: "x && y", cause }).split("\n");
  const lines = section(["<late>", "lost"]);
  const acted = "acted on things default/t version";
  assertEquals(lines.slice(0, 7), [
    "<section>",
    '<p class="verdict"><b>a</b> &lt;b&gt;</p>',
    '<p class="verdict"><b>c</b> d</p>',
    '<div class="facts">',
    "<div><h2>What was done to it</h2><ul><li>&lt;late&gt;</li><li>lost</li><li>seed 7</li></ul></div>",
    `<div><h2>Why it went wrong</h2><ul><li>The wrong call, at 14.00 s: b: [calls &lt;end&gt; #1].</li><li>b ${acted} 1 (no spec), while version 7 (spec: 3) was true since 4.00 s.</li></ul></div>`,
    "</div>",
  ]);
  assertEquals(
    section([])[4],
    "<div><h2>What was done to it</h2><ul><li>none: it happens without any</li><li>seed 7</li></ul></div>",
  );
  const heads = drawing.lanes.map(({ name, x }) =>
    `<span style="left:${x}px" title="${name}">${name}</span>`
  );
  assertEquals(lines.slice(7, 10), [
    `<div class="timeline" style="--lanes:${drawing.width}px">`,
    `<div class="heads">${heads.join("")}</div>`,
    '<div class="rows">',
  ]);
  /** Returns the first row with a text, which may have a line break in its title. */
  const rowOf = (text: string) => {
    const i = lines.findIndex((line) => line.startsWith('<div class="row ') && line.includes(text));
    return lines.slice(i, lines.findIndex((line, j) => j >= i && line.endsWith("</div>")) + 1);
  };
  assertEquals(rowOf("op starts"), [
    '<div class="row process" style="height:30px" title="op starts"><time>0.00 s</time><p>op starts</p></div>',
  ]);
  const knew = `op (life 2) ${acted} 3 (spec: 1), while version 4 (spec: 2) was true since 3.00 s`;
  const creates = "op (life 2) creates maps default/n-0, default/n-1 → versions 5 to 6";
  assertEquals(rowOf(creates), [
    `<div class="row write" style="height:48px" title="${creates}`,
    `${knew}"><time>4.00 s</time><p>${creates}<small>${knew}</small></p></div>`,
  ]);
  const stale = `b ${acted} 1 (no spec), while version 7 (spec: 3) was true since 4.00 s`;
  assertEquals(rowOf("&lt;end&gt;"), [
    '<div class="row call marked" style="height:48px" title="b calls &lt;end&gt; #1',
    `${stale}"><time>14.00 s</time><p><em>the wrong call</em>b calls &lt;end&gt; #1<small>${stale}</small></p></div>`,
  ]);
  assertEquals(lines.slice(-1), ["</section>"]);
  assertEquals(lines.at(-2), "<h2>Replay</h2><pre>x &amp;&amp; y</pre>");
  assertEquals(lines.filter((line) => line.startsWith('<div class="row ')).length, rows.length);
});

Deno.test("timelinePage() puts sections below a title and a summary", () => {
  const lines = timelinePage("a < b", "c & d", ["one", "two"]).split("\n");
  const start = lines.indexOf("<body>");
  assertEquals(lines[start - 1], "</head>");
  assertEquals(lines.slice(start), [
    "<body>",
    "<header><h1>a &lt; b</h1><p>c &amp; d</p></header>",
    "one",
    "two",
    "</body>",
    "</html>",
    "",
  ]);
});
