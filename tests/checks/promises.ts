/**
 * Checks the links of docs/promises.md: each names a test by the beginning of its name and points at its line. With `--write`,
 * the line numbers are corrected.
 *
 * @module
 */

const ROOT = new URL("../../", import.meta.url);
const PAGE = new URL("docs/promises.md", ROOT);

/** A link to a test: its name as the source has it, the file, and the line. */
const LINK = /\[([^\]]+)\]\(\.\.\/(tests\/[^)#]+)(?:#L(\d+))?\)/g;

/** Returns the page with the right line numbers, and the links that name no test. */
export async function checkedPromises(): Promise<
  { page: string; corrected: string; wrong: string[] }
> {
  const page = await Deno.readTextFile(PAGE);
  const wrong: string[] = [];
  let corrected = "";
  let end = 0;
  for (const match of page.matchAll(LINK)) {
    const [link, name = "", file = ""] = match;
    const source = await Deno.readTextFile(new URL(file, ROOT)).catch(() => "");
    const line = source.split("\n").findIndex((text) => text.includes(name));
    if (line < 0) wrong.push(`${file} has no test "${name}"`);
    corrected += page.slice(end, match.index) + `[${name}](../${file}#L${line + 1})`;
    end = match.index + link.length;
  }
  return { page, corrected: corrected + page.slice(end), wrong };
}

if (import.meta.main) {
  const { corrected, page, wrong } = await checkedPromises();
  for (const one of wrong) console.error(one);
  if (Deno.args.includes("--write")) await Deno.writeTextFile(PAGE, corrected);
  else if (page !== corrected) {
    console.error("docs/promises.md: run tests/checks/promises.ts --write");
  }
  if (wrong.length > 0) Deno.exit(1);
}
