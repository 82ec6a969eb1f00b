import { assert, assertEquals } from "@std/assert";
import {
  isAlreadyExists,
  isConflict,
  isExpired,
  isForbidden,
  isInternalError,
  isNotFound,
  isTimeout,
  isTooLargeResourceVersion,
  isTooManyRequests,
  type Status,
  StatusError,
} from "../../src/types/mod.ts";

const of = (status: Status) => new StatusError(status);

Deno.test("StatusError has the Status, code, method, URL and Retry-After", () => {
  const error = new StatusError(
    {
      code: 429,
      message: "slow down",
      reason: "TooManyRequests",
      details: { retryAfterSeconds: 3 },
    },
    { method: "GET", url: "https://example.test/api" },
  );
  assertEquals(
    [error.code, error.reason, error.message, error.method, error.url, error.retryAfterMs],
    [429, "TooManyRequests", "slow down", "GET", "https://example.test/api", 3000],
  );
});

Deno.test("StatusError without a message names the code", () => {
  assertEquals(of({ code: 502 }).message, "The server answered 502");
});

Deno.test("StatusError.is() recognizes errors of another copy of the package, and no other values", () => {
  const foreign = Object.assign(new Error("x"), { [Symbol.for("kubeloop.StatusError")]: true });
  assert(StatusError.is(of({})) && StatusError.is(foreign));
  for (const other of [new Error("x"), null, undefined, "x", {}]) assert(!StatusError.is(other));
});

Deno.test("the predicates check the reason, and the code if no known reason is given", () => {
  assert(isNotFound(of({ reason: "NotFound", code: 404 })));
  assert(isNotFound(of({ code: 404 })));
  assert(!isNotFound(of({ code: 404, reason: "Gone" })));
  assert(isAlreadyExists(of({ code: 409, reason: "AlreadyExists" })));
  assert(!isConflict(of({ code: 409, reason: "AlreadyExists" })));
  assert(isConflict(of({ code: 409, reason: "Conflict" })));
  assert(isForbidden(of({ code: 403 })));
  assert(isInternalError(of({ code: 500 })));
  assert(isTooManyRequests(of({ code: 429 })));
  assert(isTimeout(of({ code: 504, reason: "Timeout" })));
  assert(!isNotFound(new Error("NotFound")));
});

Deno.test("isExpired() is true for the reasons Expired and Gone", () => {
  assert(isExpired(of({ code: 410, reason: "Expired" })));
  assert(isExpired(of({ code: 410, reason: "Gone" })));
  assert(isExpired(of({ code: 410 })));
  assert(!isExpired(of({ code: 409, reason: "Conflict" })));
});

Deno.test("isTooLargeResourceVersion() recognizes the errors of three generations of servers", () => {
  const causes = [{ reason: "ResourceVersionTooLarge", message: "Too large resource version" }];
  assert(isTooLargeResourceVersion(of({ code: 504, reason: "Timeout", details: { causes } })));
  assert(isTooLargeResourceVersion(of({
    code: 504,
    reason: "Timeout",
    details: { causes: [{ message: "Too large resource version" }] },
  })));
  assert(isTooLargeResourceVersion(of({
    code: 504,
    reason: "Timeout",
    message: "Timeout: Too large resource version: 10, current: 5",
  })));
  assert(
    !isTooLargeResourceVersion(of({ code: 504, reason: "Timeout", message: "Timeout: slow" })),
  );
});
