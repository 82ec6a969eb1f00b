/**
 * The reference of the interfaces: the HTML of `deno doc`, with the names under which programs import them.
 *
 * @module
 */

import { dirname } from "node:path/posix";
import { entryPoints } from "../tests/support/public_docs.ts";
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
  for (const [source, name] of await entryPoints()) {
    if (PROGRAMS.has(name)) continue;
    const path = `${work}/${name.replace("@kubeloop/", "")}.ts`;
    await Deno.mkdir(dirname(path), { recursive: true });
    await Deno.writeTextFile(path, `export * from ${JSON.stringify(`${root}${source}`)};\n`);
    modules.push(path);
  }
  const args = ["doc", "--quiet", "--html", "--name=kubeloop", `--output=${output}`, ...modules];
  const { success, stderr } = await new Deno.Command(Deno.execPath(), { args, cwd: root }).output();
  if (!success) throw new Error(`deno doc has failed: ${new TextDecoder().decode(stderr)}`);
  return await rewritePages(options);
}

/** Matches the page of a member, such as `Manager.prototype.run.html`. Its symbol's page has the same text. */
const MEMBER = /^([^.]+)\.(?:prototype\.)?(.+)\.html$/;

async function rewritePages({ output, root, sourcePage }: ApiOptions): Promise<number> {
  const texts = new Map<string, string>();
  for await (const path of filesBelow(output)) {
    const name = path.slice(path.lastIndexOf("/") + 1);
    if (path.includes("/~/") && MEMBER.test(name)) await Deno.remove(path);
    else texts.set(path, await Deno.readTextFile(path));
  }
  const ids = new Map<string, ReadonlySet<string>>();
  for (const [path, text] of texts) {
    const found = [...text.matchAll(/ id="([^"]+)"/g)].map(([, id = ""]) => id);
    ids.set(path, new Set(found));
  }
  let pages = 0;
  for (const [path, text] of texts) {
    const local = path.slice(output.length + 1);
    const up = "../".repeat(local.split("/").length - 1);
    const memberLink = (link: string) => {
      const name = decodeURIComponent(link.slice(link.lastIndexOf("/") + 1));
      const [, symbol, member = ""] = MEMBER.exec(name) ?? [];
      if (symbol === undefined || !link.includes("/~/")) return link;
      const page = `${link.slice(0, link.lastIndexOf("/") + 1)}${symbol}.html`;
      const target = `${output}/${page.replace(/^[./]+/, "")}`;
      const id = ["method", "property", "accessor", "static", "enum", "ctor"]
        .flatMap((kind) => [`${kind}_${member.toLowerCase()}_0`, `${kind}_${member.toLowerCase()}`])
        .find((one) => ids.get(target)?.has(one));
      return id === undefined ? page : `${page}#${id}`;
    };
    let moved = text;
    if (path.endsWith(".html")) {
      pages++;
      moved = moved
        .replaceAll("&#x2F;", "/")
        .replace(/href="(file:\/\/[^"]*)"/g, (_, url: string) => {
          const source = sourcePage(new URL(url).pathname.slice(root.length));
          return `href="${up}../${source}"`;
        })
        .replace(/href="([^"#:]*\/~\/[^"#]*)"/g, (_, link: string) => `href="${memberLink(link)}"`)
        .replace(/(?<=>|&quot;|from ")((?:controller|testing|kubectl)(?:\/\w+)?)\.ts(?=<|&quot;|")/g, "@kubeloop/$1");
    } else if (local === "search_index.js") {
      moved = moved.replace(/"url":"([^"]*)"/g, (_, url: string) => `"url":"${memberLink(url)}"`);
    }
    if (moved !== text) await Deno.writeTextFile(path, moved);
  }
  return pages;
}
