/**
 * The public entry points of all packages, and their documentation as `deno doc --json` has it.
 *
 * @module
 */

import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));

/**
 * Returns the names of the entry points by source file, such as `@kubeloop/controller/cache` of `src/cache/mod.ts`. Without the
 * generated types of the kinds, and without `./internal`.
 */
export async function entryPoints(): Promise<Map<string, string>> {
  const entries = new Map<string, string>();
  for (const folder of ["", "src/create/", "src/kubectl/", "src/testing/"]) {
    const { name, exports } = JSON.parse(await Deno.readTextFile(`${ROOT}${folder}deno.json`));
    for (const [entry, path] of Object.entries<string>(exports)) {
      if (/^\.\/(?:types|internal)\//.test(entry)) continue;
      entries.set(`${folder}${path.slice(2)}`, `${name}${entry.slice(1)}`);
    }
  }
  return entries;
}

/** The symbols of each module, by its URL. */
export interface Doc<D> {
  readonly nodes: Readonly<Record<string, { readonly symbols: readonly Documented<D>[] }>>;
}

/** A symbol and its declarations, in the form `D` of the reader. */
export interface Documented<D> {
  readonly name: string;
  readonly declarations: readonly D[];
}

/** Returns the documentation of modules, which are paths. */
export async function readDoc<D>(paths: Iterable<string>): Promise<Doc<D>> {
  const args = ["doc", "--json", ...paths];
  const { stdout, stderr, success } = await new Deno.Command(Deno.execPath(), { args, cwd: ROOT })
    .output();
  if (!success) throw new Error(`deno doc has failed: ${new TextDecoder().decode(stderr)}`);
  return JSON.parse(new TextDecoder().decode(stdout));
}
