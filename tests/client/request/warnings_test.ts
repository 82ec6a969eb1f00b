import { assertEquals } from "@std/assert";
import { parseWarnings } from "../../../src/client/mod.ts";
import {
  handleWarnings,
  onceEach,
  type WarningHandler,
} from "../../../src/client/request/warnings.ts";

const CASES: [string, string[]][] = [
  ['299 - "one"', ["one"]],
  ['299 - "one", 299 kube "two"', ["one", "two"]],
  ['299 - "one","299 - two"', ["one"]],
  ['299 - "a \\"quoted\\" word, and a comma"', ['a "quoted" word, and a comma']],
  ['299 - "dated" "Fri, 20 Nov 2026 12:54:40 GMT", 299 - "next"', ["dated", "next"]],
  ['garbage, 299 - "after"', ["after"]],
  ['29 - "short code", 299 - "after"', ["after"]],
  ['299 - "never closed', []],
  ['299 - "=?UTF-8?Q?Gr=C3=BC=C3=9Fe_an_alle?="', ["Grüße an alle"]],
  ['299 - "=?utf-8?b?R3LDvMOfZQ==?="', ["Grüße"]],
  ['299 - "=?nonsense?q?a?="', ["=?nonsense?q?a?="]],
  ['299 - "bell\u0007"', []],
  ['299 - ""', [""]],
  ["", []],
];

for (const [header, texts] of CASES) {
  Deno.test(`parseWarnings() returns ${JSON.stringify(texts)} in ${JSON.stringify(header)}`, () => {
    assertEquals(parseWarnings(header).map((warning) => warning.text), texts);
  });
}

const same = (text: string) => text;

Deno.test("handleWarnings() passes on each warning with code 299 and a text", () => {
  const seen: string[] = [];
  const handler: WarningHandler = ({ text }) => void seen.push(text);
  for (let i = 0; i < 2; i++) handleWarnings('299 - "a", 199 - "b", 299 - ""', same, handler);
  assertEquals(seen, ["a", "a"]);
});

Deno.test("handleWarnings() redacts and cuts the agent and the text", () => {
  const long = (length: number) => {
    let seen: [agent: string, text: string] | undefined;
    handleWarnings(
      `299 ${"a".repeat(length)} "${"t".repeat(length)}"`,
      (text) => text.replace(/^../, "**"),
      ({ agent, text }) => seen = [agent, text],
    );
    return seen?.map((one) => [one.slice(0, 3), one.slice(4_094)]);
  };
  assertEquals(long(4_096), [["**a", "aa"], ["**t", "tt"]]);
  const more = "… (1 more characters)";
  assertEquals(long(4_097), [["**a", `aa${more}`], ["**t", `tt${more}`]]);
});

Deno.test("onceEach() passes on each text once, and remembers the last thousand texts", () => {
  const seen: string[] = [];
  const handler = onceEach(({ text }) => void seen.push(text));
  for (let i = 0; i <= 1000; i++) handleWarnings(`299 - "w${i}"`, same, handler);
  handleWarnings('299 - "w1000"', same, handler);
  handleWarnings('299 - "w0"', same, handler);
  assertEquals(seen.length, 1002);
  assertEquals(seen.at(-1), "w0");
});
