/**
 * Bundles a program for browsers, minified, as a module with chunks, and prints what a page loads. A program of its own,
 * like `_bundle.ts`.
 *
 * ```sh
 * deno run -A tests/package/_browser_bundle.ts FILE FOLDER sources|packages
 * ```
 *
 * The library is taken from the sources, or from the packages that are installed beside the file.
 *
 * @module
 */

import * as esbuild from "npm:esbuild@0.28.2";
import { ROOT, toolsFolder } from "./_tools.ts";

/** The files of a bundle that a page loads. */
export interface BrowserBundle {
  /** The file of the entry point. */
  readonly entry: string;
  /** The size of the files that are loaded with the page, in bytes: uncompressed, and with gzip. */
  readonly bytes: number;
  readonly gzipBytes: number;
  /** The files that are loaded with the page. */
  readonly files: readonly string[];
  /** The modules of Node that these files import. */
  readonly loadedNodeModules: readonly string[];
  /** The modules of Node that any file imports, also a file that is loaded later. */
  readonly nodeModules: readonly string[];
}

const SOURCES: esbuild.Plugin = {
  name: "sources",
  setup({ onResolve }) {
    onResolve({ filter: /^@kubeloop\/controller(\/|$)/ }, async ({ path }) => {
      const { exports } = JSON.parse(await Deno.readTextFile(`${ROOT}deno.json`));
      return {
        path: ROOT + exports[`.${path.slice("@kubeloop/controller".length)}`],
        sideEffects: false,
      };
    });
  },
};

async function main([file = "", outdir = "", from = "sources"]: readonly string[]): Promise<void> {
  const fromSources: esbuild.BuildOptions = {
    nodePaths: [await toolsFolder()],
    alias: {
      "@std/streams/text-line-stream": "deno-std/streams/text_line_stream.js",
    },
    // The sources have no list of what a browser does not need.
    external: ["node:*"],
    plugins: [SOURCES],
  };
  const { outputFiles = [], metafile } = await esbuild.build({
    ...(from === "sources" ? fromSources : {}),
    entryPoints: [file],
    outdir,
    absWorkingDir: outdir,
    bundle: true,
    splitting: true,
    minify: true,
    format: "esm",
    platform: "browser",
    metafile: true,
    write: false,
    logLevel: "error",
  });
  await esbuild.stop();
  for (const { path, contents } of outputFiles) await Deno.writeFile(path, contents);
  const outputs = metafile!.outputs;
  const entry = file.replace(/^.*\/|\.\w+$/g, "") + ".js";
  const loaded = new Set([entry]);
  for (const name of loaded) {
    for (const { path, kind, external } of outputs[name]!.imports) {
      if (kind === "import-statement" && !external) loaded.add(path);
    }
  }
  const texts = [...loaded].map((name) =>
    outputFiles.find(({ path }) => path.endsWith(`/${name}`))!.contents
  );
  const gzipped = await Promise.all(texts.map(gzipBytes));
  const bundle: BrowserBundle = {
    entry,
    bytes: texts.reduce((sum, { length }) => sum + length, 0),
    gzipBytes: gzipped.reduce((sum, length) => sum + length, 0),
    files: [...loaded],
    loadedNodeModules: nodeModules(
      [...loaded].flatMap((name) =>
        outputs[name]!.imports.filter(({ kind }) => kind === "import-statement")
      ),
    ),
    nodeModules: nodeModules(Object.values(outputs).flatMap(({ imports }) => imports)),
  };
  console.log(JSON.stringify(bundle));
}

function nodeModules(imports: readonly { readonly path: string }[]): string[] {
  return [...new Set(imports.map(({ path }) => path).filter((path) => path.startsWith("node:")))];
}

async function gzipBytes(contents: Uint8Array): Promise<number> {
  const stream = new Blob([contents as BlobPart]).stream()
    .pipeThrough(new CompressionStream("gzip"));
  return (await new Response(stream).arrayBuffer()).byteLength;
}

await main(Deno.args);
