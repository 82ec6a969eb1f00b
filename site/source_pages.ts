/**
 * Pages of the site that show files and folders of the repository, so that links to a test or an example need no other host.
 *
 * @module
 */

import { dirname } from "node:path/posix";

/** The folder of the pages, below the site. */
const FOLDER = "source";

/** Files that are not text, or too long to be read on a page. */
const SHOWN = /\.(ts|tsx|mjs|js|json|md|yaml|yml|sh|go|mod|toml|html|css|txt)$|\/Dockerfile$/;

/** Collects the files and folders that pages link to. */
export class SourcePages {
  readonly #root: string;
  /** The paths of the files and folders that have a page. */
  readonly #wanted: Set<string> = new Set();

  /** `root` is the folder of the repository, with a slash at the end. */
  constructor(root: string) {
    this.#root = root;
  }

  /** Returns the path of the page of a file or folder, which is then written; undefined if there is neither. */
  pageOf(path: string): string | undefined {
    let isFolder: boolean;
    try {
      isFolder = Deno.statSync(`${this.#root}${path}`).isDirectory;
    } catch {
      return undefined;
    }
    this.#wanted.add(path);
    return `${FOLDER}/${path}${isFolder ? "/index.html" : ".html"}`;
  }

  /** Writes the pages below `site`, with those of the files in the folders. Returns their number. */
  async write(site: string): Promise<number> {
    // The set grows while it is read: a folder adds its files.
    for (const path of this.#wanted) {
      const isFolder = (await Deno.stat(`${this.#root}${path}`)).isDirectory;
      const target = `${site}/${FOLDER}/${path}${isFolder ? "/index.html" : ".html"}`;
      await Deno.mkdir(dirname(target), { recursive: true });
      const up = "../".repeat(target.slice(site.length + 1).split("/").length - 1);
      const body = isFolder
        ? await this.#listOf(path, up)
        : linesOf(await Deno.readTextFile(`${this.#root}${path}`));
      await Deno.writeTextFile(target, pageWith(path, up, body));
    }
    return this.#wanted.size;
  }

  async #listOf(path: string, up: string): Promise<string> {
    const names: string[] = [];
    for await (const entry of Deno.readDir(`${this.#root}${path}`)) {
      if (entry.isDirectory || SHOWN.test(`/${entry.name}`)) names.push(entry.name);
    }
    const items = names.sort().map((name) => {
      const page = this.pageOf(`${path}/${name}`);
      return `<li><a href="${up}${page}">${escape(name)}</a></li>`;
    });
    return `<ul>\n${items.join("\n")}\n</ul>`;
  }
}

function escape(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
}

function linesOf(text: string): string {
  const lines = text.trimEnd().split("\n").map((line, index) =>
    `<span id="L${index + 1}">${escape(line)}\n</span>`
  );
  return `<pre tabindex="0"><code>${lines.join("")}</code></pre>`;
}

function pageWith(path: string, up: string, body: string): string {
  return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<title>${escape(path)} | kubeloop</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${up}source.css">
<script src="${up}theme.js"></script>
</head>
<body>
<header><a href="${up}index.html">kubeloop</a></header>
<main>
<h1>${escape(path)}</h1>
${body}
</main>
</body>
</html>
`;
}
