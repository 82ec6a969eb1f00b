/**
 * Runs the tests that do not depend on Deno, and the examples, with the installed npm packages on Node 22, Node 24 and
 * Bun; in long mode the tests of the simulation and of the API server too. Compares the traces of a simulated cluster
 * between these and Deno. The last line has the counts, like the output of `deno test`.
 *
 * @module
 */

import { join } from "node:path";
import { pathToFileURL } from "node:url";
import * as esbuild from "npm:esbuild@0.28.2";
import { seededRuns } from "../support/seeded_runs.ts";
import { testFilesBelow } from "../support/test_files.ts";
import { atMost } from "./_at_most.ts";
import { Installed } from "./_installed.ts";
import { capture, NPM_PACKAGES, ROOT, type Runtime, runtimes, toolsFolder } from "./_tools.ts";
import { compareTraces } from "./_traces.ts";

/** The folders of tests that do not depend on Deno. */
const TESTS = [
  "tests/base",
  "tests/bytes",
  "tests/cache",
  "tests/client",
  "tests/controller",
  "tests/crd",
  "tests/election",
  "tests/events",
  "tests/extras",
  "tests/failure_day",
  "tests/fields",
  "tests/hostile",
  "tests/logs",
  "tests/kubectl",
  "tests/kinds",
  "tests/metrics",
  "tests/operator",
  "tests/package",
  "tests/pager",
  "tests/rights",
  "tests/see",
  "tests/serving",
  "tests/types",
  "tests/webhooks",
  "tests/websocket",
  "tests/workqueue",
  "tests/yaml",
];

/**
 * The folders whose tests use what runtimes do in their own way. Node runs these only, which saves minutes: Node 22 the tests of
 * the client, and Node 24 the others, with those of connections. In long mode both run all.
 */
const NODE_22_TESTS: readonly string[] = ["tests/client"];
const NODE_24_TESTS: readonly string[] = [
  "tests/client/streams",
  "tests/client/transport",
  "tests/failure_day",
  "tests/kubectl",
  "tests/package",
  "tests/see",
  "tests/serving",
  "tests/websocket",
];

/** Test files and folders that import internal files, or use Deno. */
const NOT_HERE = [
  "tests/base/waiters_test.ts",
  "tests/bytes/scanner_transcripts_test.ts",
  "tests/cache/reflector/reflector_list_test.ts",
  "tests/client/client_test.ts",
  "tests/failure_day/surface_test.ts",
  "tests/client/credentials/exec_credentials_test.ts",
  "tests/client/config/impersonation_test.ts",
  "tests/client/transport/http_answer_test.ts",
  "tests/client/transport/loopback_test.ts",
  "tests/client/transport/open_upgraded_test.ts",
  "tests/logs/container_state_test.ts",
  "tests/logs/resume_point_test.ts",
  "tests/logs/slots_test.ts",
  "tests/election/election_simulation_test.ts",
  "tests/election/sharding_simulation_test.ts",
  "tests/client/credentials/run_command_test.ts",
  "tests/client/credentials/run_pace_test.ts",
  "tests/kubectl/apply/unified_diff_test.ts",
  "tests/kubectl/cli",
  "tests/kubectl/tar_reader_test.ts",
  "tests/kinds/descriptors_test.ts",
  "tests/fields/is_applied_property_test.ts",
  "tests/fields/is_applied_test.ts",
  "tests/fields/plain_json_test.ts",
  "tests/fields/stored_forms_test.ts",
  "tests/events/event_limits_test.ts",
  "tests/operator/hard_objects_test.ts",
  "tests/cel/rules/field_path_test.ts",
  "tests/crd/json_test.ts",
  "tests/crd/patterns_test.ts",
  "tests/fields/writers_test.ts",
  "tests/package/at_most_test.ts",
  "tests/package/kept_build_test.ts",
  "tests/see/page",
  "tests/serving/der_test.ts",
  "tests/simulation/explore_file_test.ts",
  "tests/simulation/self/mutants_test.ts",
  "tests/simulation/self/self_test.ts",
];

/** Tests of requests of kubectl, which are the same on all runtimes: Node runs these tests in long mode only. */
const NODE_NOT_HERE: readonly string[] = [
  "tests/kubectl/access_test.ts",
  "tests/kubectl/apply",
  "tests/kubectl/drain_test.ts",
  "tests/kubectl/nodes_test.ts",
  "tests/kubectl/rollouts_test.ts",
];

/** The tests of the simulation, which run in long mode only: the traces below compare the simulation on all runtimes. */
const SIMULATION_TESTS: readonly string[] = ["tests/simulation"];

/**
 * The folders of tests of the API server and what belongs to it. They test its inside, so they run on the sources; on Node
 * 24 and Bun, in long mode only, which saves minutes: all other tests use the server of the package.
 */
const SERVER_TESTS = ["tests/conformance", "tests/testing"];

/** Test files of the server that use Deno. */
const SERVER_NOT_HERE = [
  "tests/testing/api_server/serve_test.ts",
  "tests/testing/serve/files_test.ts",
  "tests/testing/serve/https_webhooks_test.ts",
  "tests/testing/serve/run_serve_test.ts",
  "tests/testing/serve/saved_state_test.ts",
];

interface Count {
  readonly passed: number;
  readonly failed: number;
}

async function main(): Promise<void> {
  await using project = await Installed.create();
  const tools = await toolsFolder();
  const found = await runtimes();
  await bundle(project.folder, tools);
  await esbuild.stop();
  // One more than the cores of a small machine: some tests wait, for a second or two.
  const run = atMost(3);
  const programs = PROGRAMS.flatMap((program) => found.map((runtime) => ({ program, runtime })));
  const counts = await Promise.all([
    ...programs.map(({ program, runtime }) =>
      run(() => program(runtime, project.folder, shareOf(runtime)))
    ),
    compareTraces(project.folder, found, run),
  ]);
  const [passed, failed] = (["passed", "failed"] as const).map((what) =>
    counts.reduce((sum, count) => sum + count[what], 0)
  ) as [number, number];
  console.log(`${failed === 0 ? "ok" : "FAILED"} | ${passed} passed | ${failed} failed`);
  if (failed > 0) Deno.exitCode = 1;
}

const isLong = seededRuns.factor > 1;

/** Returns the program with the tests of the packages. */
function testsOf({ name }: Runtime): string {
  if (isLong || !name.startsWith("node")) return "tests.js";
  return name.startsWith("node 22") ? "node_22_tests.js" : "node_24_tests.js";
}

/** The quarter of the random inputs that a runtime tries. Deno tries the first in `deno task test`. */
function shareOf({ name }: Runtime): string {
  return name.startsWith("node") ? "2/4" : "3/4";
}

const NOTHING: Count = { passed: 0, failed: 0 };

/** Runs a part of the tests on one runtime; its random tests take their `share` of the inputs. */
type Program = (runtime: Runtime, folder: string, share: string) => Promise<Count>;

/** The parts, the longest first. */
const PROGRAMS: readonly Program[] = [
  (runtime, folder, share) => runTests(runtime, folder, testsOf(runtime), share),
  async (runtime, folder, share) =>
    isLong ? await runTests(runtime, folder, "simulation_tests.js", share) : NOTHING,
  async (runtime, folder, share) =>
    isLong && !runtime.name.startsWith("node 22")
      ? await runTests(runtime, folder, "server_tests.js", share)
      : NOTHING,
  async (runtime, folder) =>
    isLong || runtime.name.startsWith("node 24") ? await runExamples(runtime, folder) : NOTHING,
];

/**
 * Bundles the tests, `traces.js` and `examples/*.js` into `folder`, which import the packages that are installed there, and
 * `server_tests.js`, which has the sources in it.
 */
async function bundle(folder: string, tools: string): Promise<void> {
  const options: esbuild.BuildOptions = {
    absWorkingDir: ROOT,
    bundle: true,
    format: "esm",
    platform: "node",
    // Node 22 does not support `using`.
    target: "es2022",
    external: NPM_PACKAGES.flatMap(({ name }) => [name, `${name}/*`]),
    nodePaths: [tools],
    alias: {
      "@std/assert": "deno-std/assert/mod.js",
      "@std/cli/parse-args": "deno-std/cli/parse_args.js",
      "@std/log": `${ROOT}tests/std_links/log/mod.ts`,
      "@std/streams/text-line-stream": "deno-std/streams/text_line_stream.js",
      "@std/yaml/parse": "deno-std/yaml/parse.js",
      "@std/yaml/stringify": "deno-std/yaml/stringify.js",
    },
    plugins: [packagePlugin, urlPlugin],
    logLevel: "warning",
  };
  const harness = [`${ROOT}tests/package/_harness.ts`];
  const programs = {
    "tests.js": await testFiles(TESTS, NOT_HERE),
    "node_22_tests.js": await testFiles(NODE_22_TESTS, NOT_HERE),
    "node_24_tests.js": await testFiles(NODE_24_TESTS, [...NOT_HERE, ...NODE_NOT_HERE]),
    "simulation_tests.js": await testFiles(SIMULATION_TESTS, NOT_HERE),
  };
  for (const [program, files] of Object.entries(programs)) {
    await esbuild.build({
      ...options,
      stdin: programOf(files),
      // Bun says that each module of a bundle is the main one.
      define: { "import.meta.main": "false" },
      inject: harness,
      outfile: `${folder}/${program}`,
    });
  }
  await esbuild.build({
    ...options,
    stdin: programOf(await testFiles(SERVER_TESTS, SERVER_NOT_HERE)),
    inject: harness,
    external: [],
    plugins: [sourcePlugin, urlPlugin],
    outfile: `${folder}/server_tests.js`,
  });
  await esbuild.build({
    ...options,
    entryPoints: ["tests/simulation/trace_hashes.ts"],
    outfile: `${folder}/traces.js`,
  });
  await esbuild.build({
    ...options,
    entryPoints: await programsIn("examples", "examples/scripts"),
    define: { "import.meta.main": "true" },
    outbase: "examples",
    outdir: `${folder}/examples`,
  });
}

/** Returns the program that runs test files. */
function programOf(files: readonly string[]): esbuild.StdinOptions {
  return {
    contents: [
      'import { runTests } from "./tests/package/_harness.ts";',
      ...files.map((path) => `import "./${path}";`),
      "await runTests();",
    ].join("\n"),
    resolveDir: ROOT,
  };
}

/** Returns the paths of the test files below folders, except those of `left`. */
async function testFiles(folders: readonly string[], left: readonly string[]): Promise<string[]> {
  return (await testFilesBelow(ROOT, folders)).filter((path) =>
    !left.some((one) => path === one || path.startsWith(`${one}/`))
  );
}

/** Returns the paths of the programs in folders, without the modules that they share. */
async function programsIn(...folders: readonly string[]): Promise<string[]> {
  const paths: string[] = [];
  for (const folder of folders) {
    for await (const { name } of Deno.readDir(`${ROOT}${folder}`)) {
      if (/^[^_].*\.ts$/.test(name)) paths.push(`${folder}/${name}`);
    }
  }
  return paths;
}

/** Resolves the imports of entry points by tests and examples to the installed packages; other sources are bundled. */
const packagePlugin: esbuild.Plugin = {
  name: "kubeloop",
  async setup({ onResolve }) {
    const entries = new Map<string, string>();
    for (const { jsrName, name, source } of NPM_PACKAGES) {
      const { exports } = JSON.parse(await Deno.readTextFile(`${source}deno.json`));
      for (const [entry, path] of Object.entries<string>(exports)) {
        entries.set(join(source, path), `${name}${entry.slice(1)}`);
      }
      // The examples import this package without changes. It exports the classes of the package kubeloop.
      onResolve({ filter: new RegExp(`^${jsrName}`) }, ({ path }) => ({ path, external: true }));
    }
    entries.set(`${ROOT}src/pager/mod.ts`, "kubeloop/client");
    onResolve({ filter: /\/src\/.*\.ts$/ }, ({ path, resolveDir }) => {
      const entry = entries.get(join(resolveDir, path));
      return entry === undefined ? undefined : { path: entry, external: true };
    });
  },
};

/** Resolves all imports of the packages to the sources. */
const sourcePlugin: esbuild.Plugin = {
  name: "kubeloop-sources",
  async setup({ onResolve }) {
    for (const { jsrName, source } of NPM_PACKAGES) {
      const { exports } = JSON.parse(await Deno.readTextFile(`${source}deno.json`));
      onResolve({ filter: new RegExp(`^${jsrName}`) }, ({ path }) => ({
        path: join(source, exports[path.replace(jsrName, ".")]),
      }));
    }
  },
};

/** Lets a test find the files beside it. */
const urlPlugin: esbuild.Plugin = {
  name: "kubeloop-urls",
  setup({ onLoad }) {
    onLoad({ filter: /\/tests\/(?:conformance|testing)\/.*\.ts$/ }, async ({ path }) => {
      const text = await Deno.readTextFile(path);
      const url = JSON.stringify(pathToFileURL(path).href);
      return { contents: text.replaceAll("import.meta.url", url), loader: "ts" };
    });
  },
};

async function runTests(
  runtime: Runtime,
  cwd: string,
  program: string,
  share: string,
): Promise<Count> {
  const { success, stdout, stderr } = await capture([runtime.path, program], {
    cwd,
    env: isLong ? {} : { KUBELOOP_SHARE: share },
    timeoutMs: 1_500_000 * seededRuns.factor,
  });
  const [, passed = 0, failed = 0] = /^(\d+) passed \| (\d+) failed/m.exec(stdout) ?? [];
  const count = { passed: Number(passed), failed: Number(failed) };
  console.log(`${runtime.name}, ${program}: ${count.passed} passed, ${count.failed} failed`);
  if (success && count.passed > 0) return count;
  console.error(`${stdout}${stderr}`);
  return { ...count, failed: Math.max(count.failed, 1) };
}

/** Runs the tests of the examples and of the command on Deno; they start these on `runtime`. */
async function runExamples(runtime: Runtime, cwd: string): Promise<Count> {
  const { success, stdout, stderr } = await capture([
    Deno.execPath(),
    "test",
    "--no-check",
    "--parallel",
    ..."--allow-net=127.0.0.1,localhost --allow-read --allow-write --allow-env --allow-run".split(
      " ",
    ),
    "tests/examples/in_process_test.ts",
    "tests/examples/connection_test.ts",
    "tests/examples/scripts_test.ts",
    "tests/kubectl/cli/process_test.ts",
  ], {
    cwd: ROOT,
    env: {
      NO_COLOR: "1",
      KUBELOOP_EXAMPLES_RUNTIME: runtime.path,
      KUBELOOP_EXAMPLES_FOLDER: `${cwd}/examples`,
    },
  });
  const [, passed = 0, failed = 0] = /\| (\d+) passed.*\| (\d+) failed/.exec(stdout) ?? [];
  console.log(`${runtime.name}, examples: ${passed} passed, ${failed} failed`);
  if (!success) console.error(`${stdout}${stderr}`);
  return { passed: Number(passed), failed: success ? 0 : Math.max(Number(failed), 1) };
}

await main();
