import { assertEquals } from "@std/assert";
import { explainError, StatusError } from "../../src/types/mod.ts";

const CASES: [unknown, string][] = [
  [
    new StatusError({ code: 403, reason: "Forbidden", message: 'User "u" cannot list pods' }),
    'User "u" cannot list pods (403 Forbidden): grant the right with a Role and a RoleBinding (or a ClusterRole and a ClusterRoleBinding)',
  ],
  [
    new StatusError({ code: 403, reason: "Forbidden", message: 'User "system:anonymous" cannot' }),
    'User "system:anonymous" cannot (403 Forbidden): no credentials were sent, give a token or a client certificate',
  ],
  [
    new StatusError({ code: 404, reason: "NotFound", message: "not there", details: {} }),
    "not there (404 NotFound): is the resource's CustomResourceDefinition installed, in this version?",
  ],
  [
    new StatusError({ code: 404, reason: "NotFound", message: "no p", details: { name: "p" } }),
    "no p (404 NotFound)",
  ],
  [new StatusError({ code: 500, message: "two\n lines" }), "two lines (500)"],
  [new Error("failed", { cause: new Error("because\nof this") }), "failed: because of this"],
  ["thrown text", "thrown text"],
];

for (const [error, line] of CASES) {
  Deno.test(`explainError() returns one line: ${line.slice(0, 40)}`, () => {
    assertEquals(explainError(error), line);
  });
}

Deno.test("explainError() takes linear time for blanks and line breaks", () => {
  for (const part of [" ", "\n", "\r\n", "\t \n", "\u2028", "\u00a0"]) {
    // Minutes, if it took quadratic time.
    const message = `a${part.repeat(1_000_000)}b`;
    for (const error of [new Error(message), new StatusError({ code: 500, message }), message]) {
      explainError(error);
    }
  }
  assertEquals(explainError(new Error(`a${" \n\t".repeat(1_000_000)}b`)), "a b");
});
