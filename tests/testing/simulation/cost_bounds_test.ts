/** The bounds of a cost, and its table. */

import {
  assertCost,
  Cost,
  type CostBounds,
  type CostPart,
  type MeasuredCost,
  type PhaseCost,
} from "@kubeloop/testing/simulation";
import { assertEquals, assertStringIncludes, assertThrows } from "@std/assert";

const nothing: MeasuredCost = {
  counts: [0, 0, 0],
  order: "O(1)",
  terms: [],
  formula: "0",
  parts: [],
};

const gets: CostPart = {
  what: "get pods",
  counts: [2, 8, 32],
  order: "O(n)",
  terms: [{ of: "n", factor: 1 }],
  formula: "n",
  cause: "each reconcile sends it once",
  line: "/app/operator.ts:1:2",
  handler: "/app/operator.ts:3:4",
};
const watches: CostPart = {
  what: "watch pods",
  counts: [7, 7, 7],
  order: "O(1)",
  terms: [{ of: "1", factor: 7 }],
  formula: "7",
  cause: "a watch is opened again when it ends",
};

const quiet: PhaseCost = {
  requests: { ...gets, counts: [9, 15, 39], formula: "7 + n", parts: [gets, watches] },
  writes: nothing,
  sent: nothing,
  received: { ...gets, parts: [gets] },
  reconciles: nothing,
  cache: { ...gets, parts: [{ ...gets, what: "pods" }] },
};

const cost = new Cost({ simulation: "pods", sizes: [2, 8, 32], phases: { quiet } });

Deno.test("assertCost() names the phase, the measure, the orders, the counts, the cause and the lines", () => {
  const { message } = assertThrows(() => assertCost(cost, { quiet: { requests: "O(1)" } }), Error);
  assertEquals(
    message,
    [
      "The cost of pods is above its bounds.",
      "quiet requests: O(n) instead of O(1): 9, 15, 39 for 2, 8, 32 objects",
      "  get pods: 2, 8, 32 (n)",
      "    Cause: each reconcile sends it once",
      "    Line: /app/operator.ts:1:2",
      "    Handler: /app/operator.ts:3:4",
    ].join("\n"),
  );
});

Deno.test("assertCost() with a number limits the counts of all sizes", () => {
  assertCost(cost, { quiet: { requests: 39, writes: 0 } });
  const { message } = assertThrows(() => assertCost(cost, { quiet: { requests: 38 } }), Error);
  assertStringIncludes(message, "quiet requests: more than 38: 9, 15, 39 for 2, 8, 32 objects");
  assertStringIncludes(message, "watch pods: 7, 7, 7 (7)");
});

Deno.test("assertCost() with one bound for a phase does not bound its cache, and shows a cause once", () => {
  assertCost(cost, { quiet: "O(n)" });
  const { message } = assertThrows(() => assertCost(cost, { quiet: "O(1)" }), Error);
  assertEquals(message.split("Cause:").length, 2);
  assertEquals(/^quiet (\w+): O\(n\)/gm[Symbol.match](message)?.length, 2);
  assertThrows(() => assertCost(cost, { quiet: { cache: "O(1)" } }), Error, "quiet cache");
});

Deno.test("assertCost() refuses bounds that bound nothing", () => {
  const refuse = (bounds: unknown, message: string) =>
    assertThrows(() => assertCost(cost, bounds as CostBounds), TypeError, message);
  refuse({ shared: "O(1)" }, 'The cost has no phase "shared", but quiet');
  refuse(
    { quiet: { request: 1 } },
    'The phase quiet has no measure "request", but requests, writes',
  );
  refuse(
    { quiet: "O(2)" },
    'must be a number or one of O(1), O(n), O(n log n), O(n²): received "O(2)"',
  );
  refuse({ quiet: { requests: -1 } }, "received -1");
  refuse({ quiet: { requests: NaN } }, "must be a number");
});

Deno.test("a cost is a table with the causes of what grows, and data", () => {
  assertEquals(
    String(cost),
    [
      "pods: cost of 2, 8, 32 objects",
      "",
      "phase  measure   n = 2  n = 8  n = 32  order  formula",
      "quiet  requests      9     15      39  O(n)   7 + n",
      "quiet  received      2      8      32  O(n)   n",
      "quiet  cache         2      8      32  O(n)   n",
      "",
      "quiet: requests O(n)",
      "  get pods: 2, 8, 32 (n)",
      "    Cause: each reconcile sends it once",
      "    Line: /app/operator.ts:1:2",
      "    Handler: /app/operator.ts:3:4",
      "",
      "quiet: received O(n)",
      "  get pods: 2, 8, 32 (n)",
      "    Cause: each reconcile sends it once",
      "    Line: /app/operator.ts:1:2",
      "    Handler: /app/operator.ts:3:4",
    ].join("\n"),
  );
  assertEquals(JSON.parse(JSON.stringify(cost)), {
    simulation: "pods",
    sizes: [2, 8, 32],
    phases: { quiet: JSON.parse(JSON.stringify(quiet)) },
  });
});
