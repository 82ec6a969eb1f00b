/**
 * Builds the playground: one page, `dist/playground/index.html`, which needs no other file, so that it works from any
 * folder of any server, and from a disk. Fails if the page is larger than a megabyte in gzip.
 *
 * @module
 */

import * as esbuild from "npm:esbuild@0.28.2";
import { fileURLToPath } from "node:url";
import { PLAYGROUND_PACKAGES, ROOT, toolsFolder } from "../../tests/package/_tools.ts";

const HERE = fileURLToPath(new URL("./", import.meta.url));
const OUTPUT = `${ROOT}dist/playground`;

/** The limit of the page with gzip, in bytes. */
const MAX_GZIP_BYTES = 1_000_000;

/** The name of the worker's script in stacks: simulations do not count its frames as the program's. */
const WORKER_FILE = "/@kubeloop/playground.js";

/** The modules of Node that have counterparts here. A page has no other: what needs them, such as sockets, is not used. */
const SHIMS: Readonly<Record<string, string>> = { "node:crypto": `${HERE}shims/node_crypto.ts` };

interface Exports {
  readonly exports: Readonly<Record<string, string>>;
}

/** Resolves the packages of this repository to their sources, and the modules of Node to counterparts or to nothing. */
async function sources(): Promise<esbuild.Plugin> {
  const packages = await Promise.all(
    [["@kubeloop/controller", ""], ["@kubeloop/testing", "src/testing/"]].map(
      async ([name, folder]) => {
        const config = await Deno.readTextFile(`${ROOT}${folder}deno.json`);
        return { name: name!, folder: folder!, ...JSON.parse(config) as Exports };
      },
    ),
  );
  return {
    name: "sources",
    setup({ onLoad, onResolve }) {
      onResolve({ filter: /^@kubeloop\// }, ({ path }) => {
        for (const { exports, folder, name } of packages) {
          const found = exports[`.${path.slice(name.length)}`];
          if (path.startsWith(name) && found !== undefined) return { path: ROOT + folder + found };
        }
        return { errors: [{ text: `No package exports ${path}` }] };
      });
      onResolve({ filter: /^node:/ }, ({ path }) =>
        SHIMS[path] === undefined ? { path, namespace: "node" } : { path: SHIMS[path] });
      onLoad({ filter: /./, namespace: "node" }, () => ({ contents: "module.exports = {}", loader: "js" }));
    },
  };
}

async function bundle(entry: string, more: esbuild.BuildOptions = {}): Promise<string> {
  const { outputFiles = [] } = await esbuild.build({
    entryPoints: [`${HERE}${entry}`],
    nodePaths: [await toolsFolder(PLAYGROUND_PACKAGES)],
    alias: { "@std/streams/text-line-stream": "deno-std/streams/text_line_stream.js" },
    plugins: [await sources()],
    loader: { ".css": "text" },
    define: { "import.meta.url": JSON.stringify(`file://${WORKER_FILE}`) },
    bundle: true,
    minify: true,
    format: "iife",
    platform: "browser",
    target: "es2022",
    jsx: "automatic",
    jsxImportSource: "preact",
    legalComments: "none",
    write: false,
    logLevel: "error",
    ...more,
  });
  return outputFiles[0]!.text;
}

const worker = await bundle("worker/main.ts", { footer: { js: `//# sourceURL=${WORKER_FILE}` } });
await esbuild.stop();
await Deno.mkdir(OUTPUT, { recursive: true });
await Deno.writeTextFile(`${OUTPUT}/worker.js`, worker);
