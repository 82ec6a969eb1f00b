/**
 * `kubeloop` as a command.
 *
 * ```sh
 * deno run --allow-read=crd.yaml jsr:@kubeloop/controller/cli types crd.yaml > widgets.ts
 * ```
 *
 * `types` reads CustomResourceDefinitions and prints a TypeScript module: the interfaces of their objects, and the
 * descriptors for clients and informers. `--help` lists what there is; `types --help` says more.
 *
 * Permissions: `--allow-read` for the files. Nothing for `types -`, which reads standard input.
 *
 * @module
 */

import process from "node:process";
import { readFile, readInput } from "./read_text.ts";
import { runCommand } from "./run_command.ts";

if (import.meta.main) {
  // Whoever reads the output may leave first, as `head` does.
  for (const output of [process.stdout, process.stderr]) output.on("error", () => {});
  process.exitCode = await runCommand(process.argv.slice(2), {
    print: (text) => process.stdout.write(text),
    warn: (text) => process.stderr.write(`${text}\n`),
    readFile,
    readInput: () => readInput(process.stdin),
  });
}
