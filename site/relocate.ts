/**
 * Makes the output of VitePress work below any path. VitePress writes one absolute path into everything that it builds. All
 * pages are in one folder here, so a path relative to that folder can replace it.
 *
 * @module
 */

/** The absolute path that VitePress builds for, which is then replaced. */
export const BASE = "/kubeloop-site-base/";

/** The variable of a module that holds the path of the site. */
const VARIABLE = "siteBase$";

/**
 * Returns a file of the output with relative paths instead of {@linkcode BASE}.
 *
 * @throws {Error} If the path is in a place that is not known.
 */
export function relocated(path: string, text: string): string {
  if (!text.includes(BASE)) return text;
  const moved = path.endsWith(".js")
    ? module(path, text)
    : path.endsWith(".css")
    ? text.replaceAll(BASE, "../".repeat(path.split("/").length - 1))
    : page(text);
  if (moved.includes(BASE)) throw new Error(`${path} still has the path ${BASE}`);
  return moved;
}

function page(text: string): string {
  return text
    // The data of the site, which is JSON in a string of JavaScript.
    .replaceAll(`\\"${BASE}\\"`, '\\""+new URL(".",location.href).pathname+"\\"')
    .replaceAll(`"${BASE}"`, '"./"')
    .replaceAll(`"${BASE}`, '"./');
}

function module(path: string, text: string): string {
  const up = "../".repeat(path.split("/").length - 1);
  const head = `const ${VARIABLE}=new URL("${up}",import.meta.url).pathname;`;
  // The index of the search is JSON in single quotes; all other paths are strings in double quotes, or markup in single ones.
  const moved = text
    .replaceAll(`="${BASE}`, `=${VARIABLE}+"`)
    .replaceAll(`return"${BASE}`, `return ${VARIABLE}+"`)
    .replaceAll(`"${BASE}`, `"'+${VARIABLE}+'`);
  return head + moved;
}
