import { assertEquals, assertThrows } from "@std/assert";
import { StatusError } from "../../../../mod.ts";
import {
  unlessGone,
  unlessNotFound,
  whenTerminating,
} from "../../../../src/testing/actors/control/errors.ts";

function failed(code: number, reason: string, causes: object[] = []): StatusError {
  return new StatusError({ code, reason, details: { causes } } as never);
}

const GONE = failed(404, "NotFound");
const CONFLICT = failed(409, "Conflict");

Deno.test("unlessNotFound() and unlessGone() throw every other error again", () => {
  unlessNotFound(GONE);
  unlessGone(GONE);
  unlessGone(CONFLICT);
  for (const error of [failed(500, "InternalError"), new TypeError("broken")]) {
    assertThrows(() => unlessNotFound(error));
    assertThrows(() => unlessGone(error));
  }
  assertThrows(() => unlessNotFound(CONFLICT));
});

Deno.test("whenTerminating() is true only for a namespace that is being deleted", () => {
  const causes = [{ reason: "Other" }, { reason: "NamespaceTerminating" }];
  assertEquals(whenTerminating(failed(403, "Forbidden", causes)), true);
  assertEquals(whenTerminating(failed(403, "Forbidden", [{ reason: "Other" }])), false);
  assertEquals(whenTerminating(failed(403, "Forbidden")), false);
  assertEquals(whenTerminating(failed(409, "Conflict", causes)), false);
  assertEquals(whenTerminating(new TypeError("broken")), false);
});
