/** Writes the exports of the package for the types of all API groups, `./types/GROUP/VERSION`, into `deno.json`. */

const FILE = new URL("../../../deno.json", import.meta.url);
const KINDS = new URL("../../../src/kinds/", import.meta.url);

/** The export that precedes the exports of the groups. */
const FIRST = "./types";

const groups = [...Deno.readDirSync(KINDS)].filter(({ isDirectory }) => isDirectory)
  .flatMap(({ name: group }) =>
    [...Deno.readDirSync(new URL(`${group}/`, KINDS))].map(({ name }) => `${group}/${name}`)
  )
  .filter((file) => /\/v\d+((alpha|beta)\d+)?\.ts$/.test(file)).sort();

const config = JSON.parse(await Deno.readTextFile(FILE));
const exports: [string, unknown][] = [];
for (const [name, path] of Object.entries(config.exports)) {
  if (!/^\.\/types\/[a-z]+\/v\d/.test(name)) exports.push([name, path]);
  if (name !== FIRST) continue;
  for (const file of groups) exports.push([`./types/${file.slice(0, -3)}`, `./src/kinds/${file}`]);
}
await Deno.writeTextFile(
  FILE,
  `${JSON.stringify({ ...config, exports: Object.fromEntries(exports) }, null, 2)}\n`,
);
