import { assert, assertEquals } from "@std/assert";
import { TerminalError } from "../../src/base/mod.ts";
import {
  isAlreadyExists,
  isConflict,
  isExpired,
  isForbidden,
  isInternalError,
  isNotFound,
  isReplaced,
  isTimeout,
  isTooLargeResourceVersion,
  isTooManyRequests,
  retryAfterOf,
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

Deno.test("isReplaced() recognizes that the server has compared UIDs", () => {
  const invalid = (field: string) =>
    of({ code: 422, reason: "Invalid", details: { causes: [{ field }] } });
  assert(isReplaced(invalid("metadata.uid")));
  assert(!isReplaced(invalid("spec.uid")) && !isReplaced(of({ code: 422 })));
  const conflict = (message: string) => of({ code: 409, reason: "Conflict", message });
  assert(
    isReplaced(conflict("Precondition failed: UID in precondition: 1, UID in object meta: 2")),
  );
  assert(!isReplaced(conflict("the object has been modified")) && !isReplaced(new Error("uid")));
});

Deno.test("the predicates know the reason StorageReadError as the server writes it", () => {
  assert(!isInternalError(of({ code: 500, reason: "StorageReadError" })));
  assert(isInternalError(of({ code: 500, reason: "StoreReadError" })));
});

Deno.test("the predicates look into causes and AggregateErrors, where the first StatusError decides", () => {
  const conflict = of({ code: 409, reason: "Conflict" });
  const wrapped = new Error("cannot write", { cause: new Error("failed", { cause: conflict }) });
  assert(isConflict(wrapped));
  assert(isConflict(new AggregateError([new Error("other"), wrapped])));
  assert(isConflict(new Error("a", { cause: new AggregateError([wrapped]) })));
  assert(!isNotFound(wrapped));
  assert(!isConflict(new AggregateError([of({ code: 404 }), conflict])));
  assert(isNotFound(new AggregateError([of({ code: 404 }), conflict])));
  const outer = new StatusError({ code: 404 }, { cause: conflict });
  assert(isNotFound(outer) && !isConflict(outer));
  const slow = of({ code: 429, details: { retryAfterSeconds: 7 } });
  assert(isTooManyRequests(new Error("a", { cause: slow })));
  assertEquals(retryAfterOf(new Error("a", { cause: slow })), 7_000);
  const causes = [{ reason: "ResourceVersionTooLarge" }];
  assert(isTooLargeResourceVersion(new Error("a", { cause: of({ details: { causes } }) })));
});

Deno.test("the predicates end on causes that contain themselves, are endless, or throw", () => {
  const looped = new AggregateError([], "looped");
  looped.errors.push(looped);
  looped.cause = looped;
  const endless: object = {
    get cause() {
      return Object.create(endless);
    },
  };
  const throwing = {
    get cause() {
      throw new Error("no");
    },
  };
  const many = new AggregateError(Array.from({ length: 1_000_000 }, () => "x"));
  for (const error of [looped, endless, throwing, many, null, undefined, 5, "x"]) {
    assert(!isConflict(error));
    assert(!TerminalError.is(error));
  }
});

Deno.test("TerminalError.is() looks into causes and AggregateErrors", () => {
  const terminal = new TerminalError("never");
  assert(TerminalError.is(terminal));
  assert(TerminalError.is(new Error("a", { cause: terminal })));
  assert(
    TerminalError.is(new AggregateError([new Error("b"), new Error("c", { cause: terminal })])),
  );
  assert(!TerminalError.is(new Error("a")));
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
