import { assertEquals, assertThrows } from "@std/assert";
import { VirtualClock } from "@kubeloop/testing";
import {
  ago,
  cutText,
  logText,
  painter,
  Progress,
  span,
  TableWriter,
  textWidth,
} from "../../../src/kubectl/cli/terminal/mod.ts";
import { durationOf } from "../../../src/kubectl/cli/durations.ts";
import { UsageError } from "../../../src/kubectl/cli/exits.ts";

const noColor = painter("never", { stdout: { isTerminal: true }, env: () => undefined });

Deno.test("textWidth() counts columns of a terminal, not code units", () => {
  const widths: Readonly<Record<string, number>> = {
    "": 0,
    "web-1": 5,
    "é": 1,
    "e\u0301": 1,
    "日本": 4,
    "🚀": 2,
    "…": 1,
  };
  for (const [text, width] of Object.entries(widths)) assertEquals(textWidth(text), width, text);
});

Deno.test("cutText() never exceeds the columns", () => {
  for (const text of ["deployment.apps/web: 1 of 3", "日本語日本語", "🚀🚀🚀"]) {
    for (let columns = 0; columns <= 30; columns++) {
      const cut = cutText(text, columns);
      assertEquals(textWidth(cut) <= columns, true, `${columns}: ${cut}`);
      assertEquals(cut === text, textWidth(text) <= columns);
    }
  }
  assertEquals(cutText("abcdef", 4), "abc…");
});

Deno.test("TableWriter aligns columns, which later rows can only widen", () => {
  const table = new TableWriter(["NAME", "AGE"], noColor);
  assertEquals(table.rows([["a", "1s"]]), "NAME   AGE\na      1s\n");
  assertEquals(
    table.rows([["longer-name", "2s"], ["b", "3s"]]),
    "longer-name   2s\nb             3s\n",
  );
  assertEquals(table.rows([["c", ""]]), "c\n");
});

Deno.test("TableWriter shows control characters instead of sending them to the terminal", () => {
  const table = new TableWriter(["NAME"], noColor);
  assertEquals(
    table.rows([["\u001b[2Jgone\nforged\u202e"]]),
    "NAME\n\\u001b[2Jgone\\nforged\\u202e\n",
  );
});

Deno.test("TableWriter does not let one cell widen the table without end", () => {
  const table = new TableWriter(["NAME", "AGE"], noColor);
  const [, long = "", short = ""] = table.rows([["x".repeat(5000), "1s"], ["a", "1s"]]).split("\n");
  assertEquals(long.length < 1100, true);
  assertEquals(short, `a${" ".repeat(82)}1s`);
});

Deno.test("painter() colours on terminals only, unless told", () => {
  const host = (isTerminal: boolean, env: Record<string, string> = {}) => ({
    stdout: { isTerminal },
    env: (name: string) => env[name],
  });
  const isColored = (when: string | undefined, of: ReturnType<typeof host>) =>
    painter(when, of).status("Running") !== "Running";
  assertEquals(isColored(undefined, host(true)), true);
  assertEquals(isColored("auto", host(true)), true);
  assertEquals(isColored(undefined, host(false)), false);
  assertEquals(isColored(undefined, host(true, { NO_COLOR: "1" })), false);
  assertEquals(isColored(undefined, host(true, { NO_COLOR: "" })), true);
  assertEquals(isColored(undefined, host(true, { TERM: "dumb" })), false);
  assertEquals(isColored("always", host(false, { NO_COLOR: "1" })), true);
  assertEquals(isColored("never", host(true)), false);
});

Deno.test("Progress draws one line that fits, at a bounded pace, and removes it", async () => {
  const clock = new VirtualClock();
  let drawn = "";
  const progress = new Progress({
    clock,
    stderr: { isTerminal: true, columns: 20 },
    draw: (text) => void (drawn += text),
  });
  progress.show("deployment.apps/web: 1 of 3 replicas are updated");
  assertEquals(drawn, "\r\u001b[Kdeployment.apps/we…");
  progress.show("too early");
  assertEquals(drawn, "\r\u001b[Kdeployment.apps/we…");
  await clock.advance(100);
  progress.show("a\nb\u001b[2J");
  progress.clear();
  progress.clear();
  assertEquals(drawn.slice(23), "\r\u001b[Ka\\nb\\u001b[2J\r\u001b[K");
  // After something else was written, the line comes back at once.
  drawn = "";
  progress.show("b");
  await clock.advance(99);
  progress.show("c");
  assertEquals(drawn, "\r\u001b[Kb");
});

Deno.test("painter() colours words by what they mean", () => {
  const host = { stdout: { isTerminal: true }, env: () => undefined };
  const { bold, faint, status } = painter("always", host);
  const esc = "\u001b[";
  assertEquals([bold("a"), faint("a"), bold("")], [`${esc}1ma${esc}0m`, `${esc}2ma${esc}0m`, ""]);
  const codes = { 32: "Running Ready ADDED", 31: "Failed ImagePullBackOff StartError NotReady,x" };
  for (const [code, words] of Object.entries({ ...codes, 33: "Pending Init:0/1 MODIFIED" })) {
    for (const word of words.split(" ")) {
      assertEquals(status(` ${word} `), `${esc}${code}m ${word} ${esc}0m`);
    }
  }
  for (const word of ["", "other", "Runningx", "xReady"]) assertEquals(status(word), word);
});

Deno.test("logText() keeps tabs and colours, and escapes other control characters", () => {
  for (
    const [line, text] of [
      ["plain", "plain"],
      ["a\tb", "a\tb"],
      ["a\u001b[31mred", "a\u001b[31mred\u001b[0m"],
      ["\u001b[1;32mgreen\u001b[0m", "\u001b[1;32mgreen\u001b[0m\u001b[0m"],
      ["\u001b[2J\ta", "\\u001b[2J\ta\u001b[0m"],
      ["\u001b]0;x\u0007\ta", "\\u001b]0;x\\u0007\ta"],
    ] as const
  ) assertEquals(logText(line), text);
});

Deno.test("durationOf() reads durations as Go writes them, of up to a year", () => {
  for (
    const [text, ms] of [
      ["30s", 30_000],
      ["1m30s", 90_000],
      ["500ms", 500],
      ["2h", 7_200_000],
      ["0s", 0],
      ["1.5s", 1_500],
      ["0.1ms", 1],
      ["8784h", 366 * 86_400_000],
    ] as const
  ) assertEquals(durationOf("--timeout", text), ms, text);
  for (const text of ["", "30", "s", "1d", "-1s", "1s ", "1s2", "8784h1ms", "1..5s"]) {
    assertThrows(
      () => durationOf("--timeout", text),
      UsageError,
      "--timeout takes a duration such as 30s, 1m30s or 2h",
    );
  }
});

Deno.test("Progress is quiet if standard error is not a terminal", () => {
  const progress = new Progress({
    clock: new VirtualClock(),
    stderr: { isTerminal: false, columns: 80 },
    draw: () => {
      throw new Error("It has drawn");
    },
  });
  progress.show("1 of 3");
  progress.clear();
});

Deno.test("span() and ago() show durations as kubectl does", () => {
  const spans: [number, string][] = [
    [-5, "0s"],
    [999, "0s"],
    [1_000, "1s"],
    [12_000, "12s"],
    [59_999, "59s"],
    [60_000, "1m"],
    [90_000, "1m30s"],
    [599_999, "9m59s"],
    [630_000, "10m"],
    [3_600_000 + 59_999, "1h"],
    [86_400_000, "1d"],
    [86_400_000 * 10 + 3_600_000, "10d"],
    [300_000, "5m"],
    [3_600_000 * 11, "11h"],
    [86_400_000 * 2 + 3_600_000, "2d1h"],
  ];
  for (const [ms, text] of spans) assertEquals(span(ms), text);
  assertEquals(ago("2026-01-01T00:00:00Z", Date.UTC(2026, 0, 1, 0, 5)), "5m ago");
  assertEquals(ago("no time", 0), "");
  assertEquals(ago(undefined, 0), "");
});
