/**
 * Runs everything that must hold before a change lands, several parts side by side. Ends with a table of the parts and a
 * line `N passed, N failed`. The arguments are names of parts: only these run.
 *
 * @module
 */

import {
  countOf,
  failureOf,
  failuresOf,
  minutes,
  type Part,
  type PartResult,
  startable,
  tableOf,
} from "./part.ts";

/** Twice the processors of a small machine: parts that wait for a server or for a child leave them free. */
const LANES = 4;

/** The time limit, far above the time of all parts together, so that a busy machine does not fail the gate. */
const LIMIT_SECONDS = 60 * 60;

/** The exit codes of `timeout` after it has stopped the command, with a signal or by force. */
const TIMED_OUT: readonly number[] = [124, 137];

const PROGRESS_MS = 30_000;

/** Matches the last line that bash prints for a command: the CPU seconds of the command and its children. */
const TIMES = /\ngate-times ([\d.]+) ([\d.]+)\s*$/;

const task = (...args: readonly string[]) => [Deno.execPath(), "task", ...args];

const program = (path: string) => [
  Deno.execPath(),
  "run",
  ..."--allow-read --allow-write --allow-env --allow-run".split(" "),
  path,
];

/** The parts that take longest come first, so that none of them is left alone at the end. */
function allParts(go: boolean): readonly Part[] {
  const real: readonly Part[] = [
    { name: "binaries", command: program("tests/e2e/binaries.ts") },
    // Each test has an API server of its own, and waits for it most of the time.
    { name: "e2e", command: task("e2e", "--parallel"), after: ["binaries"] },
    { name: "schemas", command: task("schemas", "-check"), after: ["binaries"] },
  ];
  return [
    { name: "npm", command: task("npm") },
    // npx cannot install the same package twice at once.
    { name: "tools", command: program("tests/package/install_tools.ts"), after: ["npm"] },
    // Node and Bun try the other quarters of the random inputs, in "runtimes".
    { name: "test", command: task("test") },
    { name: "long", command: task("test", "--long") },
    { name: "runtimes", command: task("runtimes"), after: ["tools"] },
    ...(go ? real : []),
    { name: "static", command: task("static") },
    { name: "package-check", command: task("package-check"), after: ["tools"] },
    {
      name: "simulate",
      command: task("simulate", "--self", "--plans", "500", "--workers", "2"),
    },
    { name: "expressions", command: task("expressions") },
    { name: "foreign", command: task("foreign"), after: go ? ["binaries"] : [] },
    { name: "demo", command: task("demo") },
  ];
}

async function main(): Promise<void> {
  const go = await isInstalled("go");
  if (!go) {
    console.log(
      "== e2e, schemas: skipped, there is no go on this machine to build a real API server with",
    );
  }
  const waiting = [...chosen(allParts(go), Deno.args)];
  const running: Part[] = [];
  const results: PartResult[] = [];
  const start = performance.now();
  const elapsed = () => (performance.now() - start) / 1000;
  const progress = setInterval(() => {
    const names = running.map(({ name }) => name).join(", ");
    console.log(
      `-- ${minutes(elapsed())}: running ${names}; ${results.length} done, ${waiting.length} wait`,
    );
  }, PROGRESS_MS);

  await new Promise<void>((done) => {
    const fill = () => {
      for (const part of startable(waiting, running, LANES)) {
        waiting.splice(waiting.indexOf(part), 1);
        running.push(part);
        void run(part, LIMIT_SECONDS - elapsed()).then((result) => {
          running.splice(running.indexOf(part), 1);
          results.push(result);
          fill();
        });
      }
      if (running.length === 0) done();
    };
    fill();
  });

  clearInterval(progress);
  console.log(`\n${failuresOf(results)}${tableOf(results, elapsed())}`);
  Deno.exit(results.some(({ failed }) => failed > 0) ? 1 : 0);
}

/** Returns the parts that `names` name, or all. */
function chosen(parts: readonly Part[], names: readonly string[]): readonly Part[] {
  const known = parts.map(({ name }) => name);
  const unknown = names.filter((name) => !known.includes(name));
  if (unknown.length > 0) {
    console.error(`Unknown part "${unknown[0]}": expected some of ${known.join(", ")}`);
    Deno.exit(2);
  }
  return names.length === 0 ? parts : parts.filter(({ name }) => names.includes(name));
}

/** Runs a part to its end, for `limitSeconds` at most, and prints its output then. */
async function run(part: Part, limitSeconds: number): Promise<PartResult> {
  const start = performance.now();
  const command = new Deno.Command("bash", {
    args: [
      "-c",
      'exec 2>&1; TIMEFORMAT="gate-times %U %S"; time "$@"',
      "bash",
      // `timeout` stops the whole process group: child processes would otherwise keep running, and hold the output open.
      "timeout",
      "--kill-after=10",
      String(Math.max(1, Math.ceil(limitSeconds))),
      ...part.command,
    ],
    stdin: "null",
    stderr: "null",
    env: { NO_COLOR: "1", DENO_NO_UPDATE_CHECK: "1" },
  });
  const { stdout, success, code } = await command.output();
  const text = new TextDecoder().decode(stdout);
  const times = TIMES.exec(text);
  const output = times === null ? text : text.slice(0, times.index);
  const seconds = (performance.now() - start) / 1000;
  const count = countOf(output, success);
  const verdict = success
    ? "ok"
    : TIMED_OUT.includes(code)
    ? "stopped at the limit of the gate"
    : "failed";
  console.log(`== ${part.name}: ${verdict}, ${minutes(seconds)}\n${output}`);
  return {
    name: part.name,
    ...count,
    seconds,
    cpuSeconds: times === null ? 0 : Number(times[1]) + Number(times[2]),
    ...(count.failed > 0 ? { failure: failureOf(output) } : {}),
  };
}

async function isInstalled(program: string): Promise<boolean> {
  try {
    return (await new Deno.Command(program, { args: ["version"], stdout: "null" }).output())
      .success;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return false;
    throw error;
  }
}

await main();
