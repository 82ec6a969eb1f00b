import { assertEquals, assertThrows } from "@std/assert";
import { parseSelection } from "./selection.ts";

function selected(args: readonly string[]) {
  const { cases, clients, runs } = parseSelection(args);
  return { cases: cases.map(({ name }) => name), clients, runs };
}

Deno.test("parseSelection() selects floods and lists of the floor and kubeloop, or the named cases", () => {
  const clients = ["floor", "kubeloop", "kubeloop-objects", "kubeloop-manager-filtered"];
  const cases = ["sync", "flood", "relist", "manager-start", "manager"];
  assertEquals(selected(["--check"]), { cases, clients, runs: 5 });
  assertEquals(
    selected(["flood", "--check", "--runs", "9"]),
    { cases: ["flood"], clients, runs: 9 },
  );
  assertEquals(selected(["flood"]), { cases: ["flood"], clients: [], runs: undefined });
});

Deno.test("parseSelection() takes all cases but the long ones, and with --quick not the large ones", () => {
  const [all, quick] = [selected([]).cases, selected(["--quick"]).cases];
  assertEquals([all.includes("sync-160k"), all.includes("soak")], [true, false]);
  assertEquals([quick.includes("sync-160k"), quick.includes("flood")], [false, true]);
});

Deno.test("parseSelection() rejects unknown arguments", () => {
  for (
    const args of [["floods"], ["--runtimes", "jvm"], ["--runs", "0"], ["--encodings", "yaml"]]
  ) {
    assertThrows(() => parseSelection(args), RangeError);
  }
  for (const args of [["--soak"], ["--quick", "--check"]]) {
    assertThrows(() => parseSelection(args), TypeError);
  }
});
