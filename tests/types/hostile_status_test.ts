/** A server may send anything as a Status: what has the wrong type is left out, and nothing else is lost. */

import { assertEquals } from "@std/assert";
import {
  isTooLargeResourceVersion,
  retryAfterOf,
  type Status,
  StatusError,
} from "../../src/types/mod.ts";

const ANYTHING: readonly unknown[] = [
  null,
  true,
  -1,
  1e400,
  "soon",
  [],
  {},
  { toString: 1, valueOf: 2 },
  [[[]]],
];

for (const seconds of [...ANYTHING.filter((value) => value !== "soon"), "soon", "5", -0.5]) {
  Deno.test(`a StatusError waits for no retryAfterSeconds of ${JSON.stringify(seconds)}`, () => {
    const details = { retryAfterSeconds: seconds } as Status["details"];
    const error = new StatusError({ code: 503, reason: "ServiceUnavailable", details: details! });
    assertEquals([error.retryAfterMs, retryAfterOf(error)], [undefined, 0]);
  });
}

Deno.test("a StatusError keeps a wait that is a number, and loops wait for a minute of it at most", () => {
  const error = new StatusError({ details: { retryAfterSeconds: 31_536_000 } });
  assertEquals([error.retryAfterMs, retryAfterOf(error)], [31_536_000_000, 60_000]);
  assertEquals(retryAfterOf(Object.assign(error, { retryAfterMs: NaN })), 0);
});

for (
  const field of [
    "kind",
    "apiVersion",
    "metadata",
    "status",
    "message",
    "reason",
    "details",
    "code",
  ]
) {
  Deno.test(`a StatusError says what it knows, whatever ${field} is`, () => {
    for (const value of ANYTHING) {
      const status = { message: "not now", reason: "Timeout", code: 504, [field]: value } as Status;
      const error = new StatusError(status);
      assertEquals(typeof error.message, "string");
      assertEquals(typeof error.reason, "string");
      assertEquals(typeof error.code, "number");
      assertEquals(isTooLargeResourceVersion(error), false);
      if (field !== "message") assertEquals(error.message, "not now");
    }
  });
}

for (const value of ANYTHING) {
  Deno.test(`causes of ${JSON.stringify(value)} do not hide the error`, () => {
    for (const causes of [value, [value], [{ message: value, reason: value, field: value }]]) {
      const error = new StatusError(
        { message: "no", reason: "Timeout", code: 504, details: { causes } } as unknown as Status,
      );
      assertEquals([error.message, isTooLargeResourceVersion(error)], ["no", false]);
    }
  });
}

Deno.test("the message of a StatusError is one line of bounded length", () => {
  const forged = new StatusError({ message: "no\nlevel=info msg=\x1b[2Jfine" });
  assertEquals(forged.message, "no\\nlevel=info msg=\\u001b[2Jfine");
  const long = new StatusError({ message: "x".repeat(10_000_000) });
  assertEquals(long.message.length < 5_000, true);
  assertEquals((long.status.message ?? "").length, 16_385);
});

Deno.test("a Status keeps all fields that it should have", () => {
  const status: Status = {
    kind: "Status",
    apiVersion: "v1",
    metadata: { resourceVersion: "5", continue: "token", remainingItemCount: 3 },
    status: "Failure",
    message: "no",
    reason: "Invalid",
    details: {
      name: "a",
      group: "g",
      kind: "k",
      uid: "u",
      causes: [{ reason: "r", message: "m", field: "f" }],
      retryAfterSeconds: 1,
    },
    code: 422,
  };
  assertEquals(new StatusError(status).status, status);
});
