import { assertEquals } from "@std/assert";
import { describeError, isConnectionRefused, networkFailure, toError } from "../../src/base/mod.ts";

Deno.test("describeError() joins the messages of the causes that add something", () => {
  const error = new TypeError("fetch failed", { cause: new Error("connect ECONNREFUSED") });
  assertEquals(describeError(error), "fetch failed: connect ECONNREFUSED");
  assertEquals(describeError("text"), "text");
  assertEquals(describeError(new Error("a b", { cause: new Error("b") })), "a b");
});

Deno.test("describeError() omits messages that only put more words before a cause", () => {
  const cause = new TypeError("error sending request for url (https://a/): tcp: refused (os 111)");
  const error = new Error("GET https://a/ failed: tcp: refused (os 111); is it running?", {
    cause,
  });
  assertEquals(describeError(error), error.message);
  const wrapped = new Error(error.message, { cause: new TypeError("fetch failed", { cause }) });
  assertEquals(describeError(wrapped), error.message);
});

for (
  const [message, cause, expected] of [
    ["Request 10 failed", "1", "Request 10 failed: 1"],
    ["Request 10 failed", "10", "Request 10 failed: 10"],
    ["Request 10 failed", "fail", "Request 10 failed: fail"],
    ["Request 10 failed", "failed", "Request 10 failed"],
    [
      "cannot connect: refused",
      "tcp 10.0.0.1:443: refused",
      "cannot connect: refused: tcp 10.0.0.1:443: refused",
    ],
    ["tcp: connection refused", "connect: connection refused", "tcp: connection refused"],
    ["unreachable", "reach", "unreachable: reach"],
    ["größer", "größe", "größer: größe"],
    ["a: a", "a", "a: a"],
  ] as const
) {
  Deno.test(`describeError() of ${message}, caused by ${cause}`, () => {
    assertEquals(describeError(new Error(message, { cause: new Error(cause) })), expected);
  });
}

Deno.test("describeError() has the errors that an AggregateError combines", () => {
  const errors = ["one", "two", "three", "four", "five"].map((text) => new Error(text));
  assertEquals(
    describeError(new AggregateError(errors.slice(0, 2), "all failed")),
    "all failed: one; two",
  );
  assertEquals(describeError(new AggregateError(errors)), "one; two; three; four; 1 more");
  assertEquals(describeError(new AggregateError([], "none")), "none");
  const looped = new AggregateError([], "looped");
  looped.errors = [looped, Object.create(null)];
  assertEquals(
    describeError(new Error("a", { cause: looped })),
    "a: looped: looped; (no string representation)",
  );
});

Deno.test("describeError() takes no quadratic time for long messages", () => {
  const cause = new Error(`${"a".repeat(1_000_000)}!`);
  assertEquals(describeError(new Error("a".repeat(2_000_000), { cause })).length, 3_000_003);
});

Deno.test("describeError() stops at a cycle of causes", () => {
  const error = new Error("a");
  error.cause = error;
  assertEquals(describeError(error), "a");
});

Deno.test("toError() returns errors unchanged and wraps other values", () => {
  const error = new Error("x");
  assertEquals(toError(error), error);
  assertEquals(toError("text").message, "text");
  assertEquals(toError(7).message, "Thrown value: 7");
});

Deno.test("describeError() and toError() accept values without a string representation", () => {
  const without = Object.create(null);
  assertEquals(describeError(without), "(no string representation)");
  assertEquals(toError(without).message, "Thrown value: (no string representation)");
  const unreadable = Object.defineProperty(new Error("x"), "message", {
    get() {
      throw new Error("Cannot read the message");
    },
  });
  assertEquals(describeError(unreadable), "(no string representation)");
});

for (
  const [message, failure] of [
    ["EOF", "eof"],
    ["http2: server sent GOAWAY and closed the connection", "eof"],
    ["http2: client connection lost", "eof"],
    ["read: use of closed network connection", "eof"],
    ["socket hang up", "eof"],
    ["read ECONNRESET", "reset"],
    ["connect ECONNREFUSED 127.0.0.1:1", "refused"],
    ["Client.Timeout exceeded: request timed out", "timeout"],
    ["invalid peer certificate", undefined],
    ["geofence", undefined],
  ] as const
) {
  Deno.test(`networkFailure() classifies ${JSON.stringify(message)} as ${failure}`, () => {
    assertEquals(
      networkFailure(new TypeError("fetch failed", { cause: new Error(message) })),
      failure,
    );
  });
}

Deno.test("networkFailure() ignores URLs, which may contain any word", () => {
  const inside = (message: string) => networkFailure(new TypeError(message));
  const url = "http://127.0.0.1:1/api/v1/namespaces/eof/pods?timeoutSeconds=300&watch=true";
  assertEquals(inside(`error sending request for ${url}: connection closed`), "eof");
  assertEquals(inside(`error sending request for ${url}: invalid peer certificate`), undefined);
});

Deno.test("networkFailure() recognizes the errors of the three runtimes", () => {
  const node = new TypeError("fetch failed", {
    cause: Object.assign(new Error("connect ECONNREFUSED 127.0.0.1:1"), { code: "ECONNREFUSED" }),
  });
  const deno = new TypeError("error sending request for url (http://127.0.0.1:1/)", {
    cause: new Error(
      "client error (Connect): tcp connect error: Connection refused (os error 111)",
    ),
  });
  const bun = Object.assign(
    new Error("Unable to connect. Is the computer able to access the url?"),
    {
      code: "ConnectionRefused",
    },
  );
  for (const error of [node, deno, bun]) assertEquals(isConnectionRefused(error), true);
  assertEquals(networkFailure(new TypeError("terminated")), "eof");
  assertEquals(
    networkFailure(new TypeError("error reading a body from connection: unexpected EOF")),
    "eof",
  );
  assertEquals(networkFailure(Object.assign(new Error("x"), { code: "ECONNRESET" })), "reset");
  assertEquals(networkFailure(new SyntaxError("Unexpected token")), undefined);
  assertEquals(
    networkFailure(new DOMException("The signal has been aborted", "AbortError")),
    undefined,
  );
});
