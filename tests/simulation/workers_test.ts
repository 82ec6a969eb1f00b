import { assert, assertEquals, assertRejects } from "@std/assert";
import { exploreInWorkers } from "@kubeloop/testing/simulation";
import { counts, right } from "./_several.ts";
import { testOn } from "../support/kinds_of_tests.ts";

const module = new URL("./_several.ts", import.meta.url);

testOn(
  ["deno"],
  "the module of the workers is TypeScript",
  "exploreInWorkers() has the result of explore()",
  async () => {
    const options = { budget: { plans: 60, findings: 3 } };
    const report = await exploreInWorkers(module, { simulation: "counts", workers: 2, ...options });
    assertEquals(JSON.stringify(report), JSON.stringify(await counts.explore(options)));
    const [finding] = report.findings;
    assertEquals([report.findings.length, report.wrong], [1, finding?.plans]);
    assert(report.wrong > 3);
  },
);

testOn(
  ["deno"],
  "the module of the workers is TypeScript",
  "exploreInWorkers() keeps to its budget of plans, and reports progress",
  async () => {
    const done: number[] = [];
    const reports = await Deno.makeTempDir();
    const report = await exploreInWorkers(module, {
      simulation: "right",
      workers: 2,
      budget: { plans: 20 },
      reports,
      onProgress: (plans) => void done.push(plans),
    });
    const names = (await Array.fromAsync(Deno.readDir(reports))).map(({ name }) => name).sort();
    await Deno.remove(reports, { recursive: true });
    assertEquals(names.map((name) => name.replace(/^.*\./, "")), ["html", "json"]);
    assertEquals([report.plans, report.ended], [20, "plans"]);
    assertEquals(done, Array.from({ length: 20 }, (_, i) => i + 1));
    const rest = await right.explore({ budget: { plans: 20 } });
    assertEquals(JSON.stringify(report), JSON.stringify(rest));
  },
);

testOn(
  ["deno"],
  "the module of the workers is TypeScript",
  "exploreInWorkers() says which simulations a module has",
  async () => {
    await assertRejects(() => exploreInWorkers(module), TypeError, "exports several simulations");
    const other = new URL("./_operators.ts", import.meta.url);
    await assertRejects(() => exploreInWorkers(other), TypeError, "must export a simulation");
    await assertRejects(
      () => exploreInWorkers(module, { simulation: "none" }),
      TypeError,
      'no simulation "none", but "',
    );
    await assertRejects(() => exploreInWorkers(module, { workers: 0 }), RangeError, "workers");
  },
);

testOn(
  ["deno"],
  "the module of the workers is TypeScript",
  "exploreInWorkers() rejects with what has failed in a worker",
  async () => {
    await assertRejects(
      () => exploreInWorkers(new URL("./_fails_in_workers.ts", import.meta.url), { workers: 2 }),
      Error,
      "A worker of the simulation failed: Error: not in a worker",
    );
  },
);

testOn(
  ["deno"],
  "the module of the workers is TypeScript",
  "exploreInWorkers() stops its workers when its signal aborts",
  async () => {
    const stop = new AbortController();
    const running = exploreInWorkers(module, {
      simulation: "right",
      workers: 2,
      signal: stop.signal,
      onProgress: () => stop.abort(new Error("enough")),
    });
    await assertRejects(() => running, Error, "enough");
  },
);
