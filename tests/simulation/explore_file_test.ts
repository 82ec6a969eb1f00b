import { assert, assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { fileURLToPath } from "node:url";
import { parseArguments } from "./arguments.ts";
import { exploreFile } from "./explore_file.ts";
import { testOn } from "../support/kinds_of_tests.ts";

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

testOn(
  ["deno"],
  "listens on a socket",
  "exploreFile() serves the report of a finding with --see",
  async () => {
    const stop = new AbortController();
    const answers: Promise<number>[] = [];
    const print = (line: string) => {
      const [, url] = /^Open (.*)$/.exec(line) ?? [];
      if (url === undefined) return;
      answers.push(
        fetch(url).then(async (response) => {
          await response.body?.cancel();
          stop.abort();
          return response.status;
        }),
      );
    };
    const selection = parseArguments([here("_exported.ts"), "--plans", "5", "--see"]);
    assertEquals(await exploreFile(selection, print, stop.signal), 0);
    assertEquals(await Promise.all(answers), [200]);
  },
);
