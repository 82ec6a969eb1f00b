/** Every random test has a seed that can be chosen and that a failure names: it goes through tests/support/seeded_runs.ts. */

import { assertEquals } from "@std/assert";

const TESTS = new URL("../", import.meta.url);
const HELPER = "support/seeded_runs.ts";

/** Files that make a SeededRandom of their own, with the reason. */
const FIXTURES: Readonly<Record<string, string>> = {
  "support/seeded_runs_test.ts": "tests the module itself",
  "testing/api_server/tokens_test.ts": "keys of tokens, of servers with equal and with other seeds",
  "base/random_test.ts": "tests SeededRandom itself",
  "package/consumer/types.ts": "checks types",
  "client/wait/_waiting.ts": "jitter of backoffs",
  "events/_recording.ts": "uids",
  "events/event_recorder_test.ts": "names of Events",
  "events/event_limits_test.ts": "names of Events",
  "cache/informer/_modes.ts": "takes the seed of the module",
  "cache/informer/_over_bytes.ts": "takes the seed of the module",
  "cache/informer/informer_faults_test.ts": "jitter of backoffs; the faults are drawn elsewhere",
  "cache/reflector/reflector_bound_test.ts": "jitter of backoffs, beside the smallest possible one",
  "controller/controller_with_informers_test.ts": "jitter of backoffs",
  "failure_day/column.ts": "takes the seed of support/seeded_runs.ts",
  "failure_day/day.ts": "uids and jitter of one scenario",
  "failure_day/live.ts": "uids",
  "failure_day/rows/testing.ts": "uids",
  "hostile/malicious_server.ts": "uids; the faults are drawn elsewhere",
  "logs/follow_logs_test.ts": "uids and delays of one scenario",
  "mutation/sample.ts": "takes its seed from its arguments",
  "simulation/_plans_of_each_fault.ts": "takes the seed of support/seeded_runs.ts",
  "simulation/trace_hashes.ts": "takes its seeds from its arguments",
  "simulation/self/plan.ts": "draws the plan of a seed, which a failure names",
  "simulation/self/self_run.ts": "runs the plan of a seed, which a failure names",
  "yaml/_recorded.ts": "the texts and values whose meaning is recorded",
  "support/world.ts": "uids and delays of one scenario",
  "testing/actors/node_leases_test.ts": "uids and delays of one scenario",
  "testing/actors/start_actors_test.ts": "uids and delays of one scenario",
  "testing/actors/storage_migration_test.ts": "uids and delays of one scenario",
  "e2e/evolve_e2e.ts": "the objects of one scenario",
  "testing/evolve/assert_compatible_test.ts": "the seed is drawn by fast-check",
  "testing/samples/generator_test.ts": "the seed is drawn by fast-check, or that of one scenario",
  "testing/serve/serve_options_test.ts": "the share of a fault",
  "testing/api_server/cluster.ts": "uids",
  "testing/api_server/http/responses_test.ts": "uids in headers",
  "testing/api_server/write_test.ts": "uids beside scripted names",
  "conformance/in_process_server.ts": "uids of recorded answers",
};

const FAST_CHECK_RUN = /\bfc\.(assert|check|sample|statistics)\b/;
const NAMED_IMPORT = /import (\{[^}]*\}|\* as \w+) from "(npm:)?fast-check/;
const AMBIENT = /\bMath\.random\(/;

/** Returns what is wrong with a file. */
function problems(path: string, text: string): string[] {
  const found: string[] = [];
  if (path === HELPER || path.startsWith("checks/")) return found;
  if (FAST_CHECK_RUN.test(text)) found.push("runs fast-check itself: call assertProperty()");
  if (NAMED_IMPORT.test(text)) found.push('imports parts of fast-check: write import fc from "…"');
  if (AMBIENT.test(text)) found.push("has no seed: call fuzz() or forEachSeed()");
  if (/\bnew SeededRandom\(/.test(text) && !(path in FIXTURES)) {
    found.push("makes a SeededRandom: call fuzz() or forEachSeed(), or say why not in FIXTURES");
  }
  return found;
}

async function* sources(folder: URL): AsyncGenerator<string> {
  for await (const { name, isDirectory } of Deno.readDir(folder)) {
    const url = new URL(isDirectory ? `${name}/` : name, folder);
    if (isDirectory && name !== "node_modules") yield* sources(url);
    else if (name.endsWith(".ts")) yield url.href.slice(TESTS.href.length);
  }
}

Deno.test("every random test has a seed that can be chosen", async () => {
  const found: string[] = [];
  const seen: string[] = [];
  for await (const path of sources(TESTS)) {
    seen.push(path);
    const text = await Deno.readTextFile(new URL(path, TESTS));
    found.push(...problems(path, text).map((problem) => `tests/${path} ${problem}`));
  }
  assertEquals(found, []);
  assertEquals(Object.keys(FIXTURES).filter((path) => !seen.includes(path)), []);
});

Deno.test("problems() finds the ways around the module", () => {
  for (
    const text of [
      "fc.assert(x)",
      "await fc.check(x)",
      "fc.sample(x)",
      'import { assert } from "fast-check";',
      'import * as f from "npm:fast-check@4";',
      "const r = Math.random();",
      "new SeededRandom(1)",
    ]
  ) {
    assertEquals(problems("cache/a_test.ts", text).length, 1, text);
  }
  assertEquals(problems("cache/a_test.ts", 'import fc from "fast-check"; fc.property(a, b)'), []);
});
