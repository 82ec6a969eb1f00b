/**
 * Additions to the pages of `deno doc` that make them a part of this site: a way back, an index of the entry points, narrow
 * screens, and the appearance that the reader has chosen.
 *
 * @module
 */

/** An entry point of a package. */
export interface EntryPoint {
  /** The name under which programs import it, such as `@kubeloop/controller/cache`. */
  readonly name: string;
  /** The link to its page from the index. */
  readonly link: string;
  /** The first sentence of its docstring. */
  readonly about: string;
}

/** Styles that follow the styles of `deno doc`. */
export const STYLES = `
:root { color-scheme: light; }
:root.dark { color-scheme: dark; }
.ddoc > div:not(#categoryPanel), #content > main { min-width: 0; }
.ddoc pre { max-width: 100%; overflow-x: auto; }
.ddoc code, .ddoc .breadcrumbs a { overflow-wrap: anywhere; }
#topnav { height: auto; min-height: 3.5rem; box-sizing: border-box; background-color: #fff; }
#topnav:is(.dark *) { background-color: #121417; }
#topnav > div { flex-wrap: wrap; gap: .5rem 1.5rem !important; }
#topnav > div > div:first-child { align-items: baseline; }
#topnav .site { margin-right: 1rem; font-weight: 600; }
#searchbar { min-width: 0; width: 16rem; max-width: 60vw; }
.entryPoints { list-style: none; padding: 0; }
.entryPoints li { margin: 0 0 .9rem; }
.entryPoints a { font-weight: 600; }
#content > main > h1 { font-size: 1.5rem; font-weight: 700; }
@media (width < 640px) { .ddoc { padding-left: .75rem !important; padding-right: .75rem !important; } }
`;

/** The script in place of that of `deno doc`: it shares the choice of the reader with the other pages of the site. */
export const APPEARANCE = `const KEY = "vitepress-theme-appearance";
const prefersDark = matchMedia("(prefers-color-scheme: dark)");
function isDark() {
  const chosen = localStorage.getItem(KEY);
  return chosen === "dark" || (chosen !== "light" && prefersDark.matches);
}
function show() {
  const dark = isDark();
  document.documentElement.classList.toggle("dark", dark);
  const [toDark, toLight] = document.getElementById("theme-toggle")?.children ?? [];
  toDark?.classList.toggle("hidden", dark);
  toLight?.classList.toggle("hidden", !dark);
}
show();
prefersDark.addEventListener("change", show);
addEventListener("load", () => {
  const toggle = document.getElementById("theme-toggle");
  toggle.removeAttribute("style");
  toggle.addEventListener("click", () => {
    localStorage.setItem(KEY, isDark() ? "light" : "dark");
    show();
  });
  show();
});
`;

/** Returns a page with a link to the site; `up` leads to the index of the reference. */
export function withWayBack(html: string, up: string): string {
  return replaced(html, [
    ["<html>", '<html lang="en">'],
    ["</title>", '</title>\n  <link rel="icon" href="data:,">'],
    [
      '<ul class="breadcrumbs">',
      `<a class="site" href="${up}../index.html">kubeloop</a><ul class="breadcrumbs">`,
    ],
    ['class="contextLink">kubeloop<', 'class="contextLink">API<'],
    ['id="searchbar"', 'id="searchbar"\n          aria-label="Search the reference"'],
  ]);
}

/** Returns the index with a list of the entry points. */
export function withEntryPoints(html: string, entries: readonly EntryPoint[]): string {
  const items = entries.map(({ about, link, name }) =>
    `<li><a class="link" href="${link}">${name}</a><br>${escaped(about)}</li>`
  );
  const list = `<ul class="entryPoints">\n${items.join("\n")}\n</ul>`;
  return replaced(html, [["<main></main>", `<main><h1>Entry points</h1>${list}</main>`]]);
}

/** Returns the script of the search, which follows the links of the index. */
export function searchScript(script: string): string {
  return replaced(script, [
    ["${pathToRoot}${result.file}/~/${result.name}.html", "${pathToRoot}${result.url}"],
  ]);
}

/** Replaces each text once, and throws if one is missing: another version of Deno has other pages. */
function replaced(text: string, pairs: readonly (readonly [string, string])[]): string {
  for (const [from, to] of pairs) {
    if (!text.includes(from)) throw new Error(`A page of deno doc has no ${from}`);
    text = text.replace(from, () => to);
  }
  return text;
}

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;")
    .replace(/`([^`]*)`/g, "<code>$1</code>");
}
