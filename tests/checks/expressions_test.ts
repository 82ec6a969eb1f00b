import { assertEquals } from "@std/assert";
import { expressionsIn, objection } from "./expressions.ts";

const sources = (text: string) =>
  expressionsIn("a.ts", text).map(({ source, flags }) => [source, flags]);

Deno.test("expressionsIn() finds literals and arguments of RegExp, and nothing else", () => {
  assertEquals(sources("const a = 4 / 2 / 1; // /no/\nconst b = `${/x\\/y/gi.test('/z/')}`;"), [
    ["x\\/y", "gi"],
  ]);
  assertEquals(
    sources('const A = "a+"; const B = `(${A})*`; new RegExp(`^${B}$`, "u"); RegExp("b");'),
    [["^(a+)*$", "u"], ["b", ""]],
  );
  assertEquals(sources("const f = (p: string) => new RegExp(p);"), [[undefined, ""]]);
});

for (
  const [source, flags, word] of [
    ["\\/+$", "", "polynomial"],
    ["^(a+)+$", "", "exponential"],
    ["\\s*[\\r\\n]+\\s*", "g", "polynomial"],
    ["^(?!ab)[a-z]*b*$", "", "cannot be judged"],
    ["^(a*)b\\1$", "", "cannot be judged"],
  ] as const
) {
  Deno.test(`objection() does not accept /${source}/${flags}`, () => {
    const problem = objection({ place: "a.ts:1", source, flags }) ?? "";
    assertEquals(problem.includes(word), true, problem);
  });
}

Deno.test("objection() rejects expressions that it cannot judge, and accepts linear ones", () => {
  const place = "a.ts:1";
  assertEquals(objection({ place, source: undefined, flags: "" }) === undefined, false);
  for (const source of ["^[a-z]+$", "^\\d{1,3}$", "a|b", "[\\p{Cc}]"]) {
    assertEquals(objection({ place, source, flags: "u" }), undefined);
  }
});
