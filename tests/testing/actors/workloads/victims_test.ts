import { assertEquals } from "@std/assert";
import type { Cached, Pod } from "../../../../mod.ts";
import { leastMissedFirst } from "../../../../src/testing/actors/workloads/victims.ts";

interface Facts {
  readonly node?: string;
  readonly phase?: string;
  /** The second since which the Pod is ready. */
  readonly ready?: number;
  readonly cost?: string;
  readonly restarts?: readonly number[];
  /** The second of the creation. */
  readonly created?: number;
}

function pod(name: string, facts: Facts): Cached<Pod> {
  const { node, phase = "Running", ready, cost, restarts = [], created = 0 } = facts;
  const time = (second: number) => new Date(Date.UTC(2026, 0) + 1000 * second).toISOString();
  const conditions = ready === undefined
    ? []
    : [{ type: "Ready", status: "True", lastTransitionTime: time(ready) }];
  const annotations = cost === undefined
    ? {}
    : { "controller.kubernetes.io/pod-deletion-cost": cost };
  return {
    metadata: { name, annotations, creationTimestamp: time(created) },
    spec: node === undefined ? {} : { nodeName: node },
    status: {
      phase,
      conditions,
      containerStatuses: restarts.map((restartCount) => ({ restartCount })),
    },
  } as unknown as Cached<Pod>;
}

Deno.test("leastMissedFirst() compares by one rule after the other", () => {
  const cases: readonly (readonly [first: Facts, second: Facts, ...others: Facts[]])[] = [
    [{}, { node: "n", phase: "Pending" }],
    [{ node: "n", phase: "Pending" }, { node: "n", phase: "Unknown" }],
    [{ node: "n", phase: "Unknown", ready: 1 }, { node: "n" }],
    [{ node: "n", cost: "9" }, { node: "n", ready: 9 }],
    [{ node: "n", ready: 1, cost: "-1" }, { node: "n", ready: 9 }],
    [{ node: "n", ready: 1 }, { node: "m", ready: 9, cost: "1" }, { node: "m", ready: 1 }],
    [{ node: "m", ready: 1 }, { node: "n", ready: 9 }, { node: "m", ready: 0 }],
    [{ node: "m", ready: 9 }, { node: "n", ready: 1, restarts: [5] }],
    [{ node: "n", ready: 1, restarts: [1, 5, 2] }, { node: "n", ready: 1, restarts: [4, 4] }],
    [{ node: "n", ready: 1, created: 9 }, { node: "n", ready: 1, created: 1 }],
  ];
  for (const [first, second, ...others] of cases) {
    const [a, b] = [pod("a", first), pod("b", second)];
    const rest = others.map((facts, i) => pod(`z${i}`, { ...facts, cost: "99" }));
    const text = JSON.stringify([first, second]);
    for (const pods of [[a, b, ...rest], [...rest, b, a]]) {
      const names = leastMissedFirst(pods).map(({ metadata }) => metadata.name)
        .filter((name) => name < "z");
      assertEquals(names, ["a", "b"], text);
    }
  }
});

Deno.test("leastMissedFirst() counts only ready Pods of a node, and keeps the order of equals", () => {
  const busy = [pod("x", { node: "m" }), pod("y", { node: "m" })];
  const pods = [pod("b", { node: "n", ready: 1 }), pod("a", { node: "m", ready: 1 }), ...busy];
  const names = leastMissedFirst(pods).map(({ metadata }) => metadata.name);
  assertEquals(names, ["x", "y", "b", "a"]);
});
