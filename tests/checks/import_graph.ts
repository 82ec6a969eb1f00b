/**
 * Counts what a program loads when it imports an entry point: modules and bytes, which startup time grows with. Lazy imports
 * and imports of types do not count.
 *
 * `import_graph.json` has the counts that are expected. Run this file to write it anew:
 * `deno run --allow-read --allow-write --allow-run tests/checks/import_graph.ts`, after `deno task npm`.
 *
 * @module
 */

import { CREATE, LIBRARY, NPM_PACKAGES, ROOT, run } from "../package/_tools.ts";

/** The size of the module graph of an entry point. */
export interface Loaded {
  readonly modules: number;
  readonly bytes: number;
}

/** The sizes by the name of the entry point. */
export type LoadedBy = Readonly<Record<string, Loaded>>;

/** The expected counts: of the sources, and of the npm packages. */
export interface Kept {
  readonly sources: LoadedBy;
  readonly npm: LoadedBy;
}

const KEPT = new URL("import_graph.json", import.meta.url);
/** The largest accepted deviation, as a fraction: a larger graph needs a reason, and a smaller one updates the file. */
const MARGIN = 0.05;

/** The graph that `deno info --json` prints. */
interface DenoGraph {
  readonly roots: readonly string[];
  readonly modules: readonly {
    readonly specifier: string;
    readonly size?: number;
    readonly dependencies?: readonly {
      readonly code?: { readonly specifier: string };
      readonly isDynamic?: boolean;
    }[];
  }[];
}

/** Returns what each entry point of the sources loads, and the modules of Node that the library loads. */
export async function loadedSources(): Promise<{ loaded: LoadedBy; builtins: string[] }> {
  const builtins = new Set<string>();
  const loaded = await Promise.all(
    NPM_PACKAGES.flatMap(async ({ jsrName, source }) => {
      const { exports } = JSON.parse(await Deno.readTextFile(`${source}/deno.json`));
      const entries = Object.entries<string>(exports)
        .filter(([entry, file]) => !isProgram(file) && !isKinds(entry));
      return await Promise.all(entries.map(async ([entry, file]) => {
        const reached = await reachedFrom(`${source}/${file}`);
        for (const name of reached.keys()) {
          if (jsrName === LIBRARY.jsrName && name.startsWith("node:")) builtins.add(name);
        }
        const own = [...reached].filter(([name]) => name.startsWith("file:"));
        const bytes = own.reduce((sum, [, size]) => sum + size, 0);
        return [jsrName + entry.slice(1), { modules: own.length, bytes }] as const;
      }));
    }),
  );
  return { loaded: Object.fromEntries(loaded.flat()), builtins: [...builtins] };
}

function isProgram(file: string): boolean {
  return file.endsWith("/main.ts");
}

/** Returns the modules that a file loads, with their sizes. */
export async function reachedFrom(file: string): Promise<Map<string, number>> {
  const graph: DenoGraph = JSON.parse(await run([Deno.execPath(), "info", "--json", file]));
  const modules = new Map(graph.modules.map((module) => [module.specifier, module]));
  const reached = new Map<string, number>();
  const left = [...graph.roots];
  for (let name = left.pop(); name !== undefined; name = left.pop()) {
    if (reached.has(name)) continue;
    const { dependencies = [], size = 0 } = modules.get(name) ?? {};
    reached.set(name, size);
    for (const { code, isDynamic } of dependencies) {
      if (code !== undefined && !isDynamic) left.push(code.specifier);
    }
  }
  return reached;
}

/** Returns what each entry point of the built npm packages loads. */
export async function loadedPackages(): Promise<LoadedBy> {
  const loaded: Record<string, Loaded> = {};
  for (const { name, folder } of NPM_PACKAGES) {
    // A program. The texts in it look like imports.
    if (name === CREATE.name) continue;
    const { exports } = JSON.parse(await Deno.readTextFile(`${folder}/package.json`));
    for (const [entry, target] of Object.entries<{ readonly default: string } | string>(exports)) {
      if (typeof target === "string" || isKinds(entry)) continue;
      loaded[name + entry.slice(1)] = await loadedScript(
        new URL(target.default, `file://${folder}/`),
      );
    }
  }
  return loaded;
}

/** Whether an entry point is that of an API group, such as `./types/apps/v1`, which loads next to nothing. */
function isKinds(entry: string): boolean {
  return entry.startsWith("./types/");
}

async function loadedScript(entry: URL): Promise<Loaded> {
  const seen = new Set([entry.href]);
  let bytes = 0;
  for (const url of seen) {
    const text = await Deno.readTextFile(new URL(url));
    bytes += new TextEncoder().encode(text).length;
    for (const [, specifier = ""] of text.matchAll(/^(?:import|export|\})[^"\n]*"(\.[^"\n]+)"/gm)) {
      seen.add(new URL(specifier, url).href);
    }
  }
  return { modules: seen.size, bytes };
}

/** Reads the expected counts. */
export async function readKept(): Promise<Kept> {
  return JSON.parse(await Deno.readTextFile(KEPT));
}

/** Returns a line for each entry point that loads more or less than expected. */
export function differences(loaded: LoadedBy, kept: LoadedBy): string[] {
  const names = new Set([...Object.keys(loaded), ...Object.keys(kept)]);
  return [...names].filter((name) => {
    const now = loaded[name];
    const before = kept[name];
    return now === undefined || before === undefined ||
      isFar(now.modules, before.modules) || isFar(now.bytes, before.bytes);
  }).map((name) => `${name} loads ${text(loaded[name])}: expected ${text(kept[name])}`);
}

function isFar(now: number, before: number): boolean {
  return Math.abs(now - before) > MARGIN * before;
}

function text(loaded: Loaded | undefined): string {
  return loaded === undefined ? "nothing" : `${loaded.modules} modules, ${loaded.bytes} bytes`;
}

if (import.meta.main) {
  const { loaded: sources } = await loadedSources();
  const kept: Kept = { sources, npm: await loadedPackages() };
  await Deno.writeTextFile(KEPT, `${JSON.stringify(kept, undefined, 2)}\n`);
  console.log(`import_graph.json is written, below ${ROOT}tests/checks`);
}
