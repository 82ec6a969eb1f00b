/**
 * Checks the links of built pages: each names a file below the site, and an element of it.
 *
 * @module
 */

import { dirname, normalize } from "node:path/posix";
import { filesBelow } from "./files.ts";

/** The links of a page, and the names that links to it may have. */
interface Linked {
  readonly links: ReadonlySet<string>;
  /** The URLs that the page loads by itself, such as those of scripts and pictures. */
  readonly loads: ReadonlySet<string>;
  readonly ids: ReadonlySet<string>;
}

/** Matches an attribute that names a file or an element. */
const ATTRIBUTE = /\s(href|src|id|name)=(?:"([^"]*)"|'([^']*)')/g;

/** Matches scripts, styles and comments, which have no links. */
const NOT_MARKUP = /<(script|style)\b([^>]*)>[^]*?<\/\1>|<!--[^]*?-->/g;

/** Matches an element `link`, which the browser loads. */
const LOADED_LINK = /<link\b[^>]*\shref="([^"]*)"/g;

/** Matches a URL of another host. */
const OTHER_HOST = /^(https?:)?\/\//;

/** Links that leave the site, which are not followed here. */
const OUTSIDE = /^(https?:|mailto:|data:|\/\/)/;

const ENTITIES: Readonly<Record<string, string>> = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  "#39": "'",
  "#x27": "'",
  "#x2F": "/",
};

function decoded(text: string): string {
  return text.replace(/&(\w+|#\w+);/g, (entity, name: string) => ENTITIES[name] ?? entity);
}

/** Returns the links and names of a page of HTML. */
function linkedOf(html: string): Linked {
  const links = new Set<string>();
  const loads = new Set<string>();
  const ids = new Set<string>();
  const markup = html.replace(
    NOT_MARKUP,
    (_, name = "", attributes = "") => `<${name}${attributes}>`,
  );
  for (const [, attribute, double, single] of markup.matchAll(ATTRIBUTE)) {
    const value = decoded(double ?? single ?? "");
    if (attribute === "id" || attribute === "name") ids.add(value);
    else (attribute === "src" ? loads : links).add(value);
  }
  for (const [, double] of markup.matchAll(LOADED_LINK)) loads.add(decoded(double ?? ""));
  return { links, loads, ids };
}

/**
 * Returns a line for each link below the folder `site` that leads nowhere, or to a place that only this machine has, and for
 * each URL of another host that a page loads.
 */
export async function brokenLinks(site: string): Promise<string[]> {
  const files = new Set<string>();
  const pages = new Map<string, Linked>();
  for await (const path of filesBelow(site)) {
    const name = path.slice(site.length + 1);
    files.add(name);
    if (name.endsWith(".html")) pages.set(name, linkedOf(await Deno.readTextFile(path)));
  }
  const broken: string[] = [];
  for (const [page, { links, loads }] of pages) {
    for (const url of loads) {
      if (OTHER_HOST.test(url)) broken.push(`${page}: ${url}: is loaded from another host`);
    }
    for (const link of new Set([...links, ...loads])) {
      if (OUTSIDE.test(link)) continue;
      const [path = "", anchor = ""] = link.replace(/\?[^#]*/, "").split("#");
      const isWhole = path.startsWith("/") || /^[a-z]+:/.test(path);
      const target = path === "" ? page : targetOf(page, path, files);
      if (isWhole || target === undefined) broken.push(`${page}: ${link}: there is no such file`);
      else if (anchor !== "" && pages.get(target)?.ids.has(decodeURIComponent(anchor)) === false) {
        broken.push(`${page}: ${link}: ${target} has no such anchor`);
      }
    }
  }
  return broken;
}

/** Returns the file that a relative link names; undefined if there is none. */
function targetOf(page: string, path: string, files: ReadonlySet<string>): string | undefined {
  const target = normalize(`${dirname(page)}/${decodeURIComponent(path)}`);
  return [target, `${target.replace(/\/$/, "")}/index.html`.replace(/^\.\//, "")]
    .find((one) => files.has(one));
}
