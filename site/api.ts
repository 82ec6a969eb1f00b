/**
 * The reference of the interfaces: the HTML of `deno doc`, with the names under which programs import them.
 *
 * @module
 */

import { dirname, normalize } from "node:path/posix";
import { entryPoints } from "../tests/support/public_docs.ts";
import {
  APPEARANCE,
  type EntryPoint,
  searchScript,
  STYLES,
  withEntryPoints,
  withWayBack,
} from "./api_chrome.ts";
import { filesBelow } from "./files.ts";

/** Entry points that are programs: they export `main` for their own tests. */
const PROGRAMS: ReadonlySet<string> = new Set([
  "@kubeloop/create",
  "@kubeloop/kubectl/cli",
  "@kubeloop/testing/serve",
]);

/** Options of {@linkcode writeApi}. */
export interface ApiOptions {
  /** The folder of the repository, with a slash at the end. */
  readonly root: string;
  /** A folder for the modules that `deno doc` reads. */
  readonly work: string;
  /** The folder of the pages. */
  readonly output: string;
  /** Returns the path below the site of the page of a source file. */
  readonly sourcePage: (path: string) => string | undefined;
}

/** Writes the pages. Returns their number. */
export async function writeApi(options: ApiOptions): Promise<number> {
  const { root, work, output } = options;
  const modules: string[] = [];
  const entries: EntryPoint[] = [];
  for (const [source, name] of await entryPoints()) {
    if (PROGRAMS.has(name)) continue;
    const path = `${work}/${name.replace("@kubeloop/", "")}.ts`;
    await Deno.mkdir(dirname(path), { recursive: true });
    await Deno.writeTextFile(path, `export * from ${JSON.stringify(`${root}${source}`)};\n`);
    modules.push(path);
    const link = `${path.slice(work.length + 1)}/index.html`;
    entries.push({ name, link, about: await aboutModule(`${root}${source}`) });
  }
  const args = ["doc", "--quiet", "--html", "--name=kubeloop", `--output=${output}`, ...modules];
  const { success, stderr } = await new Deno.Command(Deno.execPath(), { args, cwd: root }).output();
  if (!success) throw new Error(`deno doc has failed: ${new TextDecoder().decode(stderr)}`);
  entries.sort((a, b) => a.name < b.name ? -1 : 1);
  return await rewritePages(options, entries);
}

/** A docstring whose first sentence is shorter, such as "The controller.", needs its second one. */
const SHORT = 40;

/** Returns the first sentence of the docstring of a module, or two if the first one is short. */
async function aboutModule(path: string): Promise<string> {
  const [, doc = ""] = /^\/\*\*([^]*?)\*\//.exec(await Deno.readTextFile(path)) ?? [];
  const text = doc.replace(/^\s*\* ?/gm, " ").replace(/\{@linkcode ([^}\s]+)\}/g, "`$1`")
    .replace(/\s+/g, " ").trim();
  const [first = "", second = ""] = text.match(/.*?[.:](?= [A-Z@]|$)/g) ?? [];
  const about = first.length < SHORT && !second.trim().startsWith("@") ? first + second : first;
  return about.replace(/:$/, ".");
}

/** Matches the page of a member, such as `Manager.prototype.run.html`. The page of its symbol has the same text. */
const MEMBER = /^([^.]+)\.(?:prototype\.)?(.+)\.html$/;

/** Matches the name of an entry point in a text or a string, such as `controller/cache.ts`. */
const ENTRY_POINT =
  /(?<=>|&quot;|from "| - )((?:controller|testing|kubectl)(?:\/\w+)?)\.ts(?=<|&quot;|"| - )/g;

/** The kinds of members, as the anchors of their symbol name them. */
const MEMBER_KINDS = ["method", "property", "accessor", "static", "enum"] as const;

/** Removes the pages of members, and makes the others part of the site. Returns their number. */
async function rewritePages(
  { output, root, sourcePage }: ApiOptions,
  entries: readonly EntryPoint[],
): Promise<number> {
  const texts = new Map<string, string>();
  for await (const path of filesBelow(output)) {
    const local = path.slice(output.length + 1);
    const name = local.slice(local.lastIndexOf("/") + 1);
    if (local.includes("/~/") && MEMBER.test(name)) await Deno.remove(path);
    else texts.set(local, await Deno.readTextFile(path));
  }
  const ids = new Map<string, ReadonlySet<string>>();
  for (const [local, text] of texts) {
    if (local.endsWith(".html")) {
      const found = [...text.matchAll(/ id="([^"]+)"/g)].map(([, id = ""]) => decodedSlashes(id));
      ids.set(local, new Set(found));
    }
  }
  for (const [local, text] of texts) {
    const up = "../".repeat(local.split("/").length - 1);
    const links = new MemberLinks(local, ids);
    let moved = text;
    if (local.endsWith(".html")) {
      moved = decodedSlashes(text)
        .replace(/href="(file:\/\/[^"]*)"/g, (_, url: string) => {
          const page = sourcePage(new URL(url).pathname.slice(root.length));
          return `href="${up}../${page}"`;
        })
        .replace(/ href="(?![a-z]+:)([^"]+)"/g, (_, link: string) => links.attribute(link))
        .replace(ENTRY_POINT, "@kubeloop/$1");
      moved = withWayBack(moved, up);
      if (local === "index.html") moved = withEntryPoints(moved, entries);
    } else if (local === "search_index.js") {
      moved = text.replace(/"url":"([^"]*)"/g, (_, url: string) => `"url":"${links.of(url)}"`);
    } else if (local === "search.js") moved = searchScript(text);
    else if (local === "darkmode_toggle.js") moved = APPEARANCE;
    else if (local === "page.css") moved = text + STYLES;
    if (moved !== text) await Deno.writeTextFile(`${output}/${local}`, moved);
  }
  return ids.size;
}

function decodedSlashes(text: string): string {
  return text.replaceAll("&#x2F;", "/");
}

/** The links of a page to members, which become anchors in the page of their symbol. */
class MemberLinks {
  readonly #page: string;
  readonly #ids: ReadonlyMap<string, ReadonlySet<string>>;

  constructor(page: string, ids: ReadonlyMap<string, ReadonlySet<string>>) {
    this.#page = page;
    this.#ids = ids;
  }

  /** Returns the attribute for a link; empty if it names an anchor of this page that does not exist. */
  attribute(link: string): string {
    const [path = "", anchor] = link.split("#");
    const page = this.of(path);
    if (anchor === undefined) return ` href="${page}"`;
    const target = path === "" ? this.#page : this.#target(page);
    const isThere = this.#ids.get(target)?.has(anchor) ?? true;
    if (isThere) return ` href="${page}#${anchor}"`;
    return path === "" ? "" : ` href="${page}"`;
  }

  /** Returns the link to a page, or to the anchor of a member. */
  of(path: string): string {
    const start = path.lastIndexOf("/") + 1;
    const [, symbol, member = ""] = MEMBER.exec(decodeURIComponent(path.slice(start))) ?? [];
    if (symbol === undefined || !path.includes("/~/")) return path;
    const page = `${path.slice(0, start)}${symbol}.html`;
    const ids = this.#ids.get(this.#target(page));
    const name = member.toLowerCase();
    const id = MEMBER_KINDS.flatMap((kind) => [`${kind}_${name}_0`, `${kind}_${name}`])
      .find((one) => ids?.has(one));
    return id === undefined ? page : `${page}#${id}`;
  }

  #target(link: string): string {
    return normalize(`${dirname(this.#page)}/${link}`);
  }
}
