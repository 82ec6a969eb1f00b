import { mkdir, readdir, writeFile } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import process from "node:process";
import { pathToFileURL } from "node:url";
import { realClock } from "@kubeloop/controller/internal/base";
import { EXIT, Stop } from "./exits.ts";
import type { ProcessHost } from "./host.ts";
import { readFile, readInput, readLines } from "./read_text.ts";

/** The maximum number of files in a folder. */
const MAX_FILES = 10_000;

/** The width of a terminal with unknown width, in columns. */
const COLUMNS = 80;

/** Returns the host of this process. */
export function nodeHost(): ProcessHost {
  const { stderr, stdin, stdout } = process;
  const stop = new AbortController();
  // The second Ctrl-C ends the process at once, in case something hangs.
  process.once("SIGINT", () => stop.abort(new Stop("Ctrl-C", EXIT.interrupted)));
  process.once("SIGTERM", () => stop.abort(new Stop("SIGTERM", EXIT.terminated)));
  // A reader such as `head` may close the pipe first: then the work is done.
  stdout.on("error", () => stop.abort(new Stop("Nobody reads the output", EXIT.done)));
  stderr.on("error", () => {});
  const { signal } = stop;
  return {
    print: (text) => {
      if (signal.aborted) return Promise.reject(signal.reason);
      return new Promise<void>((resolve, reject) => {
        const onAbort = () => reject(signal.reason);
        signal.addEventListener("abort", onAbort, { once: true });
        stdout.write(text, () => {
          signal.removeEventListener("abort", onAbort);
          resolve();
        });
      });
    },
    warn: (line) => void stderr.write(`${line}\n`),
    draw: (text) => void stderr.write(text),
    stdout: screenOf(stdout),
    stderr: screenOf(stderr),
    readFile,
    readLines,
    filesBelow,
    writeFile: async (path, text) => {
      await mkdir(dirname(path), { recursive: true });
      await writeFile(path, text);
    },
    importModule: (path) => import(pathToFileURL(resolve(path)).href),
    readInput: () => readInput(stdin),
    ask: stdin.isTTY && stdout.isTTY ? (question) => ask(question, stop) : undefined,
    env: readVariable,
    signal,
    clock: realClock,
  };
}

function screenOf(stream: { readonly isTTY?: boolean; readonly columns?: number }) {
  return {
    isTerminal: stream.isTTY === true,
    get columns() {
      return stream.columns || COLUMNS;
    },
  };
}

/** Asks a question. Ctrl-C at the prompt stops the command. */
async function ask(question: string, stop: AbortController): Promise<string> {
  const { createInterface } = await import("node:readline/promises");
  const { stdin, stdout } = process;
  const lines = createInterface({ input: stdin, output: stdout });
  lines.on("SIGINT", () => stop.abort(new Stop("Ctrl-C", EXIT.interrupted)));
  try {
    return await lines.question(question, { signal: stop.signal });
  } finally {
    lines.close();
  }
}

/** Returns an environment variable; undefined without permission, because Deno would ask the user for it. */
function readVariable(variable: string): string | undefined {
  const isHidden = "Deno" in globalThis &&
    Deno.permissions.querySync({ name: "env", variable }).state !== "granted";
  return isHidden ? undefined : process.env[variable];
}

async function filesBelow(path: string): Promise<readonly string[] | undefined> {
  let entries;
  try {
    entries = await readdir(path, { withFileTypes: true });
  } catch {
    // The path is a file or does not exist. Reading it reports the error.
    return undefined;
  }
  const files: string[] = [];
  for (const entry of entries.sort((a, b) => a.name < b.name ? -1 : 1)) {
    const below = `${path.replace(/\/$/, "")}/${entry.name}`;
    if (entry.isDirectory()) files.push(...await filesBelow(below) ?? []);
    else files.push(below);
    if (files.length > MAX_FILES) throw new Error(`${path} has more than ${MAX_FILES} files`);
  }
  return files;
}
