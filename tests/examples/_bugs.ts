/**
 * The published bugs of a folder of examples.
 *
 * @module
 */

import { assert } from "@std/assert";

/** Returns the names of the files that have a bug, and the bugs. */
export async function bugsIn<B>(folder: URL): Promise<[file: string, bug: B][]> {
  const files = (await Array.fromAsync(Deno.readDir(folder), ({ name }) => name))
    .filter((name) => name.endsWith(".ts") && !name.startsWith("_")).sort();
  return await Promise.all(files.map(async (file): Promise<[string, B]> => {
    const { bug } = await import(new URL(file, folder).href) as { bug: B };
    return [file, bug];
  }));
}

/** Asserts that a text has all parts, in their order. */
export function assertHasInOrder(text: string, parts: readonly string[]): void {
  let from = 0;
  for (const part of parts) {
    const at = text.indexOf(part, from);
    assert(at >= 0, `${part} is not in, or not in this order: ${text}`);
    from = at + part.length;
  }
}
