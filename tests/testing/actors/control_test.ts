import { assertEquals } from "@std/assert";
import {
  isSame,
  scaledValue,
  setCondition,
  slowStart,
  templateHash,
} from "../../../src/testing/actors/control/mod.ts";

Deno.test("slowStart() acts in batches that double, and stops after a batch with a failure", async () => {
  let running = 0;
  const most: number[] = [];
  const act = async (failsAt: number) =>
    await slowStart(20, async (index) => {
      running++;
      await Promise.resolve();
      most[index] = running;
      await Promise.resolve();
      running--;
      if (index === failsAt) throw new Error(`no ${index}`);
    });
  assertEquals(await act(-1), { succeeded: 20 });
  assertEquals([most[0], most[1], most[3], most[7], most[15]], [1, 2, 4, 8, 5]);
  const { error, succeeded } = await act(4);
  assertEquals([succeeded, (error as Error).message], [6, "no 4"]);
});

Deno.test("isSame() ignores the order of fields, and fields that say nothing", () => {
  assertEquals(isSame({ a: 1, b: { c: 0 }, d: [] }, { d: undefined, a: 1 }), true);
  assertEquals(isSame({ a: [1, 2] }, { a: [2, 1] }), false);
  assertEquals(isSame({ a: 1, b: 2 }, { b: 2, a: 1 }), true);
});

Deno.test("scaledValue() rounds percentages as asked", () => {
  const values = ["25%", "100%", "0%", 3, undefined]
    .map((value) => [scaledValue(value, 10, { up: true }), scaledValue(value, 10, { up: false })]);
  assertEquals(values, [[3, 2], [10, 10], [0, 0], [3, 3], [0, 0]]);
});

Deno.test("setCondition() changes lastTransitionTime only with the status", () => {
  const at = (status: "True" | "False", reason: string, lastTransitionTime: string) => ({
    type: "Ready",
    status,
    reason,
    lastTransitionTime,
  });
  const first = [at("True", "a", "1")];
  assertEquals(setCondition(first, at("True", "a", "2")), first);
  assertEquals(setCondition(first, at("True", "b", "2")), [at("True", "b", "1")]);
  assertEquals(setCondition(first, at("False", "b", "2")), [at("False", "b", "2")]);
});

Deno.test("templateHash() is the same for equal templates, and another one after a collision", () => {
  const hash = templateHash({ spec: { containers: [{ name: "a" }] } });
  assertEquals(templateHash({ spec: { containers: [{ name: "a" }], volumes: [] } }), hash);
  const others = [templateHash({ spec: { containers: [{ name: "b" }] } }), templateHash({}, 1)];
  assertEquals(new Set([hash, templateHash({}), ...others]).size, 4);
});
