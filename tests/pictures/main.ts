/**
 * Draws the pictures of the documentation: `deno task pictures`.
 *
 * @module
 */

import { PICTURES } from "./_commands.ts";
import { terminalSvg } from "./terminal_svg.ts";

const ROOT = new URL("../../", import.meta.url);

for (const [path, draw] of Object.entries(PICTURES)) {
  const svg = terminalSvg(await draw());
  await Deno.writeTextFile(new URL(path, ROOT), svg);
  console.log(`${path}: ${svg.length} characters`);
}
