import { assert, assertEquals, assertInstanceOf } from "@std/assert";
import { redactError } from "../../src/base/mod.ts";

const redact = (text: string) => text.replaceAll("secret", "(hidden)");

Deno.test("redactError() returns errors without credentials unchanged", () => {
  const thrown = [
    new TypeError("plain"),
    new DOMException("late", "TimeoutError"),
    5,
    undefined,
    "a",
    {},
  ];
  for (const one of thrown) assert(redactError(redact, one) === one);
});

Deno.test("redactError() hides credentials, and leaves out causes", () => {
  const error = redactError(redact, new Error("the secret", { cause: new Error("secret") }));
  assertInstanceOf(error, Error);
  assertEquals([error.message, error.cause], ["the (hidden)", undefined]);
  const late = redactError(redact, new DOMException("secret", "TimeoutError"));
  assertInstanceOf(late, DOMException);
  assertEquals([late.message, late.name], ["(hidden)", "TimeoutError"]);
  assertEquals(redactError(redact, "a secret"), "a (hidden)");
});
