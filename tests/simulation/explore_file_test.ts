import { assert, assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { fileURLToPath } from "node:url";
import { parseArguments } from "./arguments.ts";
import { exploreFile } from "./explore_file.ts";

const here = (name: string) => fileURLToPath(new URL(name, import.meta.url));

Deno.test("exploreFile() explores every simulation that a module exports", async () => {
  const lines: string[] = [];
  const selection = parseArguments([here("_exported.ts"), "--plans", "20"]);
  const code = await exploreFile(selection, (line) => void lines.push(line));
  const names = lines.map((line) => line.slice(0, line.indexOf(":")));
  assertEquals(names, ["bug (broken)", "bug (repaired)", "repaired"]);
  assertStringIncludes(lines[0]!, "two children");
  assert(lines.slice(1).every((line) => line.includes("0 wrong")), lines.join("\n"));
  assertEquals(code, 0);
});

Deno.test("exploreFile() finds the same with workers", async () => {
  const told = async (...flags: readonly string[]) => {
    const lines: string[] = [];
    const selection = parseArguments([here("_exported.ts"), "--plans", "20", ...flags]);
    const code = await exploreFile(selection, (line) => void lines.push(line));
    return { code, lines: lines.map((line) => line.replace(/ in [\d.]+ s/, "")) };
  };
  assertEquals(await told("--workers", "2"), await told());
});

Deno.test("exploreFile() says that a module has no simulation", async () => {
  const selection = parseArguments([here("arguments.ts")]);
  await assertRejects(() => exploreFile(selection), TypeError, "exports no simulation");
});
