/**
 * Copies the pages of the repository to the folder that VitePress builds: flat, with links that hold there.
 *
 * @module
 */

import { dirname, normalize } from "node:path/posix";

/** A page of the site. */
export interface StagedPage {
  /** The file in the repository, such as `docs/guide.md`. */
  readonly source: string;
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
      if (/\.(svg|png)$/.test(path)) return link;
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

/**
 * Returns the part of the README that the home page shows, and its section about examples.
 *
 * @throws {Error} If the README has no such sections.
 */
export function partsOfReadme(readme: string): { home: string; examples: string } {
  const home = /^An operator:\n[^]*?(?=^## Documentation$)/m.exec(readme)?.[0];
  const examples = /^## Examples\n([^]*?)(?=^MIT licensed)/m.exec(readme)?.[1];
  if (home === undefined || examples === undefined) {
    throw new Error('README.md has no part from "An operator:" to "## Documentation"');
  }
  return { home, examples: `# Examples\n${examples}` };
}
