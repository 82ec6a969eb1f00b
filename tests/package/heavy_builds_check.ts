/**
 * The part of `builds_check.ts` that takes long, for the nightly run: webpack and Next, all settings of TypeScript, and a
 * second build of our packages in another folder, which must be equal.
 */

import { dirname } from "node:path";
import { assertEquals, assertStringIncludes } from "@std/assert";
import { copyTree } from "../support/copy_tree.ts";
import { Workbench } from "./_builds.ts";
import { ALL_COMPILERS, CompiledProject } from "./_compiled.ts";
import { capture, HEAVY_BUILDERS, NEXT, npm, ROOT, run, runtimes, toolsFolder } from "./_tools.ts";

Deno.test("programs that webpack builds reach a cluster", async (t) => {
  const builders = await toolsFolder(HEAVY_BUILDERS);
  const [node22, node24] = (await runtimes()).map(({ path }) => path) as [string, string];
  await using bench = await Workbench.create();
  for (const mode of ["production", "development"]) {
    await t.step(mode, async () => {
      const out = `${bench.away}/${mode}`;
      const flags = ["--mode", mode, "--target", "node22", "--entry", "./operator.mjs", "-o", out];
      const webpack = `${builders}/webpack-cli/bin/cli.js`;
      await run([node22, webpack, ...flags], {
        cwd: bench.project.folder,
        env: { NODE_PATH: builders },
      });
      for (const node of [node22, node24]) await bench.works(node, `${mode}/main.js`);
    });
  }
});

const ROUTE = `import { Client, ConfigMaps, loadConfig } from "@kubeloop/controller";
export const dynamic = "force-dynamic";
export async function GET() {
  try {
    const client = new Client(await loadConfig());
    const { items } = await client.list(ConfigMaps);
    await client.close();
    return Response.json(items.length);
  } catch (error) {
    return Response.json(String(error), { status: 500 });
  }
}
`;

Deno.test("applications that Next builds reach a cluster", async (t) => {
  const [node22] = (await runtimes()).map(({ path }) => path) as [string];
  await using bench = await Workbench.create();
  const { folder } = bench.project;
  const versions = Object.entries(NEXT).map(([name, version]) => `${name}@${version}`);
  await npm(["install", "--save-exact", ...versions], folder);
  await Deno.mkdir(`${folder}/app/api/maps`, { recursive: true });
  await bench.write("app/api/maps/route.js", ROUTE);
  await bench.write(
    "next.config.mjs",
    `const root = import.meta.dirname;
    export default { output: "standalone", outputFileTracingRoot: root, turbopack: { root } };`,
  );
  const env = { NEXT_TELEMETRY_DISABLED: "1", KUBECONFIG: `${bench.away}/kubeconfig.yaml` };
  for (const builder of ["turbopack", "webpack"]) {
    await t.step(builder, async () => {
      const next = `${folder}/node_modules/next/dist/bin/next`;
      await run([node22, next, "build", `--${builder}`], { cwd: folder, env });
      const out = `${bench.away}/${builder}`;
      await Deno.rename(`${folder}/.next/standalone`, out);
      const port = freePort();
      await using server = new Deno.Command(node22, {
        args: ["server.js"],
        cwd: out,
        env: { ...env, PORT: String(port), HOSTNAME: "127.0.0.1" },
        stdout: "piped",
        stderr: "inherit",
      }).spawn();
      const printed = server.stdout.pipeThrough(new TextDecoderStream());
      for await (const text of printed) if (/Ready/.test(text)) break;
      const response = await fetch(`http://127.0.0.1:${port}/api/maps`);
      assertEquals([response.status, typeof await response.json()], [200, "number"]);
      server.kill();
      await server.status;
    });
  }
});

function freePort(): number {
  using listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  return listener.addr.port;
}

Deno.test("programs compile against all declarations, under all settings", async (t) => {
  await using project = await CompiledProject.create();
  for (const name of ALL_COMPILERS) await t.step(name, () => project.compiles(name, "typescript"));
});

Deno.test("Node 20 prints that it is too old", async () => {
  await using bench = await Workbench.create();
  const program = await bench.write("old.mjs", 'await import("@kubeloop/controller");\n');
  const { stderr } = await capture(["npx", "-y", "node@20", program]);
  assertStringIncludes(stderr, "Error: kubeloop needs Node 22 or later: this is Node 20.");
});

/** The files and folders that a build of the npm packages reads. */
const INPUTS = [
  "deno.json",
  "LICENSE",
  "mod.ts",
  "README.md",
  "src",
  "tests/package",
  "tests/std_links",
];

Deno.test("a second build of the packages, in a folder elsewhere, is the same byte for byte", async () => {
  const other = await Deno.makeTempDir({ prefix: "kubeloop-again-" });
  const copy = `${other}/in/a/folder of another depth`;
  try {
    for (const input of INPUTS) {
      await Deno.mkdir(dirname(`${copy}/${input}`), { recursive: true });
      await copyTree(new URL(input, `file://${ROOT}`), `${copy}/${input}`);
    }
    // With tools that are installed elsewhere, too.
    const cache = `${other}/cache/kubeloop-package`;
    await Deno.mkdir(cache, { recursive: true });
    const tools = (await toolsFolder()).replace(/\/node_modules$/, "");
    await run(["cp", "-r", tools, cache]);
    await run([Deno.execPath(), "task", "npm"], {
      cwd: copy,
      env: { XDG_CACHE_HOME: `${other}/cache`, DENO_DIR: await denoDir() },
    });
    const { stdout } = await capture([
      "diff",
      "-r",
      "-x",
      "built.json",
      `${ROOT}dist`,
      `${copy}/dist`,
    ]);
    assertEquals(stdout, "");
  } finally {
    await Deno.remove(other, { recursive: true });
  }
});

/** The cache of Deno, which is below XDG_CACHE_HOME otherwise. */
async function denoDir(): Promise<string> {
  return JSON.parse(await run([Deno.execPath(), "info", "--json"])).denoDir;
}
