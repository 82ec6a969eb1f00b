/**
 * Prints a program and all that it imports as one module. A program of its own, because esbuild.stop() returns before
 * its process has ended, which a test would report as a leak.
 *
 * ```sh
 * deno run -A tests/package/_bundle.ts FILE
 * ```
 *
 * @module
 */

import * as esbuild from "npm:esbuild@0.28.2";

const { outputFiles } = await esbuild.build({
  entryPoints: [...Deno.args],
  bundle: true,
  format: "esm",
  platform: "node",
  write: false,
});
await esbuild.stop();
console.log(outputFiles[0]?.text ?? "");
