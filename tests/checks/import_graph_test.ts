import { assertEquals, assertStringIncludes } from "@std/assert";
import { ROOT, run } from "../package/_tools.ts";
import { differences, loadedSources, reachedFrom, readKept } from "./import_graph.ts";

Deno.test("Each entry point loads as much as is expected of it, and nothing of Node", async () => {
  const { loaded, builtins } = await loadedSources();
  assertEquals(differences(loaded, (await readKept()).sources), [], "see import_graph.ts");
  assertEquals(builtins, []);
});

Deno.test("The benchmark of the import starts in a process that has not loaded the library", async () => {
  const loaded = [...(await reachedFrom(`${ROOT}tests/bench/measure.ts`)).keys()];
  assertEquals(loaded.filter((name) => name.includes(`${ROOT}src/`)), []);
});

Deno.test("differences() names entry points that load more, load less, or are new", () => {
  const kept = { a: { modules: 100, bytes: 1000 }, b: { modules: 10, bytes: 1000 } };
  assertEquals(differences({ ...kept, a: { modules: 105, bytes: 950 } }, kept), []);
  for (const changed of [{ modules: 106, bytes: 1000 }, { modules: 100, bytes: 940 }]) {
    assertEquals(differences({ ...kept, a: changed }, kept).length, 1);
  }
  const [missing = "", added = ""] = differences({ a: kept.a, c: kept.b }, kept).sort();
  assertStringIncludes(missing, "b loads nothing");
  assertStringIncludes(added, "expected nothing");
});

Deno.test("The library is loaded without reading globalThis.process, which takes Deno 10 ms", async () => {
  const script = `
    Object.defineProperty(globalThis, "process", {
      get: () => { throw new Error("process was read"); },
    });
    await import(${JSON.stringify(new URL("mod.ts", `file://${ROOT}`).href)});
    console.log("loaded");
  `;
  const file = await Deno.makeTempFile({ suffix: ".ts" });
  try {
    await Deno.writeTextFile(file, script);
    const output = await run(
      [Deno.execPath(), "run", "--no-check", "--allow-import", "--config", "deno.json", file],
      { cwd: ROOT },
    );
    assertEquals(output.trim(), "loaded");
  } finally {
    await Deno.remove(file);
  }
});
