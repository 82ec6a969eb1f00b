import { toError } from "@kubeloop/controller/internal/base";
import { COMMANDS } from "./commands.ts";
import { CommandError, EXIT, Stop, UsageError } from "./exits.ts";
import { helpOf } from "./flags.ts";
import type { CommandHost, ProcessHost } from "./host.ts";
import { visibleHost } from "./visible_host.ts";

/** The maximum number of printed errors. */
const MAX_ERRORS = 20;

/**
 * Runs `kubeloop` with these arguments. Prints each error as one line on standard error, with advice on what to do.
 *
 * @returns The exit code, one of {@linkcode EXIT}.
 */
export async function runCommand(args: readonly string[], process: ProcessHost): Promise<number> {
  const host = visibleHost(process);
  try {
    await run(args, host);
    return host.signal.aborted ? stopCode(host) : EXIT.done;
  } catch (error) {
    if (host.signal.aborted) return stopCode(host);
    return await report(error, host);
  }
}

async function run([name, ...rest]: readonly string[], host: CommandHost): Promise<void> {
  if (name === undefined) throw new UsageError(`No command: expected ${names()}; see --help`);
  if (name === "--help" || name === "-h" || name === "help") return await host.print(usage());
  const command = COMMANDS.get(name);
  if (command === undefined) {
    const shown = name.startsWith("-") ? "flag before the command" : `command ${name}`;
    throw new UsageError(`Unknown ${shown}: expected ${names()}; see --help`);
  }
  const end = rest.indexOf("--");
  const own = end < 0 ? rest : rest.slice(0, end);
  const { flags, run, usage: help } = await command.load();
  const isHelp = own.includes("--help") || own.includes("-h");
  if (!isHelp) return await run(rest, host);
  await host.print(Object.keys(flags).length === 0 ? help : `${help}\n${helpOf(flags)}`);
}

function exitCodeOf(error: unknown): number {
  if (error instanceof UsageError) return EXIT.wrongUsage;
  return error instanceof CommandError ? error.exitCode : EXIT.failed;
}

function stopCode(host: CommandHost): number {
  const reason: unknown = host.signal.reason;
  return reason instanceof Stop ? reason.exitCode : EXIT.interrupted;
}

async function report(error: unknown, host: CommandHost): Promise<number> {
  const errors: readonly unknown[] = error instanceof AggregateError ? error.errors : [error];
  for (const one of errors.slice(0, MAX_ERRORS)) {
    host.warn(`error: ${await explained(one)}`);
  }
  if (errors.length > MAX_ERRORS) {
    host.warn(`error: and ${errors.length - MAX_ERRORS} more errors`);
  }
  return Math.max(...errors.map(exitCodeOf));
}

async function explained(error: unknown): Promise<string> {
  if (error instanceof UsageError || error instanceof CommandError) return error.message;
  // Loaded only here, because `kubeloop types` does not need the types of Kubernetes.
  const { explainError } = await import("@kubeloop/controller/types");
  return explainError(toError(error));
}

function names(): string {
  return [...COMMANDS.keys()].join(", ");
}

function usage(): string {
  const width = Math.max(...[...COMMANDS.keys()].map((name) => name.length));
  const lines = [...COMMANDS].map(([name, { summary }]) => `  ${name.padEnd(width)}  ${summary}\n`);
  return `Usage: kubeloop COMMAND [ARGUMENTS]

Commands:
${lines.join("")}
kubeloop COMMAND --help says more.

Exit codes: 0 done, 1 failed, 2 wrong usage, 124 a wait was not over in time, 130 stopped by Ctrl-C.
`;
}
