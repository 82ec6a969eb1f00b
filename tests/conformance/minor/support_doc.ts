/** Writes the minor versions into the first row of the table of `docs/support.md`. */

import { RELEASES } from "../../e2e/minors.ts";

const PAGE = new URL("../../../docs/support.md", import.meta.url);

/** The cells of a kubeloop version and of the minor versions. */
const ROW = /^(\| \d+\.\d+ +\| )((?:1\.\d+(?:, )?)+)( *)(?=\|)/m;

/** Returns the page with the minor versions. */
export function supportPage(text: string, minors: readonly string[]): string {
  return text.replace(ROW, (_, version: string, old: string, padding: string) => {
    return version + minors.join(", ").padEnd(old.length + padding.length);
  });
}

if (import.meta.main) {
  const text = await Deno.readTextFile(PAGE);
  await Deno.writeTextFile(PAGE, supportPage(text, Object.keys(RELEASES)));
}
