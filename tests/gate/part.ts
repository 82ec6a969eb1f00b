/**
 * The parts of the gate: their order, what their output says, and the table of their results.
 *
 * @module
 */

/** A command that must succeed before a change lands. */
export interface Part {
  readonly name: string;
  readonly command: readonly string[];
  /** The names of the parts that must have ended before this one starts. */
  readonly after?: readonly string[];
}

/** How many tests of a part passed and failed. */
export interface Count {
  readonly passed: number;
  readonly failed: number;
}

/** The result of a part. */
export interface PartResult extends Count {
  readonly name: string;
  /** From its start to its end. */
  readonly seconds: number;
  /** The CPU time in seconds, with its child processes. */
  readonly cpuSeconds: number;
  /** The part of its output that shows the failure; undefined if it passed. */
  readonly failure?: string;
}

/** The last line of a test run, such as `ok | 12 passed (3 steps) | 0 failed | 1 ignored (2s)`. */
const SUMMARY = /^(?:ok|FAILED) \| (\d+) passed.*\| (\d+) failed/gm;

/**
 * Returns the counts of the last test run in `output`. A command without tests counts as one. A part that did not
 * succeed has at least one failure, whatever its output says.
 */
export function countOf(output: string, succeeded: boolean): Count {
  const summary = [...output.matchAll(SUMMARY)].at(-1);
  const passed = summary === undefined ? Number(succeeded) : Number(summary[1]);
  const failed = summary === undefined ? 0 : Number(summary[2]);
  return { passed, failed: succeeded ? failed : Math.max(failed, 1) };
}

/** Where the failures start in the output of a test run, and the most lines that are repeated of them. */
const FAILURES = /^ ?(?:ERRORS|FAILED:)/;
const REPEATED_LINES = 60;

/** Returns the lines of a failed part's output that show the failure: from the first failure, or the last lines. */
export function failureOf(output: string): string {
  const lines = output.trimEnd().split("\n");
  const first = lines.findIndex((line) => FAILURES.test(line));
  const from = first === -1 ? Math.max(0, lines.length - REPEATED_LINES) : first;
  return lines.slice(from, from + REPEATED_LINES).join("\n");
}

/**
 * Returns the parts of `waiting` that can start now, in order: at most as many as keep `lanes` busy, and none before
 * the parts that it comes after have ended.
 */
export function startable(
  waiting: readonly Part[],
  running: readonly Part[],
  lanes: number,
): readonly Part[] {
  const unfinished = new Set([...waiting, ...running].map(({ name }) => name));
  return waiting
    .filter(({ after = [] }) => !after.some((name) => unfinished.has(name)))
    .slice(0, Math.max(0, lanes - running.length));
}

/** Formats what went wrong, so that the end of a long log says it. */
export function failuresOf(results: readonly PartResult[]): string {
  return results
    .flatMap(({ name, failure }) =>
      failure === undefined ? [] : [`== ${name} failed:\n${failure}\n\n`]
    )
    .join("");
}

/** Formats the results as a table, slowest first, with a last line `N passed, N failed`. */
export function tableOf(results: readonly PartResult[], seconds: number): string {
  const sum = (of: (result: PartResult) => number) =>
    results.reduce((total, result) => total + of(result), 0);
  const passed = sum((result) => result.passed);
  const failed = sum((result) => result.failed);
  const together = {
    name: "together",
    seconds,
    cpuSeconds: sum((result) => result.cpuSeconds),
    passed,
    failed,
  };
  const bySeconds = [...results].sort((a, b) => b.seconds - a.seconds);
  const rows = [
    ["part", "time", "processors", "passed", "failed"],
    ...[...bySeconds, together].map((result) => [
      result.name,
      minutes(result.seconds),
      minutes(result.cpuSeconds),
      String(result.passed),
      String(result.failed),
    ]),
  ];
  const width = Math.max(...rows.map(([name]) => name!.length));
  const lines = rows.map(([name, ...numbers]) =>
    [name!.padEnd(width), ...numbers.map((number) => number.padStart(10))].join("  ")
  );
  return [...lines, "", `${passed} passed, ${failed} failed`].join("\n");
}

/** Formats a duration as minutes and seconds, such as `3:07`. */
export function minutes(seconds: number): string {
  const whole = Math.round(seconds);
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, "0")}`;
}
