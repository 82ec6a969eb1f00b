/**
 * Finds the kinds that their rooms do not export: the API server serves the kinds that rooms export. After adding a file
 * with a kind, `deno run --allow-read --allow-write tests/checks/kind_exports.ts` writes its line into the `mod.ts` of
 * its room.
 *
 * @module
 */

/** The folder with the rooms of the kinds. */
export const KINDS = new URL("../../src/testing/api_server/kinds/", import.meta.url);

const KIND = /^export const (\w+): KindRecord = /gm;

/** A line that is missing in the `mod.ts` of a room. */
export interface MissingExport {
  readonly mod: URL;
  readonly line: string;
}

/** Returns the exports of kinds that are missing in the rooms below `folder`. */
export async function missingExports(folder: URL): Promise<MissingExport[]> {
  const missing: MissingExport[] = [];
  for await (const { name } of Deno.readDir(folder)) {
    if (name.includes(".")) continue;
    const room = new URL(`${name}/`, folder);
    missing.push(...await missingIn(room), ...await missingExports(room));
  }
  return missing;
}

async function missingIn(room: URL): Promise<MissingExport[]> {
  const mod = new URL("mod.ts", room);
  const text = await Deno.readTextFile(mod);
  const missing: MissingExport[] = [];
  for await (const { name } of Deno.readDir(room)) {
    if (!name.endsWith(".ts")) continue;
    for (const [, kind] of (await Deno.readTextFile(new URL(name, room))).matchAll(KIND)) {
      const known = new RegExp(`\\{[^}]*\\b${kind}\\b[^}]*\\} from "\\./${name}"`);
      if (!known.test(text)) missing.push({ mod, line: `export { ${kind} } from "./${name}";` });
    }
  }
  return missing;
}

/** Writes the missing exports. */
export async function writeExports(missing: readonly MissingExport[]): Promise<void> {
  for (const { mod, line } of missing) {
    await Deno.writeTextFile(mod, `${line}\n`, { append: true });
  }
}

if (import.meta.main) await writeExports(await missingExports(KINDS));
