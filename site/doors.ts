/**
 * The doors of the documentation: the tables of docs/README.md, which are also the navigation of the site.
 *
 * @module
 */

/** A page behind a door. */
export interface DoorPage {
  /** The title that the navigation shows. */
  readonly title: string;
  /** The link, relative to the folder `docs`, such as `guide.md` or `../SECURITY.md`. */
  readonly link: string;
  /** One line about the page. */
  readonly about: string;
}

/** A group of pages. */
export interface Door {
  /** The name, such as `Learn`. */
  readonly name: string;
  /** One sentence about the door. */
  readonly about: string;
  readonly pages: readonly DoorPage[];
}

/** Matches a row whose first cell is a link. */
const ROW = /^\| \[([^\]]+)\]\(([^)]+)\)\s*\| (.*?)\s*\|$/gm;

/** Returns the doors of `page`, which is the text of docs/README.md. */
export function doorsOf(page: string): Door[] {
  return page.split(/^## /m).slice(1).map((section) => {
    const [name = "", , about = ""] = section.split("\n");
    const pages = [...section.matchAll(ROW)].map(([, title = "", link = "", about = ""]) => ({
      title,
      link,
      about,
    }));
    return { name, about, pages };
  });
}
