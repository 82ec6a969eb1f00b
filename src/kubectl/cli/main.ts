/**
 * `kubeloop` as a command: reads and writes a cluster, explains what happens in it, and prints types.
 *
 * ```sh
 * deno run --allow-read=crd.yaml jsr:@kubeloop/kubectl/cli types crd.yaml > widgets.ts
 * deno run --allow-net=HOST:PORT --allow-read=FILE jsr:@kubeloop/kubectl/cli get pods --kubeconfig FILE
 * ```
 *
 * `get`, `watch`, `logs`, `wait` and `apply` do what those of kubectl do. `why` says who wrote an object and what it waits
 * for, and why a controller reconciled. `types` prints the interfaces and descriptors of CustomResourceDefinitions.
 * `completion` prints the completion for a shell. `--help` lists what there is; `COMMAND --help` says more.
 *
 * Permissions: `--allow-net` for the API server; `--allow-read` for the kubeconfig, with the files that it names, and for
 * files that are given; `--allow-env=KUBECONFIG,HOME` to find the kubeconfig, `KUBE_TOKEN` for the token of `--server`,
 * `NO_COLOR` and `TERM` for colours; `--allow-run` for the credential plugin of a kubeconfig. `types -` needs none.
 *
 * @module
 */

import process from "node:process";
import { nodeHost } from "./node_host.ts";
import { runCommand } from "./run_command.ts";

/** Runs the command with the arguments of the process, and sets the exit code of the process. */
export async function main(): Promise<void> {
  process.exitCode = await runCommand(process.argv.slice(2), nodeHost());
}

if (import.meta.main) await main();
