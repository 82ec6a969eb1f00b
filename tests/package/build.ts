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

import * as esbuild from "npm:esbuild@0.28.2";
import { JsrModules } from "./_jsr_plugin.ts";
import { KeptBuild } from "./_kept_build.ts";
import {
  type BundledPackage,
  bundledPackages,
  originOf,
  thirdPartyLicenses,
} from "./_third_party.ts";
import {
  npm,
  NPM_PACKAGES,
  type NpmPackage,
  REPOSITORY,
  ROOT,
  run,
  toolsFolder,
} from "./_tools.ts";

/** What stands in for modules of JSR in a build that is no release. */
const STAND_INS: Readonly<Record<string, string>> = {
  "@std/cli/parse-args": "deno-std/cli/parse_args.js",
  "@std/streams/text-line-stream": "deno-std/streams/text_line_stream.js",
  "@std/yaml/parse": "deno-std/yaml/parse.js",
  "@std/yaml/stringify": "deno-std/yaml/stringify.js",
};

interface DenoConfig {
  readonly name: string;
  readonly version: string;
  readonly exports: Readonly<Record<string, string>>;
}

/** An entry point of a package. */
interface Entry {
  /** The key in `exports`, such as `.` or `./client`. */
  readonly specifier: string;
  /** The name of the output file, such as `index` or `client`. */
  readonly name: string;
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
    const packages = await buildScripts(build, tools, library);
    await buildDeclarations(build, tools);
    await rollUpDeclarations(build, tools);
    await polish(build, builds, packages);
    await write(build, "package.json", packageJson(build));
    await Deno.copyFile(`${build.source}README.md`, `${build.folder}/README.md`);
    await Deno.copyFile(`${ROOT}LICENSE`, `${build.folder}/LICENSE`);
    await write(build, "THIRD_PARTY_LICENSES", licensesOf(build, packages, library));
    await linkPeers(build);
    const [packed] = JSON.parse(await npm(["pack", "--dry-run", "--json"], build.folder));
    console.log(
      `${
        build.folder.slice(ROOT.length)
      }: ${build.name} ${build.config.version}, ${packed.entryCount} files, ${
        kilobytes(packed.size)
      } packed, ${kilobytes(packed.unpackedSize)} unpacked`,
    );
  }
  await esbuild.stop();
  if (library === "stand-ins") await kept.keep();
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
  const entries = Object.entries(config.exports).map(([specifier, path]): Entry => ({
    specifier,
    name: specifier === "." ? "index" : specifier.slice(2),
    source: source.slice(ROOT.length) + path.slice(2),
  }));
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
    onLoad({ filter: /\/src\/(testing\/serve|cli)\/main\.ts$/ }, async ({ path }) => {
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

/** Bundles the sources. Returns the packages of others that are part of the output. */
async function buildScripts(
  build: Build,
  tools: string,
  library: StandardLibrary,
): Promise<BundledPackage[]> {
  const { entries, folder, program, peers = [], workers } = build;
  const sources = entries.map(({ name, source }) => [name, source]);
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
    external: ["node:*", ...peers.flatMap(({ jsrName }) => [jsrName, `${jsrName}/*`])],
    nodePaths: [tools],
    alias: library === "stand-ins" ? STAND_INS : {},
    plugins: library === "stand-ins" ? plugins : [...plugins, library.plugin],
    logLevel: "warning",
  });
  if (program !== undefined) {
    const script = await Deno.readTextFile(`${folder}/${program.entry}.js`);
    await write(build, `${program.entry}.js`, `#!/usr/bin/env node\n${script}`);
  }
  return await bundledPackages(
    metafile,
    (input) => library === "stand-ins" ? Promise.reject(new Error(input)) : library.read(input),
  );
}

async function buildDeclarations({ entries, folder }: Build, tools: string): Promise<void> {
  await run([
    "node",
    `${tools}/typescript/bin/tsc`,
    ...entries.map(({ source }) => source),
    ..."--declaration --emitDeclarationOnly --isolatedDeclarations --noCheck".split(" "),
    ..."--target esnext --module esnext --moduleResolution bundler --rewriteRelativeImportExtensions"
      .split(" "),
    ...["--rootDir", ".", "--outDir", `${folder}/types`],
  ], { cwd: ROOT });
}

/** Reduces the declarations to those that the entry points export: one file per entry point, and shared files. */
async function rollUpDeclarations({ entries, folder }: Build, tools: string): Promise<void> {
  const separate = `${folder}/types`;
  const rolledUp = `${folder}/rolled_up`;
  const input = entries.map(({ name, source }) => [name, `${separate}/${declarationsOf(source)}`]);
  const script = `${ROOT}tests/package/roll_up_declarations.mjs`;
  await run(["node", script, tools, rolledUp, JSON.stringify(Object.fromEntries(input))]);
  await Deno.remove(separate, { recursive: true });
  await Deno.rename(rolledUp, separate);
}

function declarationsOf(source: string): string {
  return source.replace(/\.ts$/, ".d.ts");
}

/** Adjusts the output of the compilers for users of the packages. */
async function polish(
  { folder }: Build,
  builds: readonly Build[],
  packages: readonly BundledPackage[],
): Promise<void> {
  for await (const path of filesBelow(folder)) {
    const text = await Deno.readTextFile(path);
    let polished = text
      // esbuild writes the path of each module above it. Those of others lie outside this repository.
      .replace(/^\/\/ ((?:\.\.\/)+.*)\n/gm, (_, input) => moduleComment(input, packages))
      // tsc rewrites the extensions of imports in JavaScript only, not in declarations.
      .replace(/^((?:im|ex)port .* from "\..*)\.ts";$/gm, '$1.js";')
      .replace(/(?<=\bimport\("\.[^"]*)\.ts(?="\))/g, ".js");
    // Imports and the examples in the documentation use the npm names.
    for (const { jsrName, name } of builds) polished = polished.replaceAll(jsrName, name);
    if (polished !== text) await Deno.writeTextFile(path, polished);
  }
}

/** Returns a comment that names a module of another package, with its version. */
function moduleComment(input: string, packages: readonly BundledPackage[]): string {
  const origin = originOf(input);
  const from = packages.find(({ registry, name }) =>
    registry === origin?.registry && name === origin.name
  );
  if (origin === undefined || from === undefined) throw new Error(`Cannot name ${input}`);
  return `// ${from.registry}:${from.name}@${from.version}/${origin.path}\n`;
}

/** Links the peers into the folder, because Node resolves them from the real path of an installed folder. */
async function linkPeers({ folder, peers = [] }: Build): Promise<void> {
  for (const peer of peers) {
    await Deno.mkdir(`${folder}/node_modules`, { recursive: true });
    await Deno.symlink(peer.folder, `${folder}/node_modules/${peer.name}`);
  }
}

async function* filesBelow(folder: string): AsyncGenerator<string> {
  for await (const { name, isDirectory } of Deno.readDir(folder)) {
    if (isDirectory) yield* filesBelow(`${folder}/${name}`);
    else yield `${folder}/${name}`;
  }
}

function packageJson({ name, description, config, entries, program, ...rest }: Build): string {
  const { version } = config;
  const folder = rest.source.slice(ROOT.length).replace(/\/$/, "");
  const exports = entries.map(({ specifier, name }) => [specifier, {
    types: `./types/${name}.d.ts`,
    default: `./${name}.js`,
  }]);
  const peers = rest.peers?.map((peer) => [peer.name, `^${version}`]);
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
    sideEffects: program === undefined ? false : [`./${program.entry}.js`],
    exports: { ...Object.fromEntries(exports), "./package.json": "./package.json" },
    ...(program === undefined ? {} : { bin: { [program.command]: `${program.entry}.js` } }),
    files: ["*.js", "chunks", "types", "THIRD_PARTY_LICENSES"],
    ...(rest.dependencies === undefined ? {} : { dependencies: rest.dependencies }),
    ...(peers === undefined ? {} : { peerDependencies: Object.fromEntries(peers) }),
  };
  return `${JSON.stringify(content, undefined, 2)}\n`;
}

await main();
