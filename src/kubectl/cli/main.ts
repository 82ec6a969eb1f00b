/**
 * The command `kubeloop`: reads and changes objects of a cluster, explains their state, and generates types.
 *
 * ```sh
 * deno run --allow-read=crd.yaml jsr:@kubeloop/kubectl/cli types crd.yaml > widgets.ts
 * deno run --allow-net=HOST:PORT --allow-read=FILE jsr:@kubeloop/kubectl/cli get pods --kubeconfig FILE
 * ```
 *
 * `get`, `watch`, `logs`, `wait` and `apply` work like the commands of kubectl. `why` explains an object: its writers, the
 * conditions it waits for, and the reconciles about it. `types` prints the interfaces and descriptors of
 * CustomResourceDefinitions. `dev` runs an operator and restarts it when it is saved. `completion` prints the completion
 * script of a shell. `--help` lists the commands; `COMMAND --help` describes one.
 *
 * Permissions: `--allow-net` for the API server; `--allow-read` for the kubeconfig, the files that it names, and the files in
 * the arguments; `--allow-env=KUBECONFIG,HOME` to find the kubeconfig, `KUBE_TOKEN` for the token of `--server`, `NO_COLOR`
 * and `TERM` for colours; `--allow-run` for the credential plugin of a kubeconfig. `types -` needs no permission, and `dev`
 * needs all (`-A`), because it starts programs.
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
