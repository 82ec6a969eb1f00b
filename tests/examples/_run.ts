/**
 * Runs an example as its reader would: a process of its own, with the permissions that its documentation names.
 *
 * @module
 */

import { fileURLToPath } from "node:url";

/** What a finished example left. */
export interface Outcome {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** How to run it. */
export interface RunOptions {
  readonly permissions?: readonly string[];
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** Sends Ctrl-C when this has been printed. */
  readonly interruptAfter?: string;
}

const ROOT = new URL("../../", import.meta.url);

/** How an example is started: by Deno, or as tests/package/runtimes.ts says, which has built it for another runtime. */
function command(name: string, permissions: readonly string[]): string[] {
  const runtime = Deno.env.get("KUBELOOP_EXAMPLES_RUNTIME");
  if (runtime !== undefined) {
    return [runtime, `${Deno.env.get("KUBELOOP_EXAMPLES_FOLDER")}/${name}.js`];
  }
  return [Deno.execPath(), "run", "--no-prompt", ...permissions, `examples/${name}.ts`];
}

/** Runs `examples/NAME.ts` to its end. */
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

/** The lines of `text`, without the empty ones. */
export function linesOf(text: string): string[] {
  return text.split("\n").filter((line) => line !== "");
}
