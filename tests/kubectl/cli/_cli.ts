/**
 * Runs the command in this process, against an in-process API server.
 *
 * @module
 */

import { VirtualClock } from "@kubeloop/testing";
import type { Clock } from "../../../src/base/mod.ts";
import type { Fetch } from "../../../src/client/mod.ts";
import { COMMANDS } from "../../../src/kubectl/cli/commands.ts";
import { EXIT, Stop } from "../../../src/kubectl/cli/exits.ts";
import type { ProcessHost } from "../../../src/kubectl/cli/host.ts";
import { runCommand } from "../../../src/kubectl/cli/run_command.ts";

// A virtual clock does not wait for modules that are loaded.
for (const { load } of COMMANDS.values()) await load();

/** Options of a run. */
export interface CliOptions {
  readonly fetch?: Fetch | undefined;
  readonly clock?: Clock | undefined;
  /** The texts of files by path; `-` is standard input. */
  readonly files?: Readonly<Record<string, string>>;
  /** The exports of modules by path. */
  readonly modules?: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  readonly env?: Readonly<Record<string, string>>;
  /** The width of the terminal that both outputs are. Default: they are none. */
  readonly columns?: number;
  /** Called with each text before it is written. */
  readonly onPrint?: (text: string, run: CliRun) => void | Promise<void>;
}

/** A command that runs. */
export class CliRun {
  stdout = "";
  /** The lines of standard error. */
  readonly stderr: string[] = [];
  /** The progress that was drawn. */
  drawn = "";
  /** The texts of written files by path. */
  readonly written = new Map<string, string>();
  /** The exit code. */
  readonly ended: Promise<number>;
  readonly #stop = new AbortController();

  constructor(args: readonly string[], options: CliOptions) {
    const { clock = new VirtualClock(), columns, env = {}, fetch, files = {}, onPrint } = options;
    const { modules = {} } = options;
    const screen = { isTerminal: columns !== undefined, columns: columns ?? 80 };
    const { signal } = this.#stop;
    const readFile = (path: string) => {
      const text = files[path];
      return text === undefined ? Promise.reject(new Error(`no ${path}`)) : Promise.resolve(text);
    };
    const host: ProcessHost = {
      print: async (text) => {
        signal.throwIfAborted();
        await onPrint?.(text, this);
        signal.throwIfAborted();
        this.stdout += text;
      },
      warn: (line) => void this.stderr.push(line),
      draw: (text) => void (this.drawn += text),
      stdout: screen,
      stderr: screen,
      readFile,
      readLines: async function* (path) {
        yield* (await readFile(path)).split("\n");
      },
      filesBelow: (path) => {
        const below = Object.keys(files).filter((name) => name.startsWith(`${path}/`));
        return Promise.resolve(below.length === 0 ? undefined : below.sort());
      },
      writeFile: (path, text) => Promise.resolve(void this.written.set(path, text)),
      importModule: (path) => {
        const module = modules[path];
        return module === undefined
          ? Promise.reject(new Error(`no ${path}`))
          : Promise.resolve(module);
      },
      readInput: () => readFile("-"),
      env: (name) => env[name],
      signal,
      clock,
      fetch: fetch ?? (() => Promise.reject(new TypeError("There is no server in this test"))),
    };
    this.ended = runCommand(args, host);
  }

  /** Presses Ctrl-C. */
  interrupt(): void {
    this.#stop.abort(new Stop("Ctrl-C", EXIT.interrupted));
  }

  /** Closes the pipe that the output goes to. */
  closePipe(): void {
    this.#stop.abort(new Stop("Nobody reads the output", EXIT.done));
  }
}

/** The flags for the server behind `fetch`. */
export const SERVER: readonly string[] = ["--server", "http://127.0.0.1:8001"];

/** Runs the command to its end. */
export async function cli(args: readonly string[], options: CliOptions = {}) {
  const run = new CliRun(args, options);
  const code = await run.ended;
  const { drawn, stderr, stdout, written } = run;
  return { code, stdout, stderr, drawn, written };
}
