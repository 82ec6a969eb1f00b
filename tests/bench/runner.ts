/**
 * Runs cases. Each run of a client is a new process, and processes run one after another. The clients take turns, in
 * every second round the other way round, so that what changes on the machine meanwhile affects all of them alike.
 *
 * @module
 */

import { TextLineStream } from "@std/streams/text-line-stream";
import type { Output } from "../package/_tools.ts";
import type { Case, Measured, Size } from "./cases/case.ts";
import { encodingOf } from "./clients/mod.ts";
import { StubControl } from "./inside/stub_control.ts";
import type { Contestant } from "./contestants.ts";
import { type CaseResult, withRatios } from "./results.ts";

const TIMEOUT_MS = 180_000;
/** The prefix of progress lines. */
const PROGRESS = "… ";

/** Options of {@linkcode runCase}. */
export interface RunnerOptions {
  readonly runs: number;
  readonly size: Size;
  /** The URL of the stub server; empty for cases without one. */
  readonly server: string;
  /** Called with a line about each finished run, and with progress lines. */
  readonly onRun: (line: string) => void;
}

/** Measures a case for all contestants. */
export async function runCase(
  one: Case,
  contestants: readonly Contestant[],
  options: RunnerOptions,
): Promise<CaseResult> {
  const { runs, size, onRun } = options;
  const turns = contestants.map((contestant) => {
    const { client, runtime } = contestant;
    const result = { client, runtime, runs: [] as Measured[], failures: [] as string[] };
    return { contestant, result };
  });
  for (let round = 1; round <= runs; round++) {
    for (const { contestant, result } of round % 2 === 1 ? turns : turns.toReversed()) {
      // A contestant that failed twice is skipped: it would fail again, possibly only at the time limit.
      if (result.failures.length > 1) continue;
      const who = `${one.name} ${round}/${runs} ${result.client} on ${result.runtime}`;
      try {
        const measured = await measure(one, contestant, options);
        result.runs.push(measured);
        const { name, title, unit } = one.figures.find(({ name }) => name in measured) ??
          one.figures[0];
        onRun(`${who}: ${title} ${measured[name]?.toPrecision(4)} ${unit}`);
      } catch (error) {
        const message = error instanceof Error ? error.message : `${error}`;
        result.runs.push({});
        result.failures.push(message);
        onRun(`${who}: failed: ${message}`);
      }
    }
  }
  const { name, figures } = one;
  const results = withRatios(figures, turns.map(({ result }) => result));
  return { name, title: one.title(size), size, figures, results };
}

async function measure(
  { name, heapMiB, timeoutMs = TIMEOUT_MS }: Case,
  { client, command, cwd, env }: Contestant,
  { server, size, onRun }: RunnerOptions,
): Promise<Measured> {
  const stub = server === "" ? undefined : new StubControl(server);
  const encoding = encodingOf(client);
  await stub?.reset(encoding);
  const run = JSON.stringify({ server, size });
  const { success, stdout, stderr } = await execute(
    {
      args: [...command, name, client, run],
      cwd,
      env: { ...env, ...heapLimit(heapMiB) },
      timeoutMs,
    },
    onRun,
  );
  if (!success) throw new Error(reasonOf(stderr) ?? reasonOf(stdout) ?? "It said nothing");
  if (encoding === "protobuf" && (await stub?.state())?.inProtobuf === 0) {
    throw new Error("It did not ask for protobuf");
  }
  return JSON.parse(stdout.trimEnd().split("\n").at(-1) ?? "");
}

/** Returns the environment variables that limit V8's old space on Deno and Node. */
function heapLimit(heapMiB: number | undefined): Record<string, string> {
  if (heapMiB === undefined) return {};
  const flag = `--max-old-space-size=${heapMiB}`;
  return { DENO_V8_FLAGS: flag, NODE_OPTIONS: flag };
}

interface Execution {
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
}

/** Runs a process to its end, and passes on its progress lines. */
async function execute(
  { args: [program = "", ...args], cwd, env, timeoutMs }: Execution,
  onProgress: (line: string) => void,
): Promise<Output> {
  const child = new Deno.Command(program, {
    args,
    cwd,
    env: { ...env, NO_COLOR: "1" },
    stdin: "null",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  let isLate = false;
  const timer = setTimeout(() => {
    isLate = true;
    child.kill("SIGKILL");
  }, timeoutMs);
  const stdout = new Response(child.stdout).text();
  let stderr = "";
  const lines = child.stderr.pipeThrough(new TextDecoderStream())
    .pipeThrough(new TextLineStream());
  for await (const line of lines) {
    if (line.startsWith(PROGRESS)) onProgress(line);
    else stderr += `${line}\n`;
  }
  const { success } = await child.status;
  clearTimeout(timer);
  if (isLate) throw new Error(`No end in ${timeoutMs / 1000} s`);
  return { success, stdout: await stdout, stderr };
}

/** Returns the line of a crash report that contains the error. */
function reasonOf(output: string): string | undefined {
  const lines = output.split("\n").map((line) => line.trim()).filter((line) => line !== "");
  return (lines.find((line) => /error|fatal|panic/i.test(line)) ?? lines[0])?.slice(0, 200);
}
