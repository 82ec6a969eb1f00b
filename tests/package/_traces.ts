/**
 * Compares the traces of the full scenario between runtimes: Deno on the sources, the others on the npm packages.
 *
 * @module
 */

import { TextLineStream } from "@std/streams/text-line-stream";
import { scaled, seededRuns } from "../support/seeded_runs.ts";
import type { Run } from "./_at_most.ts";
import { capture, ROOT, type Runtime } from "./_tools.ts";

/** The number of seeds. Two suffice for a part in everything in which runtimes could differ: see full_scenario_test.ts. */
const SEEDS = scaled(seededRuns.factor > 1 ? 24 : 8);
/** How many seeds there are between two lines of progress. */
const STEP = 250;
/** How many lines before the first difference are shown. */
const CONTEXT = 8;
/** How much of a line is shown around the first character that differs. */
const SHOWN = 400;

/** The program that prints the hashes, on one runtime. */
interface Tracer {
  readonly name: string;
  readonly command: readonly string[];
  readonly cwd: string;
}

/** The result of a comparison: the number of seeds with the same trace everywhere, and of the others. */
export interface Compared {
  readonly passed: number;
  readonly failed: number;
}

/**
 * Runs the scenario with every seed on Deno and all of `runtimes`. `folder` has the npm packages and `traces.js`, the
 * bundled program. Shows the first difference of the first seed whose trace differs.
 *
 * @param run Runs the program on one runtime, when fewer others run than may run at once.
 */
export async function compareTraces(
  folder: string,
  runtimes: readonly Runtime[],
  run: Run,
): Promise<Compared> {
  const tracers: Tracer[] = [
    {
      name: `deno ${Deno.version.deno}`,
      command: [
        Deno.execPath(),
        "run",
        "--allow-env",
        "--allow-read",
        "tests/simulation/trace_hashes.ts",
      ],
      cwd: ROOT,
    },
    ...runtimes.map(({ name, path }) => ({ name, command: [path, "traces.js"], cwd: folder })),
  ];
  const all = await Promise.all(
    tracers.map(async (tracer) => [tracer, await run(() => hashesOf(tracer))] as const),
  );
  const hashes = new Map<Tracer, readonly string[]>(all);
  const [reference, ...others] = tracers;
  const expected = hashes.get(reference!)!;
  let failed = 0;
  for (let i = 0; i < SEEDS; i++) {
    const different = others.filter((tracer) => hashes.get(tracer)![i] !== expected[i]);
    if (different.length === 0 && expected[i] !== undefined) continue;
    failed++;
    const names = different.map(({ name }) => name).join(", ");
    console.error(`FAILED: seed ${seededRuns.seed + i} has another trace on ${names}`);
    if (failed === 1) {
      console.error(await firstDifference(reference!, different[0] ?? reference!, i));
    }
  }
  console.log(`traces: ${SEEDS - failed} the same on all runtimes, ${failed} not`);
  return { passed: SEEDS - failed, failed };
}

/** Returns the hashes of all seeds. A runtime that fails returns fewer of them. */
async function hashesOf({ name, command, cwd }: Tracer): Promise<readonly string[]> {
  const start = performance.now();
  const [program = "", ...args] = command;
  const child = new Deno.Command(program, {
    args: [...args, String(seededRuns.seed), String(SEEDS)],
    cwd,
    stdin: "null",
    stdout: "piped",
    stderr: "inherit",
  }).spawn();
  const hashes: string[] = [];
  const lines = child.stdout.pipeThrough(new TextDecoderStream()).pipeThrough(new TextLineStream());
  for await (const line of lines) {
    hashes.push(line);
    if (hashes.length % STEP > 0) continue;
    const seconds = ((performance.now() - start) / 1000).toFixed(0);
    console.log(`${name}: traces of ${hashes.length} of ${SEEDS} seeds, ${seconds} s`);
  }
  const { success, code } = await child.status;
  if (!success) console.error(`FAILED: the traces on ${name}: exit code ${code}`);
  return hashes;
}

async function firstDifference(a: Tracer, b: Tracer, index: number): Promise<string> {
  const seed = seededRuns.seed + index;
  const [one, other] = await Promise.all(
    [a, b].map(({ command, cwd }) => linesOf(command, seed, cwd)),
  );
  return describeDifference({ name: a.name, lines: one! }, { name: b.name, lines: other! });
}

async function linesOf(command: readonly string[], seed: number, cwd: string): Promise<string[]> {
  const { stdout, stderr } = await capture([...command, "--trace", String(seed)], { cwd });
  return `${stdout}${stderr}`.trimEnd().split("\n");
}

/** The lines of a trace. */
export interface NamedLines {
  readonly name: string;
  readonly lines: readonly string[];
}

/** Describes the first line in which two traces differ, with the lines before it. */
export function describeDifference(a: NamedLines, b: NamedLines): string {
  const length = Math.max(a.lines.length, b.lines.length);
  let at = 0;
  while (at < length && a.lines[at] === b.lines[at]) at++;
  if (at === length) {
    return "The traces of a second run are the same: the scenario is not repeatable";
  }
  const [one = "(the trace has ended)", other = "(the trace has ended)"] = [
    a.lines[at],
    b.lines[at],
  ];
  let from = 0;
  while (one[from] === other[from] && from < one.length) from++;
  const show = (line: string) => line.slice(Math.max(0, from - SHOWN / 2), from + SHOWN / 2);
  const before = a.lines.slice(Math.max(0, at - CONTEXT), at);
  return [
    `The first difference is in line ${at + 1}, from character ${from + 1} on:`,
    ...before.map((line) => `    ${line.slice(0, SHOWN)}`),
    `  ${a.name}: …${show(one)}`,
    `  ${b.name}: …${show(other)}`,
  ].join("\n");
}
