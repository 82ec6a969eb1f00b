/**
 * Builds the npm packages below `dist`: the sources of `src` as JavaScript for Node and Bun, with type declarations.
 *
 * Each entry point of a `deno.json` becomes one file. Code that several entry points use goes to shared files, so that
 * a class is the same in all of them. The Deno standard library is bundled as it is published on JSR. If deno.json has
 * `links` that stand in for JSR, a republication on npm is bundled instead, which `--release` refuses. The file
 * THIRD_PARTY_LICENSES of a package names all bundled modules of others.
 *
 * @module
 */

import { dirname } from "node:path";
import * as esbuild from "npm:esbuild@0.28.2";
import { JsrModules } from "./_jsr_plugin.ts";
import { KeptBuild } from "./_kept_build.ts";
import { NpmModules } from "./_npm_plugin.ts";
import { type BundledPackage, bundledPackages, thirdPartyLicenses } from "./_third_party.ts";
import {
  ALIAS,
  KUBECTL,
  LIBRARY,
  npm,
  NPM_PACKAGES,
  type NpmPackage,
  REPOSITORY,
  ROOT,
  run,
  tarballOf,
  toolsFolder,
} from "./_tools.ts";

/** The npm modules that replace modules of JSR in a build that is not a release. */
const STAND_INS: Readonly<Record<string, string>> = {
  "@std/cli/parse-args": "deno-std/cli/parse_args.js",
  "@std/streams/text-line-stream": "deno-std/streams/text_line_stream.js",
};

/** The file of the command `kubeloop` in the library's package, so that `npx kubeloop` starts it. */
const COMMAND_FILE = "command.js";
const COMMAND = `#!/usr/bin/env node
let command;
try {
  command = await import("${KUBECTL.name}/cli");
} catch (error) {
  if (!String(error?.message).includes("'${KUBECTL.name}'")) throw error;
  console.error("kubeloop: the command is part of ${KUBECTL.name}, which is not installed: npm install --save-dev ${KUBECTL.name}");
  process.exit(127);
}
await command.main();
`;

interface DenoConfig {
  readonly name: string;
  readonly version: string;
  readonly exports: Readonly<Record<string, string>>;
}

/** An entry point of a package. */
interface Entry {
  /** The key in `exports`, such as `.` or `./client`. */
  readonly specifier: string;
  /** The name of the output file, such as `index`, `client` or `types/apps/v1`. */
  readonly name: string;
  /** The name of the file of the declarations, below `types`: `types/apps/v1` is `apps/v1` there. */
  readonly declared: string;
  /** The source file, relative to the root, such as `src/client/mod.ts`. */
  readonly source: string;
}

/** The deno.json of the root. */
interface RootConfig {
  readonly imports: Readonly<Record<string, string>>;
  readonly links?: readonly string[];
}

/** Where the build takes modules of JSR from. */
type StandardLibrary = JsrModules | "stand-ins";

/** A package that is being built. */
interface Build extends NpmPackage {
  readonly config: DenoConfig;
  readonly entries: readonly Entry[];
}

async function main(): Promise<void> {
  const library = await standardLibrary(Deno.args);
  const kept = new KeptBuild(ROOT);
  if (library === "stand-ins" && await kept.isCurrent()) {
    console.log("dist: nothing has changed since the last build");
    return;
  }
  await kept.forget();
  const tools = await toolsFolder();
  const builds = await Promise.all(NPM_PACKAGES.map(openBuild));
  for (const build of builds) {
    await Deno.remove(build.folder, { recursive: true }).catch(() => {});
    const { packages, notInBrowsers } = await buildScripts(build, tools, library);
    await buildDeclarations(build, tools);
    await rollUpDeclarations(build, tools);
    await polish(build, builds);
    await write(build, "package.json", packageJson(build, notInBrowsers));
    await Deno.copyFile(`${build.source}README.md`, `${build.folder}/README.md`);
    await Deno.copyFile(`${ROOT}LICENSE`, `${build.folder}/LICENSE`);
    if (build.name === LIBRARY.name) await write(build, COMMAND_FILE, COMMAND);
    await write(build, "THIRD_PARTY_LICENSES", licensesOf(build, packages, library));
    await linkPeers(build);
    await pack(build);
    if (build.name === LIBRARY.name) await buildAlias(build);
  }
  // The library's command starts that of the package, which depends on the library.
  await link(KUBECTL, LIBRARY.folder);
  await esbuild.stop();
  if (library === "stand-ins") await kept.keep();
}

/** Packs a package into its tarball, and reports its size. */
async function pack({ name, folder }: typeof ALIAS | Build): Promise<void> {
  const flags = ["--json", "--pack-destination", dirname(folder)];
  const [packed] = JSON.parse(await npm(["pack", ...flags], folder));
  await Deno.rename(`${dirname(folder)}/${packed.filename}`, tarballOf({ folder }));
  console.log(
    `${folder.slice(ROOT.length)}: ${name} ${packed.version}, ${packed.entryCount} files, ${
      kilobytes(packed.size)
    } packed, ${kilobytes(packed.unpackedSize)} unpacked`,
  );
}

/** Builds the package under the name on JSR: each entry point exports that of the library. */
async function buildAlias(build: Build): Promise<void> {
  const { folder, name } = ALIAS;
  await Deno.remove(folder, { recursive: true }).catch(() => {});
  const library = JSON.parse(await Deno.readTextFile(`${build.folder}/package.json`));
  for (const { specifier, name: file, declared } of build.entries) {
    const text = `export * from "${build.name}${specifier.slice(1)}";\n`;
    for (const path of [`${folder}/${file}.js`, `${folder}/types/${declared}.d.ts`]) {
      await Deno.mkdir(dirname(path), { recursive: true });
      await Deno.writeTextFile(path, text);
    }
  }
  const { bin: _, browser: __, optionalDependencies: ___, ...shared } = library;
  const described = {
    ...shared,
    name,
    description: ALIAS.description,
    sideEffects: false,
    files: ["*.js", "internal", "types", "THIRD_PARTY_LICENSES"],
    // Exactly: a program may import both names.
    dependencies: { [build.name]: library.version },
  };
  await Deno.writeTextFile(
    `${folder}/package.json`,
    `${JSON.stringify(described, undefined, 2)}\n`,
  );
  for (const file of ["README.md", "LICENSE"]) {
    await Deno.copyFile(`${build.folder}/${file}`, `${folder}/${file}`);
  }
  await Deno.writeTextFile(`${folder}/THIRD_PARTY_LICENSES`, thirdPartyLicenses(name, [], ""));
  await link(build, folder);
  await pack(ALIAS);
}

/**
 * Returns where the standard library comes from: JSR, unless the `links` of deno.json stand in for it.
 *
 * @throws {Error} With `--release`, if there are `links`.
 */
async function standardLibrary(args: readonly string[]): Promise<StandardLibrary> {
  if (args.some((arg) => arg !== "--release")) {
    throw new TypeError(`Unknown argument in "${args.join(" ")}": expected --release or nothing`);
  }
  const { imports, links }: RootConfig = JSON.parse(await Deno.readTextFile(`${ROOT}deno.json`));
  if (links === undefined) return new JsrModules(imports);
  if (args.length === 0) return "stand-ins";
  throw new Error(
    'Cannot build a release: deno.json has "links", which stand in for JSR: delete them',
  );
}

function licensesOf(
  { name }: Build,
  packages: readonly BundledPackage[],
  library: StandardLibrary,
): string {
  const stoodInFor = Object.keys(STAND_INS).join(", ");
  return thirdPartyLicenses(
    name,
    packages,
    library === "stand-ins"
      ? `\nThis is no release: deno-std, a republication, stands in for JSR (${stoodInFor}).`
      : "",
  );
}

async function openBuild(npmPackage: NpmPackage): Promise<Build> {
  const { source } = npmPackage;
  const config: DenoConfig = JSON.parse(await Deno.readTextFile(`${source}deno.json`));
  const entries = Object.entries(config.exports).map(([specifier, path]): Entry => {
    const name = specifier === "." ? "index" : specifier.slice(2);
    const declared = name.replace(/^types\//, "");
    return { specifier, name, declared, source: source.slice(ROOT.length) + path.slice(2) };
  });
  return { ...npmPackage, config, entries };
}

function kilobytes(bytes: number): string {
  return `${Math.round(bytes / 1000)} kB`;
}

function write({ folder }: Build, path: string, text: string): Promise<void> {
  return Deno.writeTextFile(`${folder}/${path}`, text);
}

/** Replaces `import.meta.main`, which Node 22 does not have. Only the programs use it. */
const mainModulePlugin: esbuild.Plugin = {
  name: "import.meta.main",
  setup({ onLoad }) {
    onLoad({ filter: /\/src\/(testing\/serve|kubectl\/cli)\/main\.ts$/ }, async ({ path }) => {
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

/** Renames the program of a worker, as the output file is named. */
const workerPlugin: esbuild.Plugin = {
  name: "worker",
  setup({ onLoad }) {
    onLoad({ filter: /\/src\/testing\/simulation\/worker_handle\.ts$/ }, async ({ path }) => ({
      loader: "ts",
      contents: (await Deno.readTextFile(path)).replace(
        "worker_main.ts",
        "chunks/simulation_worker.js",
      ),
    }));
  },
};

/** Facts that the bundler has found. */
interface Scripts {
  /** The packages of others that are part of the output. */
  readonly packages: BundledPackage[];
  /** The modules that bundlers for browsers omit: files of the output, and modules of Node. */
  readonly notInBrowsers: readonly string[];
}

/** Bundles the sources. */
async function buildScripts(
  build: Build,
  tools: string,
  library: StandardLibrary,
): Promise<Scripts> {
  const { entries, folder, program, peers = [], optionalPeers = [], workers } = build;
  const sources = entries.map(({ name, source }) => [name, source]);
  const modules = new NpmModules(tools, library === "stand-ins" ? STAND_INS : {});
  const plugins = [mainModulePlugin, workerPlugin];
  const { metafile } = await esbuild.build({
    absWorkingDir: ROOT,
    metafile: true,
    entryPoints: { ...Object.fromEntries(sources), ...workers },
    outdir: folder,
    bundle: true,
    splitting: true,
    chunkNames: "chunks/[name]-[hash]",
    format: "esm",
    platform: "neutral",
    target: "es2022",
    external: [
      "node:*",
      ...[...peers, ...optionalPeers].flatMap(({ jsrName }) => [jsrName, `${jsrName}/*`]),
    ],
    plugins: [...plugins, ...library === "stand-ins" ? [] : [library.plugin], modules.plugin],
    logLevel: "warning",
  });
  requireStableNames(metafile);
  if (program !== undefined) {
    const script = await Deno.readTextFile(`${folder}/${program.entry}.js`);
    await write(build, `${program.entry}.js`, `#!/usr/bin/env node\n${script}`);
  }
  const packages = await bundledPackages(metafile, {
    read: (input) =>
      library === "stand-ins" ? Promise.reject(new Error(input)) : library.read(input),
    folderOf: (input) => modules.folderOf(input),
  });
  return { packages, notInBrowsers: notInBrowsers(metafile, folder) };
}

/**
 * Checks that no input is named by where it is on this machine: the names are part of the output, and of the hashes in the
 * names of its files, so that a build elsewhere would differ.
 *
 * @throws {Error} If one is.
 */
function requireStableNames({ inputs }: esbuild.Metafile): void {
  const odd = Object.keys(inputs).find((name) => /^(?:\.\.|\/|[A-Za-z]:[\\/])/.test(name));
  if (odd !== undefined) {
    throw new Error(`Cannot build: the name of ${odd} depends on this machine`);
  }
}

/**
 * Returns what is only for servers: the files that import modules of Node and are imported only when they are needed,
 * and the modules of Node that other files import.
 */
function notInBrowsers({ outputs }: esbuild.Metafile, folder: string): string[] {
  const loaded = new Set(Object.keys(outputs).filter((name) => outputs[name]!.entryPoint));
  const lazy = new Set(
    Object.values(outputs).flatMap(({ imports }) =>
      imports.filter(({ kind }) => kind === "dynamic-import").map(({ path }) => path)
    ),
  );
  for (const name of lazy) loaded.delete(name);
  for (const name of loaded) {
    for (const { path, kind } of outputs[name]?.imports ?? []) {
      if (kind === "import-statement" && path in outputs) loaded.add(path);
    }
  }
  const modules = new Set<string>();
  const files = new Set<string>();
  for (const [name, { imports }] of Object.entries(outputs)) {
    for (const { path } of imports.filter(({ path }) => path.startsWith("node:"))) {
      if (loaded.has(name)) modules.add(path);
      else files.add(name);
    }
  }
  for (const file of files) {
    for (const [name, { imports }] of Object.entries(outputs)) {
      const needs = imports.some(({ path, kind }) => path === file && kind === "import-statement");
      if (needs && !loaded.has(name)) files.add(name);
    }
  }
  const paths = [...files].map((name) => `.${`${ROOT}${name}`.slice(folder.length)}`);
  return [...paths, ...modules].sort();
}

async function buildDeclarations({ entries, folder }: Build, tools: string): Promise<void> {
  await run([
    "node",
    `${tools}/typescript/bin/tsc`,
    ...entries.map(({ source }) => source),
    ..."--declaration --emitDeclarationOnly --isolatedDeclarations --noCheck".split(" "),
    ..."--target esnext --module esnext --moduleResolution bundler --rewriteRelativeImportExtensions"
      .split(" "),
    ...["--rootDir", ".", "--outDir", separateDeclarations(folder)],
  ], { cwd: ROOT });
}

/** Reduces the declarations to those that the entry points export: one file per entry point, and shared files. */
async function rollUpDeclarations({ entries, folder }: Build, tools: string): Promise<void> {
  const separate = separateDeclarations(folder);
  const input = entries.map(({ declared, source }) => [
    declared,
    `${separate}/${declarationsOf(source)}`,
  ]);
  const script = `${ROOT}tests/package/roll_up_declarations.mjs`;
  await run([
    "node",
    script,
    tools,
    `${folder}/types`,
    JSON.stringify(Object.fromEntries(input)),
  ]);
  await Deno.remove(separate, { recursive: true });
}

/** The folder of the declarations as the compiler writes them: one for each source file. */
function separateDeclarations(folder: string): string {
  return `${folder}/separate`;
}

function declarationsOf(source: string): string {
  return source.replace(/\.ts$/, ".d.ts");
}

/**
 * The libraries of TypeScript that declare names in our declarations, and that a program has only with a later target, or
 * with the types of Node.
 */
const LIBS: Readonly<Record<string, RegExp>> = {
  "es2018.asyncgenerator": /\bAsyncGenerator\b/,
  "es2021.promise": /\bAggregateError\b/,
  "esnext.disposable": /\bAsyncDisposable\b|\bSymbol\.asyncDispose\b/,
};

/** Adjusts the output of the compilers for users of the packages. */
async function polish({ folder }: Build, builds: readonly Build[]): Promise<void> {
  for await (const path of filesBelow(folder)) {
    const text = await Deno.readTextFile(path);
    let polished = text
      // tsc rewrites the extensions of imports in JavaScript only, not in declarations.
      .replace(/^((?:im|ex)port .* from "\..*)\.ts";$/gm, '$1.js";')
      .replace(/(?<=\bimport\("\.[^"]*)\.ts(?="\))/g, ".js");
    if (path.endsWith(".d.ts")) {
      for (const [lib, names] of Object.entries(LIBS)) {
        if (names.test(polished)) polished = `/// <reference lib="${lib}" />\n${polished}`;
      }
    }
    // Imports and the examples in the documentation use the npm names.
    for (const { jsrName, name } of builds) polished = polished.replaceAll(jsrName, name);
    if (polished !== text) await Deno.writeTextFile(path, polished);
  }
}

/** Links the peers into the folder, because Node resolves them from the real path of an installed folder. */
async function linkPeers({ folder, peers = [], optionalPeers = [] }: Build): Promise<void> {
  for (const peer of [...peers, ...optionalPeers]) await link(peer, folder);
}

async function link({ name, folder }: NpmPackage, into: string): Promise<void> {
  const path = `${into}/node_modules/${name}`;
  await Deno.mkdir(dirname(path), { recursive: true });
  await Deno.symlink(folder, path);
}

async function* filesBelow(folder: string): AsyncGenerator<string> {
  for await (const { name, isDirectory } of Deno.readDir(folder)) {
    if (isDirectory) yield* filesBelow(`${folder}/${name}`);
    else yield `${folder}/${name}`;
  }
}

function packageJson(
  { name, description, config, entries, program, ...rest }: Build,
  notInBrowsers: readonly string[],
): string {
  const { version } = config;
  const folder = rest.source.slice(ROOT.length).replace(/\/$/, "");
  const exports = entries.map(({ specifier, name, declared }) => [specifier, {
    types: `./types/${declared}.d.ts`,
    default: `./${name}.js`,
  }]);
  // Exactly: packages of one release share `./internal`.
  const { optionalPeers = [] } = rest;
  const peers = rest.peers?.concat(optionalPeers).map((peer) => [peer.name, version]);
  const bin = name === LIBRARY.name
    ? { kubeloop: COMMAND_FILE }
    : program && { [program.command]: `${program.entry}.js` };
  const content = {
    name,
    version,
    description,
    keywords: ["kubernetes", "controller", "operator", "informer", "workqueue", "client-go"],
    license: "MIT",
    repository: {
      type: "git",
      url: `git+${REPOSITORY}.git`,
      ...(folder === "" ? {} : { directory: folder }),
    },
    homepage: folder === "" ? `${REPOSITORY}#readme` : `${REPOSITORY}/tree/main/${folder}#readme`,
    bugs: { url: `${REPOSITORY}/issues` },
    publishConfig: { access: "public", provenance: true },
    type: "module",
    engines: { node: ">=22" },
    sideEffects: bin === undefined ? false : Object.values(bin).map((file) => `./${file}`),
    exports: { ...Object.fromEntries(exports), "./package.json": "./package.json" },
    // Bundlers put nothing in their place.
    browser: Object.fromEntries(notInBrowsers.map((path) => [path, false])),
    ...(bin === undefined ? {} : { bin }),
    files: ["*.js", "chunks", "internal", "types", "THIRD_PARTY_LICENSES"],
    ...(peers === undefined ? {} : { peerDependencies: Object.fromEntries(peers) }),
    ...(optionalPeers.length === 0 ? {} : {
      peerDependenciesMeta: Object.fromEntries(
        optionalPeers.map((peer) => [peer.name, { optional: true }]),
      ),
    }),
    ...(name === LIBRARY.name ? { optionalDependencies: { [KUBECTL.name]: version } } : {}),
  };
  return `${JSON.stringify(content, undefined, 2)}\n`;
}

await main();
