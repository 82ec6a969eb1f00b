/**
 * Runs all tests: `deno task test`. Deno gives each test file an isolate of its own, which loads and compiles the library
 * once more, and that takes longer than the tests of most files. So the files of a room share an isolate here. With
 * arguments, it is `deno test` with these: each file by itself.
 *
 * @module
 */

import { fileURLToPath, pathToFileURL } from "node:url";
import { testFilesBelow } from "./test_files.ts";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));

/**
 * The rooms whose files share an isolate. The others have tests that take long, which Deno runs side by side, or that start
 * programs.
 */
export const ROOMS: readonly string[] = [
  "tests/base",
  "tests/bytes",
  "tests/cache",
  "tests/cli",
  "tests/client",
  "tests/conformance",
  "tests/controller",
  "tests/crd",
  "tests/election",
  "tests/events",
  "tests/extras",
  "tests/hostile",
  "tests/kinds",
  "tests/kubectl",
  "tests/logs",
  "tests/metrics",
  "tests/operator",
  "tests/operators",
  "tests/pager",
  "tests/rights",
  "tests/serving",
  "tests/testing/actors",
  "tests/testing/api_server",
  "tests/testing/serve",
  "tests/testing/simulation",
  "tests/types",
  "tests/webhooks",
  "tests/websocket",
  "tests/workqueue",
  "tests/yaml",
];

/** Folders that `deno task test` does not look into: their tests have tasks of their own. */
const OTHER_TASKS: readonly string[] = ["tests/std_links", "tests/e2e", "tests/foreign"];

/** The permissions of all tests. */
export const PERMISSIONS: readonly string[] = [
  "--allow-net=127.0.0.1,localhost",
  "--allow-read",
  "--allow-write",
  "--allow-env",
  "--allow-run",
];

/** Returns a module with the tests of the files at `paths`, which are relative to the folder `root`. */
export function sharedModule(root: string, paths: readonly string[]): string {
  return paths.map((path) => `import ${JSON.stringify(pathToFileURL(`${root}${path}`).href)};\n`)
    .join("");
}

async function main(args: readonly string[]): Promise<number> {
  const folder = await Deno.makeTempDir({ prefix: "kubeloop-tests-" });
  try {
    const { code } = await new Deno.Command(Deno.execPath(), {
      args: [
        "test",
        "--no-check",
        "--doc",
        "--parallel",
        ...PERMISSIONS,
        ...args.length > 0
          ? [`--ignore=${["dist", ...OTHER_TASKS].join(",")}`, ...args]
          : await everything(folder),
      ],
      cwd: ROOT,
    }).spawn().status;
    return code;
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

/**
 * Returns the paths of all tests: those of the documentation, a module in `folder` for each room, and the other test files.
 * They are named one by one, because Deno does not ignore what it is told to when one of them is outside its folder.
 */
async function everything(folder: string): Promise<string[]> {
  const paths: string[] = [];
  for await (const { name } of Deno.readDir(ROOT)) {
    if (name === "tests" || name === "dist" || name.startsWith(".")) continue;
    if (/\.(?:ts|md)$/.test(name) || !name.includes(".") && name !== "LICENSE") paths.push(name);
  }
  for (const room of ROOMS) {
    const module = `${folder}/${room.replaceAll("/", "_")}_test.ts`;
    await Deno.writeTextFile(module, sharedModule(ROOT, await testFilesBelow(ROOT, [room])));
    paths.push(module);
  }
  const elsewhere = [...ROOMS, ...OTHER_TASKS].map((room) => `${room}/`);
  const others = (await testFilesBelow(ROOT, ["tests"]))
    .filter((path) => !elsewhere.some((room) => path.startsWith(room)));
  return [...paths.sort(), ...others];
}

if (import.meta.main) Deno.exitCode = await main(Deno.args);
