/**
 * Copies the pages of the repository to the folder that VitePress builds: flat, with links that hold there.
 *
 * @module
 */

import { dirname, normalize } from "node:path/posix";

/** A page of the site. */
export interface StagedPage {
  /** The file of the staged page, such as `guide.md`. */
  readonly name: string;
  readonly text: string;
}

/** Matches a link in Markdown that is not a URL, with the bracket before it. */
const LINK = /\]\((?![a-z]+:)([^)\s#]*)(#[^)\s]*)?\)/g;

/** Matches a fenced block of code, and code in a line. */
const CODE = /^( *)(```+)[^]*?^ *\2 *$|`+[^`\n]*`+/gm;

/** Names of pages, by the file of the repository. A page without an entry has no page on the site. */
export function pageNames(docs: readonly string[]): Map<string, string> {
  const names = new Map(docs.map((name) => [`docs/${name}`, name]));
  names.set("docs/README.md", "pages.md");
  names.set("README.md", "index.md");
  for (const name of ["SECURITY.md", "CHANGELOG.md", "CONTRIBUTING.md"]) {
    names.set(name, name.toLowerCase());
  }
  return names;
}

/** Options of {@linkcode linksRewritten}. */
export interface LinkOptions {
  /** The page of the site for a file of the repository. */
  readonly names: ReadonlyMap<string, string>;
  /** Returns the path below the site of the copy of a file or folder of the repository; undefined if neither exists. */
  readonly copyOf: (path: string) => string | undefined;
}

/**
 * Returns the text of `source` with links to pages of the site, or to copies of files of the repository.
 *
 * @throws {Error} If the target of a link does not exist.
 */
export function linksRewritten(source: string, text: string, options: LinkOptions): string {
  const rewrite = (prose: string) =>
    prose.replace(LINK, (link, path: string, anchor = "") => {
      if (path === "") return link;
      const target = normalize(`${dirname(source)}/${path}`).replace(/\/$/, "");
      // The section of the README is a page of its own on the site.
      if (target === "README.md" && anchor === "#examples") return "](./examples.md)";
      const page = options.names.get(target);
      if (page !== undefined) return `](./${page}${anchor})`;
      // Pictures are staged beside the pages.
      if (/\.(svg|webp)$/.test(path)) return `](./${path.slice(path.lastIndexOf("/") + 1)})`;
      const copy = options.copyOf(target);
      if (copy === undefined) {
        throw new Error(`${source} links to ${path}: there is no ${target} in the repository`);
      }
      // The router of the site knows only pages: "_self" makes the browser follow the link.
      return `](./${copy}${anchor}){target="_self"}`;
    });
  let rewritten = "";
  let end = 0;
  for (const { index, 0: code } of text.matchAll(CODE)) {
    rewritten += rewrite(text.slice(end, index)) + code;
    end = index + code.length;
  }
  return rewritten + rewrite(text.slice(end));
}

/** The parts of the README that are on the site. */
export interface ReadmeParts {
  /** The first sentence. */
  readonly what: string;
  /** The rest of the first paragraph. */
  readonly more: string;
  /** The commands that create a project. */
  readonly create: readonly string[];
  /** The text of the home page, in Markdown. */
  readonly home: string;
  /** The page about the examples, in Markdown. */
  readonly examples: string;
}

/**
 * Returns the parts of the README that are on the site.
 *
 * @throws {Error} If one is missing.
 */
export function partsOfReadme(readme: string): ReadmeParts {
  const part = (what: string, pattern: RegExp) => {
    const found = pattern.exec(readme)?.[1];
    if (found === undefined) throw new Error(`README.md has no ${what}, which the site shows`);
    return found;
  };
  const paragraph = part("first paragraph", /^# kubeloop\n\n([^]*?)\n\n/).replaceAll("\n", " ");
  const end = paragraph.indexOf(". ") + 1;
  const install = part("section Install", /^## Install\n([^]*?)^## /m);
  return {
    what: paragraph.slice(0, end),
    more: paragraph.slice(end).trim().replaceAll("`", ""),
    create: [...install.matchAll(/^(?:npm|deno) .*\bcreate\S*(?: kubeloop)?/gm)].map(([line]) =>
      line
    ),
    home: part('part from "An operator:"', /^(An operator:\n[^]*?)^## Documentation$/m),
    examples: `# Examples\n${part("section Examples", /^## Examples\n([^]*?)^MIT licensed/m)}`,
  };
}
