/**
 * The command `kubeloop-crd`: compares and documents CustomResourceDefinitions.
 *
 * ```sh
 * deno run --allow-read=old.yaml,new.yaml jsr:@kubeloop/testing/crd check old.yaml new.yaml
 * git show main:crd.yaml | npx kubeloop-crd check - crd.yaml
 * npx kubeloop-crd docs crd.yaml > widgets.md
 * ```
 *
 * `check` prints what can break clients or stored objects, as `assertCompatible()` finds it; then its exit code is 1. `docs`
 * prints a page of Markdown for each kind. `--help` lists all flags. No cluster is needed.
 *
 * Permissions: `--allow-read` for the files. `docs --out` needs `--allow-write` for its folder.
 *
 * @module
 */

import process from "node:process";

if (import.meta.main) {
  const { runCrd } = await import("./run_crd.ts");
  // The reader of the output may leave first.
  for (const output of [process.stdout, process.stderr]) output.on("error", () => {});
  process.exitCode = await runCrd(process.argv.slice(2), {
    print: (text) => process.stdout.write(text),
    warn: (text) => process.stderr.write(`${text}\n`),
    input: process.stdin,
  });
}
