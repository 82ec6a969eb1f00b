// Bundles declarations: node roll_up_declarations.mjs NODE_MODULES OUTPUT '{"index": "types/mod.d.ts", …}' [EXTERNAL]
// EXTERNAL is an object, too: files that are not bundled, and what they are imported as instead.
import process from "node:process";

const [tools, dir, input, notBundled = "{}"] = process.argv.slice(2);
const paths = JSON.parse(notBundled);
const { rollup } = await import(`${tools}/rollup/dist/es/rollup.js`);
const { dts } = await import(`${tools}/rollup-plugin-dts/dist/rollup-plugin-dts.mjs`);

const bundle = await rollup({
  input: JSON.parse(input),
  plugins: [dts()],
  external: (id) => !/^[./]/.test(id) || Object.hasOwn(paths, id),
  onwarn(warning) {
    // The bundle of a program is empty, because it exports nothing.
    if (warning.code !== "EMPTY_BUNDLE") throw new Error(warning.message);
  },
});
await bundle.write({
  dir,
  paths,
  entryFileNames: "[name].d.ts",
  chunkFileNames: ({ name }) => `chunks/${name.replace(/\.d$/, "")}.d.ts`,
});
