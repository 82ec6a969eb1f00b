/** Figures that several pages quote are kept in docs/figures.json, and every page has the same. */

import { assert, assertEquals } from "@std/assert";

interface Figure {
  readonly about: string;
  readonly value: string;
  readonly source: string;
  /** A regular expression whose only group is the figure. */
  readonly pattern: string;
}

const ROOT = new URL("../../", import.meta.url);
const PAGES = ["README.md", "SECURITY.md", "CHANGELOG.md", "src/testing/README.md"];

async function readPages(): Promise<Map<string, string>> {
  const names = [...PAGES];
  for await (const { name } of Deno.readDir(new URL("docs/", ROOT))) {
    if (name.endsWith(".md")) names.push(`docs/${name}`);
  }
  const texts = names.map(async (name) => {
    const text = await Deno.readTextFile(new URL(name, ROOT));
    return [name, text.replace(/\s+/g, " ")] as const;
  });
  return new Map(await Promise.all(texts));
}

Deno.test("every page has the figures of docs/figures.json", async () => {
  const figures: Figure[] = JSON.parse(await Deno.readTextFile(new URL("docs/figures.json", ROOT)));
  const pages = await readPages();
  for (const { about, pattern, source, value } of figures) {
    const found = [...pages].flatMap(([name, text]) =>
      [...text.matchAll(new RegExp(pattern, "g"))].map(([, figure]) => `${name}: ${figure}`)
    );
    assert(found.length > 0, `no page has ${about}`);
    const different = found.filter((one) => !one.endsWith(`: ${value}`));
    assertEquals(different, [], `${about} (${source}) is ${value}`);
  }
});
