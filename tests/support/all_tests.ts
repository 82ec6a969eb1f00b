/**
 * Runs the tests: `deno task test`, or `deno task test --long` for tests that take seconds each. Deno gives each
 * test file its own isolate, which loads and compiles the library again. That takes longer than the tests of most files,
 * so the files of a room share an isolate here. With arguments, it is `deno test` with these: each file by itself.
 *
 * @module
 */

import { fileURLToPath, pathToFileURL } from "node:url";
import { TextLineStream } from "@std/streams/text-line-stream";
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
  "tests/client",
  "tests/conformance",
  "tests/controller",
  "tests/crd",
  "tests/election",
  "tests/events",
  "tests/extras",
  "tests/fields",
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

/** The share of the random inputs that is tried unless the environment says otherwise. The gate tries the others elsewhere. */
const SHARE = "1/4";

/** Selects slow tests, and the examples in docstrings, which take an isolate each. */
const LONG = /\(slow\)$|#\d+-\d+\.ts$/;

async function main(args: readonly string[]): Promise<number> {
  const folder = await Deno.makeTempDir({ prefix: "kubeloop-tests-" });
  try {
    const child = new Deno.Command(Deno.execPath(), {
      args: [
        "test",
        "--no-check",
        "--doc",
        "--parallel",
        ...PERMISSIONS,
        ...isLong(args)
          ? [`--filter=${LONG}`, ...await slowTests(), "src"]
          : args.length > 0
          ? [`--ignore=${["dist", ...OTHER_TASKS].join(",")}`, ...args]
          : await everything(folder),
      ],
      cwd: ROOT,
      env: environment(args),
      stdout: "piped",
    }).spawn();
    await child.stdout.pipeThrough(new TextDecoderStream()).pipeThrough(new TextLineStream())
      .pipeThrough(namingRooms()).pipeThrough(new TextEncoderStream())
      .pipeTo(Deno.stdout.writable, { preventClose: true });
    return (await child.status).code;
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

function isLong(args: readonly string[]): boolean {
  return args.join() === "--long";
}

/**
 * Returns the paths of all tests: documentation tests, a module in `folder` for each room, and the other test files.
 * Each file is named, because Deno disregards `--ignore` when a path is outside its folder.
 */
async function everything(folder: string): Promise<string[]> {
  const paths: string[] = [];
  for await (const { name } of Deno.readDir(ROOT)) {
    if (["tests", "dist", "src"].includes(name) || name.startsWith(".")) continue;
    if (/\.(?:ts|md)$/.test(name) || !name.includes(".") && name !== "LICENSE") paths.push(name);
  }
  for (const room of ROOMS) {
    const module = `${folder}/${moduleOf(room)}`;
    await Deno.writeTextFile(module, sharedModule(ROOT, await testFilesBelow(ROOT, [room])));
    paths.push(module);
  }
  const elsewhere = [...ROOMS, ...OTHER_TASKS].map((room) => `${room}/`);
  const others = (await testFilesBelow(ROOT, ["tests"]))
    .filter((path) => !elsewhere.some((room) => path.startsWith(room)));
  return [...paths.sort(), ...others];
}

/** Replaces the paths of the shared modules, which are in a temporary folder, by the names of their rooms. */
function namingRooms(): TransformStream<string, string> {
  const rooms = new Map(ROOMS.map((room) => [moduleOf(room), room]));
  return new TransformStream({
    transform(line, controller) {
      const named = line.replace(
        // deno-lint-ignore no-control-regex
        /[^\s\x1b]*kubeloop-tests-\w+\/(\w+\.ts)/g,
        (path, module) => rooms.get(module) ?? path,
      );
      controller.enqueue(`${named}\n`);
    },
  });
}

function moduleOf(room: string): string {
  return `${room.replaceAll("/", "_")}_test.ts`;
}

/** Returns the paths of the files that have slow tests. */
async function slowTests(): Promise<string[]> {
  const files = await testFilesBelow(ROOT, ["tests"]);
  const texts = await Promise.all(files.map((path) => Deno.readTextFile(`${ROOT}${path}`)));
  return files.filter((_, index) => texts[index]!.includes("slowTest("));
}

function environment(args: readonly string[]): Record<string, string> {
  if (isLong(args)) return { KUBELOOP_SLOW: "1" };
  const isSet = ["KUBELOOP_SHARE", "KUBELOOP_LONG"].some((name) => Deno.env.has(name));
  return isSet || args.length > 0 ? {} : { KUBELOOP_SHARE: SHARE };
}

if (import.meta.main) Deno.exitCode = await main(Deno.args);
