/**
 * Runs an example like a user: in its own process, with the permissions in its documentation.
 *
 * @module
 */

import { fileURLToPath } from "node:url";

/** The outcome of an example. */
export interface Outcome {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Options of a run. */
export interface RunOptions {
  readonly permissions?: readonly string[];
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** Sends Ctrl-C when the output contains this text. */
  readonly interruptAfter?: string;
}

const ROOT = new URL("../../", import.meta.url);

/**
 * Returns the command for an example: with Deno, or with the runtime for which tests/package/runtimes.ts has built it.
 */
function command(name: string, permissions: readonly string[]): string[] {
  const runtime = Deno.env.get("KUBELOOP_EXAMPLES_RUNTIME");
  if (runtime !== undefined) {
    return [runtime, `${Deno.env.get("KUBELOOP_EXAMPLES_FOLDER")}/${name}.js`];
  }
  return [Deno.execPath(), "run", "--no-prompt", ...permissions, `examples/${name}.ts`];
}

/** Runs `examples/NAME.ts` until it exits. */
export async function runExample(name: string, options: RunOptions = {}): Promise<Outcome> {
  const { permissions = [], args = [], env = {}, interruptAfter } = options;
  const [program = "", ...start] = command(name, permissions);
  const process = new Deno.Command(program, {
    args: [...start, ...args],
    cwd: fileURLToPath(ROOT),
    env: { NO_COLOR: "1", ...env },
    stdin: "null",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  const stderr = new Response(process.stderr).text();
  let stdout = "";
  let interrupted = false;
  for await (const chunk of process.stdout.pipeThrough(new TextDecoderStream())) {
    stdout += chunk;
    if (interruptAfter !== undefined && !interrupted && stdout.includes(interruptAfter)) {
      interrupted = true;
      process.kill("SIGINT");
    }
  }
  const { code } = await process.status;
  return { code, stdout, stderr: await stderr };
}

/** Returns the lines of `text`, without empty lines. */
export function linesOf(text: string): string[] {
  return text.split("\n").filter((line) => line !== "");
}
