/**
 * Runs the tests: `deno task test`, or `deno task test --long` for tests that take seconds each. Deno gives each
 * test file its own isolate, which loads and compiles the library again. That takes longer than the tests of most files,
 * so the files of a room share an isolate here, and so do the examples of pages and docstrings. With arguments, it is
 * `deno test` with these: each file by itself.
 *
 * @module
 */

import { dirname } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { TextLineStream } from "@std/streams/text-line-stream";
import { exampleModules } from "./example_modules.ts";
import { filesBelow, testFilesBelow } from "./test_files.ts";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));

/** The rooms whose files share an isolate, the longest first. Each other file has an isolate of its own. */
export const ROOMS: readonly string[] = [
  "tests/simulation",
  "tests/testing/actors",
  "tests/client",
  "tests/operator",
  "tests/testing/api_server",
  "tests/base",
  "tests/bench",
  "tests/bytes",
  "tests/cache",
  "tests/checks",
  "tests/conformance",
  "tests/controller",
  "tests/crd",
  "tests/create",
  "tests/election",
  "tests/events",
  "tests/examples",
  "tests/extras",
  "tests/fields",
  "tests/hostile",
  "tests/kinds",
  "tests/kubectl",
  "tests/logs",
  "tests/metrics",
  "tests/mutation",
  "tests/operators",
  "tests/package",
  "tests/pager",
  "tests/protobuf",
  "tests/rights",
  "tests/see",
  "tests/serving",
  "tests/support",
  "tests/testing/cron",
  "tests/testing/evolve",
  "tests/testing/samples",
  "tests/testing/serve",
  "tests/testing/simulation",
  "tests/testing/values",
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

/** Selects slow tests. */
const LONG = /\(slow\)$/;

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
          ? [`--filter=${LONG}`, ...await shared(folder, await slowTests())]
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

/** Returns the paths of all tests: a module in `folder` with the examples of the documentation, and {@linkcode shared}. */
async function everything(folder: string): Promise<string[]> {
  const files = await testFilesBelow(ROOT, ["tests"]);
  const here = files.filter((path) => !OTHER_TASKS.some((task) => path.startsWith(`${task}/`)));
  return [await examples(folder), ...await shared(folder, here)];
}

/**
 * Writes a module into `folder` for each room that has some of `files`. Returns the paths of these, in the order of the
 * rooms, and of the other files.
 */
async function shared(folder: string, files: readonly string[]): Promise<string[]> {
  const byRoom = Map.groupBy(files, (path) => ROOMS.find((room) => path.startsWith(`${room}/`)));
  const paths: string[] = [];
  for (const room of ROOMS) {
    const inRoom = byRoom.get(room);
    if (inRoom === undefined) continue;
    const module = `${folder}/${moduleOf(room)}`;
    await Deno.writeTextFile(module, sharedModule(ROOT, inRoom));
    paths.push(module);
  }
  return [...paths, ...byRoom.get(undefined) ?? []];
}

/** Writes the examples of the documentation into `folder`, and returns the path of the module that imports them. */
async function examples(folder: string): Promise<string> {
  const files = await filesBelow(ROOT, ["docs", "examples", "src"], /\.(?:ts|md)$/);
  for await (const { name } of Deno.readDir(ROOT)) {
    if (/\.(?:ts|md)$/.test(name)) files.push(name);
  }
  const paths: string[] = [];
  for (const file of files) {
    for (const { path, text } of exampleModules(file, await Deno.readTextFile(`${ROOT}${file}`))) {
      await Deno.mkdir(dirname(`${folder}/${path}`), { recursive: true });
      await Deno.writeTextFile(`${folder}/${path}`, text);
      paths.push(path);
    }
  }
  const module = `${folder}/documentation_test.ts`;
  await Deno.writeTextFile(module, sharedModule(`${folder}/`, paths));
  return module;
}

/** Replaces the paths of the modules in the temporary folder by the names of their rooms, and of the files of the examples. */
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
