/** The configuration of VitePress. site/build.ts copies it beside the pages, and writes site.json. */

import { readFileSync } from "node:fs";

const { base, doors, home } = JSON.parse(
  readFileSync(new URL("site.json", import.meta.url), "utf8"),
);

const isPage = ({ link }) => link.startsWith("./");

/** Returns the path of a page as the navigation has it. */
const pathOf = ({ link }) => `/${link.slice(2).replace(/\.md$/, "")}`;

const escaped = (text) => text.replace(/[/.]/g, "\\$&");

const pagesOf = (door) =>
  door.pages.filter(isPage).map((page) => ({ ...page, path: pathOf(page) }));

/** Anchors as forges make them, so that a link to a heading holds in both places. */
function slugOf(text) {
  return text.trim().toLowerCase().replace(/[^\p{L}\p{N}\s_-]/gu, "").replace(/\s/g, "-");
}

export default {
  base,
  title: "kubeloop",
  description: home.what,
  head: [["link", { rel: "icon", href: "data:," }]],
  // The copies of sources, the reference and the playground are added to the built pages, and checked there.
  ignoreDeadLinks: [/^\/(source|api|play)\//],
  markdown: {
    anchor: { slugify: slugOf },
  },
  transformPageData(page) {
    // The only table with six columns of text needs the place of the outline.
    if (page.relativePath === "beside.md") page.frontmatter.aside = false;
  },
  themeConfig: {
    nav: [
      ...doors.map((door) => {
        const pages = pagesOf(door);
        return {
          text: door.name,
          link: pages[0].path,
          activeMatch: `^(${pages.map(({ path }) => escaped(path)).join("|")})(\\.html)?$`,
        };
      }),
      { text: "API", link: "/api/index.html", target: "_self" },
      ...(home.withPlayground ? [{ text: "Play", link: "/play/index.html", target: "_self" }] : []),
    ],
    sidebar: doors.map((door) => ({
      text: door.name,
      collapsed: true,
      items: pagesOf(door).map(({ title, path }) => ({ text: title, link: path })),
    })),
    home: {
      doors: doors.map((door) => ({ ...door, path: `${pagesOf(door)[0].path}.html`, pages: [] })),
      ...home,
    },
    outline: [2, 3],
    search: {
      provider: "local",
      // All words of the query, with one wrong letter in a word of seven: by default, "stale" finds "scale".
      options: { miniSearch: { searchOptions: { combineWith: "AND", fuzzy: 0.08 } } },
    },
    footer: { message: "MIT licensed" },
    docFooter: { prev: false, next: false },
  },
};
