/**
 * Checks programs that others build with the npm packages, and that run elsewhere, against a cluster with TLS.
 * `heavy_builds_check.ts` has the builders that take long.
 */

import { assert, assertEquals } from "@std/assert";
import { Workbench } from "./_builds.ts";
import { CompiledProject, type Compiler } from "./_compiled.ts";
import { BUILDERS, capture, run, runtimes, toolsFolder } from "./_tools.ts";

/** `package_check.ts` has others, with TypeScript 5, and `heavy_builds_check.ts` has all. */
const COMPILERS: readonly Compiler[] = [
  "nodenext, without the types of Node",
  "bundler, without the types of Node, for an old target",
  "node16, with the types of Node and none of the DOM",
];

Deno.test("programs that others build with the npm packages reach a cluster", async (t) => {
  const builders = await toolsFolder(BUILDERS);
  const [node22, node24, bun] = (await runtimes()).map(({ path }) => path) as [
    string,
    string,
    string,
  ];
  await using bench = await Workbench.create();
  const { away } = bench;
  const onNode = async (...program: readonly string[]) => {
    for (const node of [node22, node24]) await bench.works(node, ...program);
  };

  for (const [format, extension] of [["cjs", "cjs"], ["esm", "mjs"]] as const) {
    await t.step(`esbuild, ${format}`, async () => {
      const flags = ["--bundle", "--platform=node", `--format=${format}`, "--log-level=error"];
      const file = `${away}/esbuild.${extension}`;
      await bench.build(`${builders}/.bin/esbuild`, "operator.mjs", ...flags, `--outfile=${file}`);
      await onNode(file);
    });
  }

  await t.step("rollup", async () => {
    const plugin = `${builders}/@rollup/plugin-node-resolve/dist/es/index.js`;
    const config = await bench.write(
      "rollup.config.mjs",
      `import resolve from ${JSON.stringify(plugin)};
      export default {
        input: "operator.mjs", external: /^node:/, plugins: [resolve()],
        output: { dir: ${
        JSON.stringify(`${away}/rollup`)
      }, entryFileNames: "operator.mjs", chunkFileNames: "[name]-[hash].mjs" },
      };`,
    );
    await bench.build(node22, `${builders}/rollup/dist/bin/rollup`, "--silent", "-c", config);
    await onNode("rollup/operator.mjs");
  });

  await t.step("Vite, for a server", async () => {
    const config = await bench.write(
      "vite.config.mjs",
      `export default {
        build: { ssr: "operator.mjs", outDir: ${JSON.stringify(`${away}/vite`)} },
        ssr: { noExternal: true }, logLevel: "error",
      };`,
    );
    const vite = `${builders}/vite/bin/vite.js`;
    await bench.build(node22, vite, "build", "--config", config, "--emptyOutDir");
    const [script = ""] = (await Array.fromAsync(Deno.readDir(`${away}/vite`)))
      .map(({ name }) => name).filter((name) => name.startsWith("operator."));
    await Deno.writeTextFile(`${away}/vite/package.json`, '{ "type": "module" }\n');
    await onNode(`vite/${script}`);
  });

  await t.step("a single executable application of Node", async () => {
    const config = await bench.write(
      "sea.json",
      JSON.stringify({
        main: `${away}/esbuild.cjs`,
        output: "sea.blob",
        disableExperimentalSEAWarning: true,
      }),
    );
    await bench.build(node24, "--experimental-sea-config", config);
    const file = `${away}/application`;
    await Deno.copyFile(node24, file);
    const fuse = ["--sentinel-fuse", "NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2"];
    const postject = `${builders}/postject/dist/cli.js`;
    await bench.build(node22, postject, file, "NODE_SEA_BLOB", "sea.blob", ...fuse);
    await bench.works(file);
    await Deno.remove(file);
  });

  await t.step("bun build, and bun build --compile", async () => {
    const flags = ["build", "--target", "bun"];
    await bench.build(bun, ...flags, "operator.mjs", "--outfile", `${away}/bun.js`);
    await bench.works(bun, "bun.js");
    const file = `${away}/application`;
    await bench.build(bun, ...flags, "--compile", "operator.mjs", "--outfile", file);
    await bench.works(file);
    await Deno.remove(file);
  });

  await t.step("deno compile", async () => {
    const file = `${away}/application`;
    const flags = ["--quiet", "--no-check", "--no-lock", "--node-modules-dir=manual", "-A"];
    const compile = (env: Record<string, string>) =>
      capture([Deno.execPath(), "compile", ...flags, "--output", file, "operator.mjs"], {
        cwd: bench.project.folder,
        env,
      });
    const { success, stderr } = await compile({});
    if (success) {
      await bench.works(file);
    } else {
      // Deno downloads the program that runs what it compiles, which some machines do not allow. Deno itself, in its place,
      // shows that everything is found to be compiled.
      assert(/denort|dns error|download/i.test(stderr), stderr);
      console.log("deno compile: not run, because denort cannot be downloaded here");
      const stoodIn = await compile({ DENORT_BIN: Deno.execPath() });
      assert(stoodIn.success, stoodIn.stderr);
      const program = `${bench.project.folder}/operator.mjs`;
      await bench.works(Deno.execPath(), "run", ...flags, "--cached-only", program);
    }
    await Deno.remove(file);
  });

  await t.step("CommonJS, with one copy of each class for both names", async () => {
    const text = await Deno.readTextFile(`${bench.project.folder}/operator.mjs`);
    const required = text.replace(
      /^import (.+) from ("@kube.+");$/m,
      'const $1 = require($2);\nif (require("kubeloop").Client !== Client) throw new Error("Two copies");',
    ).replace(/^import process.*$/m, "");
    assert(required.includes("require("), required);
    await onNode(await bench.write("list.cjs", required));
  });

  await t.step("Node below 22 says that it is too old", async () => {
    const old = `Object.defineProperty(process, "versions", { value: { node: "20.20.2" } });
      for (const name of ["kubeloop", "kubeloop/client", "@kubeloop/controller", "@kubeloop/testing"]) {
        await import(name).then(() => console.log(name), ({ message }) => console.log(message));
      }`;
    const program = await bench.write("old.mjs", old);
    const said = await run([node22, program], { cwd: bench.project.folder });
    assertEquals(said, "kubeloop needs Node 22 or later: this is Node 20.20.2\n".repeat(4));
  });
});

Deno.test("programs compile against all declarations, with and without the types of Node", async (t) => {
  await using project = await CompiledProject.create();
  for (const name of COMPILERS) await t.step(name, () => project.compiles(name, "typescript-7"));
});
