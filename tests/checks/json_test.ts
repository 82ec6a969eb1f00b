/**
 * JSON from outside is parsed by `parseJson`, which keeps large integers and does not mistake one key for another. A plain
 * `JSON.parse` rounds, and teaches V8 keys that it then reads in other texts.
 */

import { assertEquals } from "@std/assert";

const SOURCES = new URL("../../src/", import.meta.url);

/** The files that call the engine's own parser, with the reason. */
const ALLOWED: Readonly<Record<string, string>> = {
  "base/parse_json.ts": "is the parser",
  "see/page/live/http_source.ts":
    "runs in a browser, and reads what the process has written for it",
  "see/page/report/report_source.ts":
    "runs in a browser, and reads what the process has written for it",
  "see/page_text.ts": "is the bundle of these",
  "testing/api_server/schema/field_tables.ts": "reads defaults that are constants of the sources",
  "testing/values/json_parser.ts": "compares what it reads with the text",
};

/** The engine's parser, also that of `Response` and `Request`. */
const PARSES = /\bJSON\s*\.\s*parse\b|\.json\(\)/;

async function* sourceFiles(folder: URL): AsyncGenerator<URL> {
  for await (const { name, isDirectory } of Deno.readDir(folder)) {
    if (isDirectory) yield* sourceFiles(new URL(`${name}/`, folder));
    else if (name.endsWith(".ts")) yield new URL(name, folder);
  }
}

/** Returns the code of a file, without the lines that are comments. */
function codeOf(text: string): string {
  return text.split("\n").filter((line) => !/^\s*(\/\/|\/?\*)/.test(line)).join("\n");
}

Deno.test("the sources parse JSON by parseJson()", async () => {
  const found: string[] = [];
  for await (const file of sourceFiles(SOURCES)) {
    if (PARSES.test(codeOf(await Deno.readTextFile(file)))) {
      found.push(file.href.slice(SOURCES.href.length));
    }
  }
  assertEquals(found.sort(), Object.keys(ALLOWED).sort(), "call parseJson() of src/base instead");
});

Deno.test("the check finds the engine's parser in code, and not in comments", () => {
  for (
    const code of [
      "JSON.parse(text)",
      "const { parse } = JSON; JSON\n  .parse",
      "await answer.json()",
    ]
  ) {
    assertEquals(PARSES.test(codeOf(code)), true, code);
  }
  for (
    const code of [" * JSON.parse(text)", "// JSON.parse", "parseJson(text)", "Response.json({})"]
  ) {
    assertEquals(PARSES.test(codeOf(code)), false, code);
  }
});
