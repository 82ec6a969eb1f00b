import { assertEquals, assertThrows } from "@std/assert";
import { VirtualClock } from "@kubeloop/testing";
import { realClock } from "../../src/base/mod.ts";
import {
  type Condition,
  setStatusCondition,
  type SetStatusConditionOptions,
} from "../../src/types/mod.ts";

const clock = new VirtualClock({ wallStartMs: Date.UTC(2026, 0, 1) });
const NOW = "2026-01-01T00:00:00Z";
const OLD = "2025-01-01T00:00:00Z";

Deno.test("setStatusCondition() adds a condition and keeps the others", () => {
  const before: Condition[] = [{ type: "A", status: "True", lastTransitionTime: OLD }];
  const after = setStatusCondition(before, { type: "B", status: "False" }, { clock });
  assertEquals(after, [...before, { type: "B", status: "False", lastTransitionTime: NOW }]);
  assertEquals(before.length, 1);
});

Deno.test("setStatusCondition() changes lastTransitionTime only if the status changes", () => {
  const before: Condition[] = [{
    type: "A",
    status: "True",
    reason: "Old",
    message: "old",
    lastTransitionTime: OLD,
  }];
  assertEquals(
    setStatusCondition(before, { type: "A", status: "True", reason: "New" }, { clock }),
    [{ type: "A", status: "True", reason: "New", lastTransitionTime: OLD }],
  );
  assertEquals(
    setStatusCondition(before, { type: "A", status: "False" }, { clock }),
    [{ type: "A", status: "False", lastTransitionTime: NOW }],
  );
  const given: Condition = { type: "A", status: "True", lastTransitionTime: NOW };
  assertEquals(setStatusCondition(before, given)[0]?.lastTransitionTime, OLD);
});

Deno.test("setStatusCondition() uses the given lastTransitionTime, and accepts missing conditions", () => {
  assertEquals(
    setStatusCondition(undefined, { type: "A", status: "True", lastTransitionTime: OLD }, {
      clock,
    }),
    [{ type: "A", status: "True", lastTransitionTime: OLD }],
  );
});

Deno.test("setStatusCondition() refuses unknown options and a clock of the wrong type", () => {
  const set = (options: unknown) => () =>
    setStatusCondition([], { type: "Ready", status: "True" }, options as SetStatusConditionOptions);
  assertThrows(set({ clocks: realClock }), TypeError, 'did you mean "clock"?');
  assertThrows(set({ clock: Date }), TypeError, "clock");
  assertThrows(set(null), TypeError, "setStatusCondition() takes an object with options");
});
