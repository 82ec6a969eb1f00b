import { assert, assertEquals, assertNotEquals } from "@std/assert";
import { forEachSeed } from "../support/seeded_runs.ts";
import { fullScenario } from "./full_scenario.ts";

Deno.test("the full scenario has one trace for one seed, whatever else draws numbers, and another for another seed", async () => {
  await forEachSeed(1, async (random) => {
    const { hash, lines, writes } = await fullScenario(random, true);
    for (let i = 0; i < 10; i++) random.next();
    assertEquals((await fullScenario(random)).hash, hash);
    assert(lines.length > 300, `${lines.length} lines`);
    assert(writes > 60, `${writes} writes`);
    assertNotEquals((await fullScenario(random.fork("another"))).hash, hash);
  });
});

Deno.test("the full scenario has a part in everything in which runtimes could differ", async () => {
  const parts: Readonly<Record<string, RegExp>> = {
    "a failure": / 50[03] @/,
    "a dropped connection": /failed: TypeError/,
    "a broken watch": /broke: TypeError/,
    "a history that is gone": /"code":410/,
    "a Pod that crashes": /"restartCount":[1-9]/,
    "garbage collection": /kube-controller-manager DELETE .*pods/,
    "a binding": /kube-scheduler POST .*binding 201/,
    "a finalizer": /"finalizers":\["example.dev\/farewell"\]/,
    "a node that is lost": /node\.kubernetes\.io\/unreachable/,
    "a generated name": /"name":"farewell-/,
  };
  const missing = new Set(Object.keys(parts));
  await forEachSeed(30, async (random) => {
    if (missing.size === 0) return;
    const text = (await fullScenario(random, true)).lines.join("\n");
    for (const [name, pattern] of Object.entries(parts)) {
      if (pattern.test(text)) missing.delete(name);
    }
  });
  assertEquals([...missing], []);
});
