// Bundles declarations: node roll_up_declarations.mjs NODE_MODULES OUTPUT '{"index": "types/mod.d.ts", …}'
import process from "node:process";

const [tools, dir, input] = process.argv.slice(2);
const { rollup } = await import(`${tools}/rollup/dist/es/rollup.js`);
const { dts } = await import(`${tools}/rollup-plugin-dts/dist/rollup-plugin-dts.mjs`);

const bundle = await rollup({
  input: JSON.parse(input),
  plugins: [dts()],
  external: (id) => !/^[./]/.test(id),
  onwarn(warning) {
    // The bundle of a program is empty, because it exports nothing.
    if (warning.code !== "EMPTY_BUNDLE") throw new Error(warning.message);
  },
});
await bundle.write({
  dir,
  entryFileNames: "[name].d.ts",
  chunkFileNames: ({ name }) => `chunks/${name.replace(/\.d$/, "")}.d.ts`,
});
