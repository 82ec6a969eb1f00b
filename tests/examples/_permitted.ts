/**
 * Runs commands with exactly the permissions that the documentation prints, and with each of them missing.
 *
 * @module
 */

import { assert, assertEquals } from "@std/assert";
import { fileURLToPath } from "node:url";
import { type Lacking, withoutOne } from "./_documented.ts";

export const ROOT: string = fileURLToPath(new URL("../../", import.meta.url));

/** A command with `deno run`, ready to be run here. */
export interface Run {
  /** The command as documented, for messages. */
  readonly name: string;
  readonly permissions: readonly string[];
  /** The script and its arguments. */
  readonly command: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
  /**
   * The output that shows that the program has done its work, or a promise that resolves then. Then Ctrl-C stops the
   * program.
   */
  readonly works: string | Promise<unknown>;
  /** Whether it leaves Ctrl-C to Deno, which then ends it. */
  readonly isKilled?: boolean;
  /** Standard error while it works. Default: nothing. */
  readonly warns?: RegExp;
}

/** The permission that a program asks for, in what it says when it has not got it; or what a server says. */
const REFUSED =
  /Requires \w+ access|NotCapable|--allow-\w+|was not found|no server|Unauthorized|Forbidden|No cluster|Cannot /i;

/** Not a measure: it ends a program that neither works nor complains. */
const GIVE_UP_MS = 60_000;

interface Outcome {
  readonly works: boolean;
  readonly complains: boolean;
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a command until it works, complains or ends, and then stops it. */
async function outcomeOf(run: Run, permissions: readonly string[]): Promise<Outcome> {
  const { command, env = {}, cwd = ROOT, works } = run;
  const givingUp = AbortSignal.timeout(GIVE_UP_MS);
  await using process = new Deno.Command(Deno.execPath(), {
    args: ["run", "--no-prompt", ...permissions, ...command],
    cwd,
    env: { NO_COLOR: "1", DENO_NO_UPDATE_CHECK: "1", ...env },
    stdin: "null",
    stdout: "piped",
    stderr: "piped",
    signal: givingUp,
  }).spawn();
  const seen = { works: false, complains: false, stdout: "", stderr: "" };
  const stop = (signal: Deno.Signal) => {
    try {
      process.kill(signal);
    } catch {
      // It has ended.
    }
  };
  const hasWorked = () => {
    if (seen.works) return;
    seen.works = true;
    stop("SIGINT");
  };
  if (typeof works !== "string") works.then(hasWorked, () => {});
  const read = async (name: "stdout" | "stderr") => {
    for await (const text of process[name].pipeThrough(new TextDecoderStream())) {
      seen[name] += text;
      if (typeof works === "string" && seen.stdout.includes(works)) hasWorked();
      else if (!seen.works && !seen.complains && REFUSED.test(seen.stdout + seen.stderr)) {
        seen.complains = true;
        // Programs that try again for ever have said it. The others end with an exit code.
        stop("SIGTERM");
      }
    }
  };
  const [{ code }] = await Promise.all([process.status, read("stdout"), read("stderr")]);
  if (givingUp.aborted) {
    throw new Error(`${run.name} with ${permissions}: hangs:\n${seen.stdout}${seen.stderr}`);
  }
  return { ...seen, code };
}

/** Makes a run whose surroundings, such as a cluster, are new, so that it has work to do. */
export type MakeRun = () => Promise<Run & AsyncDisposable>;

/** Asserts that the permissions of a command are enough. */
export async function assertEnough(make: MakeRun): Promise<void> {
  await using run = await make();
  const { works, code, stdout, stderr } = await outcomeOf(run, run.permissions);
  assert(works, `${run.name}: needs more permissions:\n${stdout}${stderr}`);
  assertEquals(
    run.isKilled && code === 130 ? 0 : code,
    0,
    `${run.name}: exit code after Ctrl-C:\n${stdout}${stderr}`,
  );
  assert((run.warns ?? /^$/).test(stderr.trim()), `${run.name}: ${stderr}`);
}

/** Asserts that a command does not work without one of its permissions, and says so. */
async function assertNeeded(make: MakeRun, index: number): Promise<void> {
  await using run = await make();
  const { missing, rest } = withoutOne(run.permissions)[index] as Lacking;
  const { works, complains, code, stdout, stderr } = await outcomeOf(run, rest);
  assert(!works, `${run.name}: does not need ${missing}`);
  const isSilent = !complains && code === 0;
  assert(!isSilent, `${run.name}: says nothing without ${missing}:\n${stdout}${stderr}`);
}

/** Asserts that the permissions of a command are enough, and that each is needed. */
export async function assertExact(make: MakeRun): Promise<void> {
  await assertEnough(make);
  await using run = await make();
  await inParallel(withoutOne(run.permissions), (_, index) => assertNeeded(make, index));
}

/** Runs `work` for each item, for some at the same time. */
export async function inParallel<Item>(
  items: readonly Item[],
  work: (item: Item, index: number) => Promise<void>,
): Promise<void> {
  const rest = [...items.entries()];
  const errors: unknown[] = [];
  const worker = async () => {
    for (let next; (next = rest.shift()) !== undefined;) {
      const [index, item] = next;
      await work(item, index).catch((error) => errors.push(error));
    }
  };
  await Promise.all(Array.from({ length: Math.max(2, navigator.hardwareConcurrency) }, worker));
  if (errors.length > 0) {
    throw new AggregateError(errors, errors.map((error) => (error as Error).message).join("\n"));
  }
}
