import { parseJson } from "@kubeloop/controller/internal/base";
import { CommandError, EXIT, UsageError } from "./exits.ts";
import { type FlagSet, parseFlags } from "./flags.ts";
import type { Command, CommandHost } from "./host.ts";
import { Progress } from "./terminal/mod.ts";

const FLAGS = {
  before: { value: "COMMAND", help: "the version of the operator that runs now" },
  after: { value: "COMMAND", help: "the version after the upgrade" },
  minutes: {
    value: "N",
    help: "run each version for so long; default: until it has not written for 5 s, 30 s at most",
  },
  output: {
    short: "o",
    value: "FORM",
    values: ["text", "json", "html"],
    help: "the form of the report; default is text",
  },
} as const satisfies FlagSet;

const USAGE = `Usage: kubeloop rehearse WORLD --before COMMAND --after COMMAND

Rehearses the upgrade of an operator on the objects in WORLD, a file of kubeloop snapshot, and prints what the
new version does differently: restarts of Pods, deletions, refused writes, changed fields, requests. No
cluster is touched: both versions run on this machine, against a server in this process, with a kubeconfig in
KUBECONFIG. COMMAND is a program and its arguments, separated by spaces, or a JSON array of them.

  kubeloop snapshot > world.jsonl
  kubeloop rehearse world.jsonl --before ./operator-1.6.0 --after "./operator-1.6.1 --workers 2"
  kubeloop rehearse world.jsonl --before ./old --after ./new -o html > upgrade.html

Exit codes: 0 both versions do the same, 1 they differ.
`;

/** `kubeloop rehearse`: what the upgrade of an operator will do. */
export const REHEARSE: Command = { usage: USAGE, flags: FLAGS, takes: "files", run: rehearse };

/** The longest rehearsal of a version, in minutes. */
const MAX_MINUTES = 24 * 60;

async function rehearse(args: readonly string[], host: CommandHost): Promise<void> {
  const flags = parseFlags(args, FLAGS, "rehearse");
  const [world, ...more] = flags.rest;
  if (world === undefined || more.length > 0) {
    throw new UsageError("rehearse takes one file, which kubeloop snapshot has written");
  }
  const before = { command: commandOf("--before", flags.text("before")) };
  const after = { command: commandOf("--after", flags.text("after")) };
  const forMs = durationOf(flags.text("minutes"));
  const testing = await loadTesting();
  const progress = new Progress(host);
  progress.show("rehearsing: the old version runs twice, and the new one once");
  let rehearsal;
  try {
    rehearsal = await testing.rehearse({
      world,
      before,
      after,
      forMs,
      quietMs: forMs,
      signal: host.signal,
    });
  } finally {
    progress.clear();
  }
  switch (flags.text("output")) {
    case "json":
      await host.printData(`${JSON.stringify(rehearsal, undefined, 2)}\n`);
      break;
    case "html":
      await host.printData(rehearsal.toHtml());
      break;
    default:
      await host.print(`${rehearsal}\n`);
  }
  if (!rehearsal.isSame) throw new CommandError(rehearsal.summary(), EXIT.failed);
}

/** Loads the package with the API server, which most users of the other commands do not need. */
async function loadTesting() {
  try {
    return await import("@kubeloop/testing/simulation");
  } catch (error) {
    if ((error as { readonly code?: unknown }).code !== "ERR_MODULE_NOT_FOUND") throw error;
    throw new Error(
      "rehearse needs the package @kubeloop/testing: npm install --save-dev @kubeloop/testing",
      { cause: error },
    );
  }
}

function commandOf(flag: string, text: string | undefined): [string, ...string[]] {
  if (text === undefined) throw new UsageError(`rehearse needs ${flag} COMMAND`);
  const [file, ...args] = text.startsWith("[") ? arrayOf(flag, text) : text.trim().split(/\s+/);
  if (!file) throw new UsageError(`${flag} names no program`);
  return [file, ...args];
}

function arrayOf(flag: string, text: string): readonly string[] {
  let array: unknown;
  try {
    array = parseJson(text);
  } catch {
    // It is refused below.
  }
  if (Array.isArray(array) && array.every((part) => typeof part === "string")) return array;
  throw new UsageError(`${flag} takes a JSON array of texts, as in ["./operator","--workers","2"]`);
}

function durationOf(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const minutes = Number(text);
  if (minutes > 0 && minutes <= MAX_MINUTES) return Math.ceil(minutes * 60_000);
  throw new UsageError(`--minutes takes a number above 0 and up to ${MAX_MINUTES}`);
}
