/**
 * Draws the pictures of the documentation: `deno task pictures`.
 *
 * @module
 */

import { PICTURES } from "./_commands.ts";
import { architectureSvg } from "./architecture_svg.ts";
import { roomsOfPackages } from "./rooms.ts";
import { terminalSvg } from "./terminal_svg.ts";

const ROOT = new URL("../../", import.meta.url);

for (const [path, draw] of Object.entries(PICTURES)) await write(path, terminalSvg(await draw()));
await write("docs/architecture.svg", architectureSvg(await roomsOfPackages()));

async function write(path: string, svg: string): Promise<void> {
  await Deno.writeTextFile(new URL(path, ROOT), svg);
  console.log(`${path}: ${svg.length} characters`);
}
