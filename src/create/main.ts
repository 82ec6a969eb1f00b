/**
 * Writes the project of an operator: a schema, the controller, a unit test, a simulation, deploy files, a workflow.
 *
 * ```sh
 * npm create kubeloop
 * deno run -A jsr:@kubeloop/create
 * npm create kubeloop -- --kind acme.io/v1/Widget --owns Deployment,ConfigMap --outside no widgets
 * ```
 *
 * The project runs and is tested without a cluster, on Node, Deno or Bun. `--help` lists the flags.
 *
 * Permissions: `--allow-read` and `--allow-write` for the folder.
 *
 * @module
 */

import process from "node:process";
import { createInterface } from "node:readline/promises";
import { runCreate } from "./run_create.ts";

if (import.meta.main) {
  const { stdin, stdout } = process;
  const lines = stdin.isTTY && stdout.isTTY
    ? createInterface({ input: stdin, output: stdout })
    : undefined;
  lines?.on("SIGINT", () => process.exit(130));
  process.exitCode = await runCreate(process.argv.slice(2), {
    runtime: "Deno" in globalThis ? "deno" : "Bun" in globalThis ? "bun" : "node",
    print: (text) => void stdout.write(text),
    warn: (text) => void process.stderr.write(`${text}\n`),
    ask: lines && ((question) => lines.question(question)),
  });
  lines?.close();
}
