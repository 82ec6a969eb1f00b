/**
 * Builds the npm package in `dist/npm`: what is in `src`, as JavaScript for Node and Bun, with its declarations.
 *
 * Each entry point of `deno.json` becomes one file. What several of them need goes to files that they share, so that a
 * class is the same whichever way it is imported. The standard library is bundled in.
 *
 * @module
 */

import * as esbuild from "npm:esbuild@0.28.2";
import { npm, PACKAGE_FOLDER, ROOT, run, toolsFolder } from "./_tools.ts";

const NAME = "kubeloop";

interface DenoConfig {
  readonly name: string;
  readonly version: string;
  readonly exports: Readonly<Record<string, string>>;
}

/** An entry point of the package. */
interface Entry {
  /** As in `exports`: `.`, `./client`. */
  readonly specifier: string;
  /** The name of the file that it becomes: `index`, `client`. */
  readonly name: string;
  /** Its source below the root: `src/client/mod.ts`. */
  readonly source: string;
}

/** The entry point that is a program. */
const PROGRAM = "./serve";

async function main(): Promise<void> {
  const config: DenoConfig = JSON.parse(await Deno.readTextFile(`${ROOT}deno.json`));
  const entries = Object.entries(config.exports).map(([specifier, path]): Entry => ({
    specifier,
    name: specifier === "." ? "index" : specifier.slice(2),
    source: path.slice(2),
  }));
  const tools = await toolsFolder();
  await Deno.remove(PACKAGE_FOLDER, { recursive: true }).catch(() => {});
  await buildScripts(entries, tools);
  await buildDeclarations(entries, tools);
  await polish(config.name);
  await removeUnreachable(entries);
  await write("package.json", packageJson(config, entries));
  await Deno.copyFile(`${ROOT}README.md`, `${PACKAGE_FOLDER}/README.md`);
  await write("LICENSE", await licenseText());
  const [packed] = JSON.parse(await npm(["pack", "--dry-run", "--json"], PACKAGE_FOLDER));
  console.log(
    `dist/npm: ${NAME} ${config.version}, ${packed.entryCount} files, ${
      kilobytes(packed.size)
    } packed, ${kilobytes(packed.unpackedSize)} unpacked`,
  );
}

function kilobytes(bytes: number): string {
  return `${Math.round(bytes / 1000)} kB`;
}

function write(path: string, text: string): Promise<void> {
  return Deno.writeTextFile(`${PACKAGE_FOLDER}/${path}`, text);
}

/** `import.meta.main` is not known to Node 22; only the program asks for it. */
const mainModulePlugin: esbuild.Plugin = {
  name: "import.meta.main",
  setup({ onLoad }) {
    onLoad({ filter: /\/src\/testing\/serve\/main\.ts$/ }, async ({ path }) => {
      const text = await Deno.readTextFile(path);
      const helper = `${ROOT}tests/package/_is_main_module.ts`;
      return {
        loader: "ts",
        contents: `import { isMainModule } from ${JSON.stringify(helper)};\n${
          text.replaceAll("import.meta.main", "isMainModule")
        }`,
      };
    });
  },
};

async function buildScripts(entries: readonly Entry[], tools: string): Promise<void> {
  const isProgram = ({ specifier }: Entry) => specifier === PROGRAM;
  await esbuild.build({
    absWorkingDir: ROOT,
    entryPoints: Object.fromEntries(entries.map(({ name, source }) => [name, source])),
    outdir: PACKAGE_FOLDER,
    bundle: true,
    splitting: true,
    chunkNames: "chunks/[name]-[hash]",
    format: "esm",
    platform: "neutral",
    target: "es2022",
    external: ["node:*"],
    nodePaths: [tools],
    alias: {
      "@std/cli/parse-args": "deno-std/cli/parse_args.js",
      "@std/streams/text-line-stream": "deno-std/streams/text_line_stream.js",
      "@std/yaml/parse": "deno-std/yaml/parse.js",
    },
    plugins: [mainModulePlugin],
    logLevel: "warning",
  });
  await esbuild.stop();
  for (const { name } of entries.filter(isProgram)) {
    const script = await Deno.readTextFile(`${PACKAGE_FOLDER}/${name}.js`);
    await write(`${name}.js`, `#!/usr/bin/env node\n${script}`);
  }
}

async function buildDeclarations(entries: readonly Entry[], tools: string): Promise<void> {
  await run([
    "node",
    `${tools}/typescript/bin/tsc`,
    ...entries.map(({ source }) => source),
    ..."--declaration --emitDeclarationOnly --isolatedDeclarations --noCheck".split(" "),
    ..."--target esnext --module esnext --moduleResolution bundler --rewriteRelativeImportExtensions"
      .split(" "),
    ...["--rootDir", ".", "--outDir", `${PACKAGE_FOLDER}/types`],
  ], { cwd: ROOT });
}

/** Removes the declarations that no entry point leads to: those of internals. */
async function removeUnreachable(entries: readonly Entry[]): Promise<void> {
  const folder = new URL(`file://${PACKAGE_FOLDER}/types/`);
  const reached = new Set<string>();
  const visit = async (url: URL): Promise<void> => {
    if (reached.has(url.pathname)) return;
    reached.add(url.pathname);
    const text = await Deno.readTextFile(url);
    for (const [, path] of text.matchAll(/(?:from |import\()"(\..*?)\.js"/g)) {
      await visit(new URL(`${path}.d.ts`, url));
    }
  };
  for (const { source } of entries) await visit(new URL(declarationsOf(source), folder));
  for await (const path of filesBelow(`${PACKAGE_FOLDER}/types`)) {
    if (!reached.has(new URL(`file://${path}`).pathname)) await Deno.remove(path);
  }
}

function declarationsOf(source: string): string {
  return source.replace(/\.ts$/, ".d.ts");
}

/** Makes what the compilers left fit for readers elsewhere. */
async function polish(jsrName: string): Promise<void> {
  for await (const path of filesBelow(PACKAGE_FOLDER)) {
    const text = await Deno.readTextFile(path);
    const polished = text
      // The examples in the documentation import what their reader has installed.
      .replaceAll(jsrName, NAME)
      // esbuild says where each part comes from, which may be outside of this repository.
      .replace(/^\/\/ (\.\.\/)+.*\n/gm, "")
      // tsc rewrites imports in JavaScript only.
      .replace(/^((?:im|ex)port .* from "\..*)\.ts";$/gm, '$1.js";')
      .replace(/(?<=\bimport\("\.[^"]*)\.ts(?="\))/g, ".js");
    if (polished !== text) await Deno.writeTextFile(path, polished);
  }
}

async function* filesBelow(folder: string): AsyncGenerator<string> {
  for await (const { name, isDirectory } of Deno.readDir(folder)) {
    if (isDirectory) yield* filesBelow(`${folder}/${name}`);
    else yield `${folder}/${name}`;
  }
}

function packageJson({ version }: DenoConfig, entries: readonly Entry[]): string {
  const exports = entries.map(({ specifier, name, source }) => [specifier, {
    types: `./types/${declarationsOf(source)}`,
    default: `./${name}.js`,
  }]);
  const program = entries.find(({ specifier }) => specifier === PROGRAM);
  const content = {
    name: NAME,
    version,
    description: "The machinery for Kubernetes controllers in TypeScript",
    keywords: ["kubernetes", "controller", "operator", "informer", "workqueue", "client-go"],
    license: "MIT",
    type: "module",
    engines: { node: ">=22" },
    sideEffects: program === undefined ? false : [`./${program.name}.js`],
    exports: { ...Object.fromEntries(exports), "./package.json": "./package.json" },
    ...(program === undefined
      ? {}
      : { bin: { [`${NAME}-${program.name}`]: `${program.name}.js` } }),
    files: ["*.js", "chunks", "types"],
    dependencies: { undici: "^7.30.2" },
  };
  return `${JSON.stringify(content, undefined, 2)}\n`;
}

async function licenseText(): Promise<string> {
  const ours = await Deno.readTextFile(`${ROOT}LICENSE`);
  return `${ours.trimEnd()}

This package contains parts of the Deno Standard Library (@std/cli, @std/streams, @std/yaml), under the same license:
Copyright 2018-2026 the Deno authors.
`;
}

await main();
