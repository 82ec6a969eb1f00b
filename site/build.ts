/**
 * Builds the site of the documentation in dist/site: the pages of `docs`, the reference of the interfaces, and the
 * playground if it was built. The files work below any path of any web server, and load nothing from another host.
 *
 * ```sh
 * deno task site
 * ```
 *
 * @module
 */

import { pathToFileURL } from "node:url";
import { copyTree } from "../tests/support/copy_tree.ts";
import { lockedFolder, ROOT, run } from "../tests/package/_tools.ts";
import { writeApi } from "./api.ts";
import { doorsOf } from "./doors.ts";
import { filesBelow } from "./files.ts";
import { BASE, relocated } from "./relocate.ts";
import { SourcePages } from "./source_pages.ts";
import {
  linksRewritten,
  pageNames,
  partsOfReadme,
  type ReadmeParts,
  type StagedPage,
} from "./stage.ts";

/** The folder of the built site. */
export const SITE: string = `${ROOT}dist/site`;

const WORK = `${ROOT}dist/site-work`;
const PLAYGROUND = `${ROOT}dist/playground`;

/** The beginning of the home page. */
const HOME = "---\nlayout: home\n---\n\n<Hero />\n\n";

/** Builds the site, and prints what it consists of. */
export async function buildSite(): Promise<void> {
  for (const folder of [WORK, SITE]) {
    await Deno.remove(folder, { recursive: true }).catch(ignoreMissing);
    await Deno.mkdir(folder, { recursive: true });
  }
  const sources = new SourcePages(ROOT);
  const readme = partsOfReadme(await Deno.readTextFile(`${ROOT}README.md`));
  const pages = await stagedPages(sources, readme);
  const { create, more, what } = readme;
  await stage(pages, { create, more, what, withPlayground: await exists(PLAYGROUND) });
  const vitepress = `${WORK}/node_modules/vitepress/bin/vitepress.js`;
  await run(["node", vitepress, "build", WORK, "--outDir", SITE], { cwd: WORK });
  await relocateFiles();
  const api = await writeApi({
    root: ROOT,
    work: `${WORK}/api`,
    output: `${SITE}/api`,
    sourcePage: (path) => sources.pageOf(path),
  });
  if (await exists(PLAYGROUND)) await copyTree(pathToFileURL(PLAYGROUND), `${SITE}/play`);
  const copies = await sources.write(SITE);
  console.log(
    `dist/site: ${pages.length} pages, ${api} pages of the reference, ${copies} of sources`,
  );
}

async function stagedPages(sources: SourcePages, readme: ReadmeParts): Promise<StagedPage[]> {
  const docs: string[] = [];
  for await (const { name } of Deno.readDir(`${ROOT}docs`)) {
    if (name.endsWith(".md") && name !== "README.md") docs.push(name);
  }
  const names = pageNames(docs.sort());
  const copyOf = (path: string) => sources.pageOf(path);
  const rewrite = (source: string, text: string) => linksRewritten(source, text, { names, copyOf });
  const pages: StagedPage[] = [
    { name: "index.md", text: HOME + rewrite("README.md", readme.home) },
    { name: "examples.md", text: rewrite("README.md", readme.examples) },
  ];
  for (const [source, name] of names) {
    if (source === "README.md") continue;
    const text = await Deno.readTextFile(`${ROOT}${source}`);
    pages.push({ name, text: rewrite(source, text) });
  }
  return pages;
}

/** Writes what VitePress reads. */
async function stage(
  pages: readonly StagedPage[],
  home: Readonly<Record<string, unknown>>,
): Promise<void> {
  await Deno.symlink(await lockedFolder(`${ROOT}site/vitepress`), `${WORK}/node_modules`);
  await Deno.copyFile(`${ROOT}site/vitepress/package.json`, `${WORK}/package.json`);
  await copyTree(new URL("vitepress", import.meta.url), `${WORK}/.vitepress`);
  await copyTree(new URL("public", import.meta.url), `${WORK}/public`);
  for await (const { name } of Deno.readDir(`${ROOT}docs`)) {
    if (/\.(?:svg|webp)$/.test(name)) await Deno.copyFile(`${ROOT}docs/${name}`, `${WORK}/${name}`);
  }
  for (const { name, text } of pages) await Deno.writeTextFile(`${WORK}/${name}`, text);
  const doors = doorsOf(pages.find(({ name }) => name === "pages.md")!.text);
  await Deno.writeTextFile(
    `${WORK}/.vitepress/site.json`,
    JSON.stringify({ base: BASE, doors, home }),
  );
}

async function relocateFiles(): Promise<void> {
  for await (const path of filesBelow(SITE)) {
    if (!/\.(html|js|css)$/.test(path)) continue;
    const text = await Deno.readTextFile(path);
    const moved = relocated(path.slice(SITE.length + 1), text);
    if (moved !== text) await Deno.writeTextFile(path, moved);
  }
}

async function exists(path: string): Promise<boolean> {
  return await Deno.stat(path).then(() => true, () => false);
}

function ignoreMissing(error: unknown): void {
  if (!(error instanceof Deno.errors.NotFound)) throw error;
}

if (import.meta.main) await buildSite();
