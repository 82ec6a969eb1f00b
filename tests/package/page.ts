/**
 * Bundles the page of `src/see/page` into `src/see/page_text.ts`, which is published in place of its sources.
 *
 * ```sh
 * deno task page
 * ```
 *
 * @module
 */

import * as esbuild from "npm:esbuild@0.28.2";
import { PAGE_STYLE } from "../../src/see/page/style.ts";
import { gzipBytes, pageModule, pageSources } from "./_page_text.ts";
import { ROOT, run, toolsFolder } from "./_tools.ts";

/** Takes only what is used of a room: the process has more than a page needs. */
const USED_ONLY: esbuild.Plugin = {
  name: "used-only",
  setup({ onResolve, resolve }) {
    onResolve({ filter: /^\.\.?\// }, async ({ importer, kind, path, pluginData, resolveDir }) => {
      if (pluginData === "resolved") return undefined;
      const found = await resolve(path, { importer, kind, resolveDir, pluginData: "resolved" });
      return { ...found, sideEffects: false };
    });
  },
};

const PAGE = `${ROOT}src/see/page_text.ts`;

async function main(): Promise<void> {
  const { imports } = JSON.parse(await Deno.readTextFile(`${ROOT}deno.json`));
  const version = imports.preact.replace(/^npm:preact@/, "");
  const modules = await toolsFolder({ preact: version });
  const license = await Deno.readTextFile(`${modules}/preact/LICENSE`);
  const { metafile, outputFiles } = await esbuild.build({
    entryPoints: [`${ROOT}src/see/page/main.tsx`],
    absWorkingDir: ROOT,
    nodePaths: [modules],
    plugins: [USED_ONLY],
    bundle: true,
    jsx: "automatic",
    jsxImportSource: "preact",
    minify: true,
    format: "iife",
    target: "es2022",
    platform: "browser",
    charset: "utf8",
    banner: { js: `/*! Preact ${version}\n${license.trim()}\n*/` },
    metafile: true,
    write: false,
    outdir: "page",
    logLevel: "warning",
  });
  const style = await esbuild.transform(PAGE_STYLE, { loader: "css", minify: true });
  await esbuild.stop();
  const [{ inputs }] = Object.values(metafile.outputs) as [typeof metafile.outputs[string]];
  const used = Object.keys(inputs).filter((path) =>
    path.startsWith("src/") && inputs[path]!.bytesInOutput > 0
  );
  const sources = await pageSources(ROOT, [...used, "src/see/palette/mod.ts"]);
  const { html, module } = await pageModule({
    sources,
    script: outputFiles[0]!.text.trim(),
    style: style.code.trim(),
  });
  await Deno.writeTextFile(PAGE, module);
  await run(["deno", "fmt", "--quiet", PAGE]);
  const bytes = new TextEncoder().encode(html);
  console.log(`${bytes.length} bytes, ${await gzipBytes(bytes)} with gzip`);
}

await main();
