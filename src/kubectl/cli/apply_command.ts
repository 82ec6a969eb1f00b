import {
  applyAll,
  ApplyError,
  type ApplyProgress,
  type ApplyResult,
  diffAll,
  type Manifests,
} from "../mod.ts";
import { connected, type Connection, CONNECTION_FLAGS } from "./connect.ts";
import { durationOf } from "./durations.ts";
import { CommandError, EXIT, UsageError } from "./exits.ts";
import { type Flags, type FlagSet, parseFlags } from "./flags.ts";
import type { Command, CommandHost } from "./host.ts";
import { objectName } from "./targets.ts";
import { Progress } from "./terminal/mod.ts";

const FLAGS = {
  filename: {
    short: "f",
    value: "FILE",
    isRepeated: true,
    help: "a file, a folder, or - for standard input",
  },
  diff: { help: "prints what would change, and changes nothing" },
  "dry-run": { help: "lets the server try everything, and changes nothing" },
  "apply-set": { value: "NAME", help: "remembers the objects in the ConfigMap NAME, for --prune" },
  prune: { help: "deletes what the apply set had before, and is not in the files" },
  wait: { help: "waits until the objects are ready: rolled out, complete, established" },
  timeout: { value: "DURATION", help: "the time for all of it; default no limit, with --wait 5m" },
  "force-conflicts": { help: "takes over fields that other field managers own" },
  "field-manager": { value: "NAME", help: "who owns the applied fields; default kubeloop" },
  ...CONNECTION_FLAGS,
} as const satisfies FlagSet;

const USAGE = `Usage: kubeloop apply -f FILE...

Applies all objects in YAML and JSON files, of any kinds, in an order in which they find what they need, by server-side
apply. Of a folder it takes the files .yaml, .yml and .json, and those of the folders in it. An object that fails does
not stop the others; each failure is an error of its own.

  kubeloop apply -f deploy/ --wait
  kubeloop apply -f deploy/ --diff
  kubeloop apply -f deploy/ --apply-set web --prune
`;

/** `kubeloop apply`. */
export const APPLY: Command = { usage: USAGE, flags: FLAGS, takes: "files", run: apply };

/** The default time limit for objects to become ready, in milliseconds. */
const WAIT_MS = 300_000;

async function apply(args: readonly string[], host: CommandHost): Promise<void> {
  const flags = parseFlags(args, FLAGS, "apply");
  const paths = [...flags.all("filename"), ...flags.rest];
  if (paths.length === 0) {
    throw new UsageError("No files: give -f FILE, a folder, or - for standard input");
  }
  if (paths.filter((path) => path === "-").length > 1) {
    throw new UsageError("Standard input (-) can be read only once");
  }
  if (flags.has("prune") && !flags.has("apply-set")) {
    throw new UsageError("--prune needs --apply-set, which remembers what was applied before");
  }
  const timeout = flags.text("timeout");
  const limitMs = timeout === undefined ? undefined : durationOf("--timeout", timeout);
  const timeoutMs = limitMs ?? (flags.has("wait") ? WAIT_MS : undefined);
  const { names, texts } = await readAll(paths, host);
  await connected(flags, host, async (connection) => {
    try {
      await applyTexts(texts, flags, host, connection, timeoutMs);
    } catch (error) {
      throw ApplyError.is(error) ? timedOut(error) : inFiles(error, names);
    }
  });
}

/** Returns the errors of an apply, with the exit code {@linkcode EXIT.timedOut} for timeouts. */
function timedOut(error: ApplyError): AggregateError {
  return new AggregateError(
    error.errors.map((one: Error) =>
      one.cause instanceof DOMException && one.cause.name === "TimeoutError"
        ? new CommandError(one.message, EXIT.timedOut)
        : one
    ),
  );
}

/** Replaces the numbers of texts in an error by their file names. */
function inFiles(error: unknown, names: readonly string[]): unknown {
  if (!(error instanceof SyntaxError || error instanceof TypeError)) return error;
  const message = error.message.replace(
    /\btext (\d+)\b/g,
    (text, number) => names[Number(number) - 1] ?? text,
  );
  return new Error(message);
}

/** Returns the texts and the names of files, and of the manifests in folders. */
export async function readAll(
  paths: readonly string[],
  host: CommandHost,
): Promise<{ readonly names: string[]; readonly texts: string[] }> {
  const names: string[] = [];
  const texts: string[] = [];
  for (const path of paths) {
    if (path === "-") {
      names.push("standard input");
      texts.push(await host.readInput());
      continue;
    }
    const below = await host.filesBelow(path);
    const files = below?.filter((file) => /\.(ya?ml|json)$/.test(file)) ?? [path];
    if (files.length === 0) throw new Error(`${path} has no files .yaml, .yml or .json`);
    for (const file of files) {
      names.push(file);
      texts.push(await host.readFile(file));
    }
  }
  return { names, texts };
}

async function applyTexts(
  texts: Manifests,
  flags: Flags<typeof FLAGS>,
  host: CommandHost,
  { client, namespace }: Connection,
  timeoutMs: number | undefined,
): Promise<void> {
  const set = flags.text("apply-set");
  const options = {
    namespace,
    fieldManager: flags.text("field-manager"),
    force: flags.has("force-conflicts"),
    prune: flags.has("prune"),
    ...(set === undefined ? {} : { applySet: { name: set } }),
    timeoutMs,
    signal: host.signal,
  };
  if (flags.has("diff")) {
    for (const { text } of await diffAll(client, texts, options)) {
      await host.print(text);
    }
    return;
  }
  const dryRun = flags.has("dry-run");
  const wait = flags.has("wait");
  const progress = new Progress(host);
  let printed = Promise.resolve();
  const onProgress = ({ done, result, total }: ApplyProgress) => {
    const text = resultText(result, dryRun);
    progress.clear();
    printed = printed.then(() => host.print(text));
    // Awaited at the end.
    printed.catch(() => {});
    const isLast = wait && done === total;
    progress.show(isLast ? `waiting for ${total} objects to be ready` : `${done} of ${total}`);
  };
  try {
    await applyAll(client, texts, { ...options, dryRun, wait, onProgress });
  } finally {
    await printed;
    progress.clear();
  }
}

/** Returns the output line of an object, such as `deployment.apps/web configured`. Failures are reported separately. */
function resultText(
  { apiVersion, kind, name, status, unchecked }: ApplyResult,
  isDryRun: boolean,
): string {
  if (status === "failed") return "";
  const [group = ""] = apiVersion.includes("/") ? apiVersion.split("/") : [];
  const more = unchecked === undefined ? "" : `, unchecked: ${unchecked}`;
  const line = `${objectName({ kind, group }, name)} ${status}${
    isDryRun ? " (dry run)" : ""
  }${more}`;
  return `${line}\n`;
}
