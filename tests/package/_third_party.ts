/**
 * The packages of others whose modules are bundled, found in what esbuild reports, and their licenses.
 *
 * @module
 */

import type { Metafile } from "npm:esbuild@0.28.2";
import { ROOT } from "./_tools.ts";

/** A module of another package. */
export interface Origin {
  readonly registry: "npm" | "jsr";
  readonly name: string;
  readonly version: string;
  /** The path in the package, without a slash at its start. */
  readonly path: string;
}

const MODULE = /^(npm|jsr):((?:@[^/]+\/)?[^/@]+)@([^/]+)\/(.+)$/;

/** Returns where an input of esbuild comes from, or undefined for a source of this repository. */
export function originOf(input: string): Origin | undefined {
  const [, registry, name, version, path] = MODULE.exec(input) ?? [];
  if (name === undefined || version === undefined || path === undefined) return undefined;
  return { registry: registry as Origin["registry"], name, version, path };
}

/** Where the modules of other packages are. */
export interface ModuleFiles {
  /** Reads an input that is a module from JSR. */
  readonly read: (input: string) => Promise<string>;
  /** Returns the folder of the npm package of an input. */
  readonly folderOf: (input: string) => string | undefined;
}

/** A package with bundled modules. */
export interface BundledPackage {
  readonly registry: "npm" | "jsr";
  readonly name: string;
  readonly version: string;
  /** The name of the license, as in SPDX. */
  readonly license: string;
  readonly homepage: string | undefined;
  /** The paths of the bundled modules, sorted. */
  readonly modules: readonly string[];
  /** The license texts, with the copyright notices of the modules. */
  readonly text: string;
}

interface Bundled {
  readonly origin: Origin;
  /** The name that esbuild has for the module. */
  readonly input: string;
}

interface PackageJson {
  readonly license?: string;
  readonly homepage?: string;
}

/**
 * Returns the packages that have modules in the output.
 *
 * @throws {Error} If the license of a package is not known.
 */
export async function bundledPackages(
  metafile: Metafile,
  files: ModuleFiles,
): Promise<BundledPackage[]> {
  const inputs = new Set(
    Object.values(metafile.outputs).flatMap((output) =>
      Object.entries(output.inputs).flatMap(([input, part]) => part.bytesInOutput > 0 ? input : [])
    ),
  );
  const grouped = new Map<string, [Bundled, ...Bundled[]]>();
  for (const input of [...inputs].sort()) {
    const origin = originOf(input);
    if (origin === undefined) continue;
    const id = `${origin.registry}:${origin.name}@${origin.version}`;
    const group = grouped.get(id);
    if (group === undefined) grouped.set(id, [{ origin, input }]);
    else group.push({ origin, input });
  }
  const packages = await Promise.all([...grouped.values()].map(async (modules) => {
    const [{ input: anyInput, origin: { registry, name, version } }] = modules;
    const folder = files.folderOf(anyInput);
    const heads = new Set<string>();
    for (const { origin, input } of modules) {
      const text = folder === undefined
        ? await files.read(input)
        : await Deno.readTextFile(`${folder}/${origin.path}`);
      for (const line of copyrightsOf(text)) heads.add(line);
    }
    const described: Partial<PackageJson> = folder === undefined
      ? {}
      : JSON.parse(await Deno.readTextFile(`${folder}/package.json`));
    const license = described.license ?? licenseOf(heads);
    const texts = folder === undefined ? [] : await licenseFiles(folder);
    if (license === undefined || (texts.length === 0 && license !== "MIT")) {
      throw new Error(
        `Cannot bundle ${registry}:${name}: must have a license, and, unless that is MIT, a license file`,
      );
    }
    return {
      registry,
      name,
      version,
      license,
      homepage: described.homepage,
      modules: modules.map(({ origin }) => origin.path).sort(),
      text: texts.length > 0
        ? texts.join("\n\n")
        : `${[...heads].join("\n")}\n\n${await mitText()}`,
    };
  }));
  return packages.sort((a, b) => a.name < b.name ? -1 : 1);
}

/** Returns the copyright notices in the first comments of a module. */
function copyrightsOf(text: string): string[] {
  const [head = ""] = /^(\s*(\/\/.*|\/\*[^]*?\*\/))*/.exec(text) ?? [];
  return [...head.matchAll(/\bCopyright .*/g)].map(([line]) => line.trim());
}

/** Returns the license that the notices of all modules name. */
function licenseOf(notices: ReadonlySet<string>): string | undefined {
  return notices.size > 0 && [...notices].every((line) => /\bMIT license\b/i.test(line))
    ? "MIT"
    : undefined;
}

async function licenseFiles(folder: string): Promise<string[]> {
  const names: string[] = [];
  for await (const { name, isFile } of Deno.readDir(folder)) {
    if (isFile && /^(licen[cs]e|copying|notice)\b/i.test(name)) names.push(name);
  }
  return Promise.all(
    names.sort().map(async (name) => (await Deno.readTextFile(`${folder}/${name}`)).trim()),
  );
}

/** Returns the text of the MIT license below its copyright notice: that of this repository. */
async function mitText(): Promise<string> {
  const ours = await Deno.readTextFile(`${ROOT}LICENSE`);
  return ours.slice(ours.indexOf("Permission is hereby granted")).trim();
}

/** Returns the text of the file THIRD_PARTY_LICENSES of an npm package. */
export function thirdPartyLicenses(
  packageName: string,
  packages: readonly BundledPackage[],
  note: string,
): string {
  const sections = packages.map((one) =>
    [
      `${"=".repeat(80)}\n${one.registry}:${one.name}@${one.version}`,
      `License: ${one.license}${one.homepage === undefined ? "" : `\nHomepage: ${one.homepage}`}`,
      `Modules:\n${one.modules.map((path) => `  ${path}`).join("\n")}`,
      one.text,
    ].join("\n\n")
  );
  const start = packages.length === 0
    ? `${packageName} contains no code of others.`
    : `${packageName} contains code of the packages below, under their licenses.${note}`;
  return `${[start, ...sections].join("\n\n")}\n`;
}
