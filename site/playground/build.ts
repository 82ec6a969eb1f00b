/**
 * Builds the playground: one page, `dist/playground/index.html`, which needs no other file, so that it works from any
 * folder of any server, and from a disk. Fails if the page is larger than a megabyte in gzip.
 *
 * @module
 */

import * as esbuild from "npm:esbuild@0.28.2";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { EXAMPLES, type ExampleTexts } from "./examples.ts";
import { pageHtml } from "./html.ts";
import { PAGE_STYLE } from "./page/style.ts";
import { NpmModules } from "../../tests/package/_npm_plugin.ts";
import {
  type BundledPackage,
  bundledPackages,
  thirdPartyLicenses,
} from "../../tests/package/_third_party.ts";
import { PLAYGROUND_PACKAGES, ROOT, toolsFolder } from "../../tests/package/_tools.ts";

const HERE = fileURLToPath(new URL("./", import.meta.url));
const OUTPUT = `${ROOT}dist/playground`;

/** The limit of the page with gzip, in bytes. */
const MAX_GZIP_BYTES = 1_000_000;

/** The name of the worker's script in stacks: simulations do not count its frames as the program's. */
const WORKER_FILE = "/@kubeloop/playground.js";

/** The npm modules that replace modules of JSR. */
const STAND_INS: Readonly<Record<string, string>> = {
  "@std/streams/text-line-stream": "deno-std/streams/text_line_stream.js",
};

/** The modules that are replaced. Other modules of Node are empty: what needs them, such as sockets, is not used in a page. */
const SHIMS: Readonly<Record<string, string>> = {
  "@codemirror/autocomplete": `${HERE}shims/autocomplete.ts`,
  "node:crypto": `${HERE}shims/node_crypto.ts`,
};

/**
 * Modules that are left empty, a tenth of the page: the parts of sucrase for other dialects and options; the page of a process,
 * which nothing can serve here; and the tables of protobuf, without which caches keep JSON.
 */
const UNUSED =
  /\bsucrase@[^/]*\/dist\/esm\/(?:.*\/)?(?:(?:CJSImport|Flow|JestHoist|JSX|NumericSeparator|OptionalCatchBinding|OptionalChainingNullish|ReactDisplayName|ReactHotLoader)Transformer|CJSImportProcessor|computeSourceMap|formatTokens|Options|flow|jsx\/index)\.js$|\/src\/see\/page_text\.ts$|\/src\/protobuf\/tables\/(?:all|index)\.ts$/;
/** Files that are imported when they are needed, by what a page has not: files, processes, sockets. */
const FOR_SERVERS =
  /\/(?:run_command|client_certificate|read_whole_file|find_kubeconfig|kubeconfig|dial|deno|bun|http_pool|port_listener|listen|http_server)\.ts$|\/see\/mod\.ts$/;

/** Exports of empty modules that are used. */
const EMPTY =
  "module.exports = { ALL_TABLES: {}, TABLE_NAMES: {}, TABLES: {}, validateOptions() {} }";

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
      onResolve(
        { filter: /^(?:node:|@codemirror\/autocomplete$)/ },
        ({ path }) =>
          SHIMS[path] === undefined ? { path, namespace: "node" } : { path: SHIMS[path] },
      );
      onResolve(
        { filter: FOR_SERVERS },
        ({ kind, path }) => kind === "dynamic-import" ? { path, namespace: "node" } : undefined,
      );
      onLoad({ filter: UNUSED }, () => ({ contents: EMPTY, loader: "js" }));
      onLoad({ filter: /./, namespace: "node" }, () => ({ contents: EMPTY, loader: "js" }));
    },
  };
}

/** A script, and the packages of others that it contains. */
interface Bundle {
  readonly script: string;
  readonly packages: readonly BundledPackage[];
}

async function bundle(entry: string, lastLine = ""): Promise<Bundle> {
  const modules = new NpmModules(await toolsFolder(PLAYGROUND_PACKAGES), STAND_INS);
  const { metafile, outputFiles } = await esbuild.build({
    entryPoints: [`${HERE}${entry}`],
    plugins: [await sources(), modules.plugin],
    define: { "import.meta.url": JSON.stringify(`file://${WORKER_FILE}`) },
    bundle: true,
    minify: true,
    format: "iife",
    platform: "browser",
    target: "es2022",
    jsx: "automatic",
    jsxImportSource: "preact",
    legalComments: "none",
    metafile: true,
    write: false,
    logLevel: "error",
    footer: { js: lastLine },
  });
  const packages = await bundledPackages(metafile, {
    read: (input) => Promise.reject(new Error(`${input} is not from npm`)),
    folderOf: (input) => modules.folderOf(input),
  });
  return { script: outputFiles[0]!.text, packages };
}

/** Returns the examples with their texts, as JSON for the page. */
async function exampleTexts(): Promise<string> {
  const read = (name: string) => Deno.readTextFile(`${HERE}examples/${name}`);
  return JSON.stringify(
    await Promise.all(EXAMPLES.map(async (example): Promise<ExampleTexts> => ({
      ...example,
      program: await read(`${example.id}.ts`),
      repaired: await read(`${example.id}_repaired.ts`),
      yaml: await read(`${example.id}.yaml`),
    }))),
  );
}

/** Returns a text that cannot end, or change the meaning of, the element that holds it. */
function embedded(script: string): string {
  return script.replaceAll(/<(?=!--|\/script)/gi, "\\x3c");
}

async function sha256(text: string): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
  return `sha256-${btoa(String.fromCharCode(...new Uint8Array(digest)))}`;
}

async function main(): Promise<void> {
  const [worker, page, style, examples] = await Promise.all([
    bundle("worker/main.ts", `//# sourceURL=${WORKER_FILE}`),
    bundle("page/main.tsx"),
    esbuild.transform(PAGE_STYLE, { loader: "css", minify: true }),
    exampleTexts(),
  ]);
  await esbuild.stop();
  const script = embedded(page.script);
  const packages = new Map([...worker.packages, ...page.packages].map((one) => [one.name, one]));
  // A worker of a blob has the policy of the page: a program cannot send anything.
  const policy = [
    "default-src 'none'",
    `script-src '${await sha256(script)}' blob:`,
    "worker-src blob:",
    "style-src 'unsafe-inline'",
    "connect-src 'none'",
    "img-src 'none'",
    "base-uri 'none'",
    "form-action 'none'",
  ].join("; ");
  const html = pageHtml({
    policy,
    style: style.code.trim(),
    examples: examples.replaceAll("<", "\\u003c"),
    worker: embedded(worker.script),
    script,
    licenses: thirdPartyLicenses("The playground", [...packages.values()], "").replaceAll(
      "-->",
      "-- >",
    ),
  });
  const bytes = new TextEncoder().encode(html);
  const size = gzipSync(bytes, { level: 9 }).length;
  console.log(`dist/playground/index.html: ${bytes.length} bytes, ${size} with gzip`);
  if (size > MAX_GZIP_BYTES) {
    throw new RangeError(`The playground has ${size} bytes with gzip, more than ${MAX_GZIP_BYTES}`);
  }
  await Deno.mkdir(OUTPUT, { recursive: true });
  await Deno.writeFile(`${OUTPUT}/index.html`, bytes);
}

await main();
