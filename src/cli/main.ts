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
import { nodeHost } from "./node_host.ts";
import { runCommand } from "./run_command.ts";

if (import.meta.main) {
  process.exitCode = await runCommand(process.argv.slice(2), nodeHost());
}
