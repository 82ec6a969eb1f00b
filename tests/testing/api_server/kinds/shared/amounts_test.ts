import { assertEquals } from "@std/assert";
import {
  addAmounts,
  isSameUsage,
  largerAmount,
  moreThan,
} from "../../../../../src/testing/api_server/kinds/shared/amounts.ts";

Deno.test("addAmounts() keeps the format of the first amount that is not zero", () => {
  const cases = [
    ["0", "1Gi", "1Gi"],
    ["1Gi", "0", "1Gi"],
    ["1Gi", "1024", "1048577Ki"],
    ["1000", "1Ki", "2024"],
    ["600m", "400m", "1"],
    ["", "3", "3"],
    ["3", "", "3"],
  ] as const;
  for (const [a, b, sum] of cases) assertEquals([a, b, addAmounts(a, b)], [a, b, sum]);
});

Deno.test("moreThan() returns the difference, and zero if there is none", () => {
  const cases = [
    ["3Gi", "1Gi", "2Gi"],
    ["1", "400m", "600m"],
    ["1", "1", "0"],
    ["1", "2", "0"],
    ["1", "", "1"],
  ] as const;
  for (const [a, b, more] of cases) assertEquals([a, b, moreThan(a, b)], [a, b, more]);
});

Deno.test("largerAmount() compares amounts, and returns the first of two equal ones", () => {
  const cases = [
    ["1Gi", "1G", "1Gi"],
    ["1G", "1Gi", "1Gi"],
    ["1", "1000m", "1"],
    ["", "2", "2"],
    ["2", "", "2"],
  ] as const;
  for (const [a, b, larger] of cases) assertEquals([a, b, largerAmount(a, b)], [a, b, larger]);
});

Deno.test("isSameUsage() compares names and amounts, not their text", () => {
  const cases = [
    [{}, {}, true],
    [{ cpu: "1" }, { cpu: "1000m" }, true],
    [{ cpu: "1", pods: "2" }, { pods: "2", cpu: "1" }, true],
    [{ cpu: "1" }, { cpu: "2" }, false],
    [{ cpu: "1" }, {}, false],
    [{ cpu: "1" }, { pods: "1" }, false],
    [{}, { pods: "0" }, false],
    [{ toString: "1" }, { pods: "1" }, false],
    [{ cpu: "?" }, { cpu: "?" }, true],
    [{ cpu: "?" }, { cpu: "!" }, false],
    [{ cpu: "?" }, { cpu: "1" }, false],
    [{ cpu: "1" }, { cpu: "?" }, false],
  ] as const;
  for (const [a, b, same] of cases) assertEquals([a, b, isSameUsage(a, b)], [a, b, same]);
});
