import { assertEquals } from "@std/assert";
import { containersOf, stateOf } from "../../src/logs/container_state.ts";
import type { Cached, Pod } from "../../src/types/mod.ts";

interface Given {
  readonly policy?: string;
  readonly phase?: string;
  readonly list?: "init" | "sidecar" | "ephemeral";
  readonly restartCount?: number;
  readonly state?: Record<string, unknown>;
  readonly lastState?: Record<string, unknown>;
}

function podOf({ lastState, list, phase, policy, restartCount = 0, state }: Given): Cached<Pod> {
  const one = { name: "c", ...(list === "sidecar" ? { restartPolicy: "Always" } : {}) };
  const other = [{ name: "other" }];
  const inits = list === "init" || list === "sidecar" ? [one] : [];
  const status = state && [{ name: "c", restartCount, state, lastState }];
  const statusName = inits.length > 0
    ? "initContainerStatuses"
    : list === "ephemeral"
    ? "ephemeralContainerStatuses"
    : "containerStatuses";
  return {
    metadata: { name: "p", namespace: "n", uid: "u", resourceVersion: "1" },
    spec: {
      restartPolicy: policy,
      initContainers: inits,
      containers: list === undefined ? [one] : other,
      ephemeralContainers: list === "ephemeral" ? [one] : [],
    },
    status: { phase, ...(status && { [statusName]: status }) },
  } as unknown as Cached<Pod>;
}

const ended = (exitCode: number) => ({ terminated: { exitCode } });

Deno.test("containersOf() names all containers of a Pod", () => {
  assertEquals(containersOf(podOf({})), ["c"]);
  assertEquals(containersOf(podOf({ list: "init" })), ["c", "other"]);
  assertEquals(containersOf(podOf({ list: "ephemeral" })), ["other", "c"]);
  assertEquals(containersOf({ metadata: {} } as never), []);
});

Deno.test("stateOf() tells whether a container has run, and whether it may run again", () => {
  const facts = (given: Given) => {
    const { hasRun, isOver, isRunning } = stateOf(podOf(given), "c");
    return [hasRun && "has run", isRunning && "runs", isOver && "over"].filter(Boolean).join(", ");
  };
  const waiting = { waiting: { reason: "CrashLoopBackOff" } };
  assertEquals(facts({}), "");
  assertEquals(facts({ state: waiting }), "");
  assertEquals(facts({ state: waiting, restartCount: 2 }), "has run");
  assertEquals(facts({ state: waiting, lastState: ended(1) }), "has run");
  assertEquals(facts({ state: { running: { startedAt: "t" } } }), "has run, runs");
  assertEquals(facts({ state: ended(0) }), "has run");
  assertEquals(facts({ state: ended(0), policy: "OnFailure" }), "has run, over");
  assertEquals(facts({ state: ended(1), policy: "OnFailure" }), "has run");
  assertEquals(facts({ state: ended(1), policy: "Never" }), "has run, over");
  assertEquals(facts({ state: ended(0), list: "init" }), "has run, over");
  assertEquals(facts({ state: ended(1), list: "init" }), "has run");
  assertEquals(facts({ state: ended(0), list: "sidecar", policy: "Never" }), "has run");
  assertEquals(facts({ state: ended(1), list: "ephemeral" }), "has run, over");
  assertEquals(facts({ phase: "Failed" }), "over");
});

Deno.test("stateOf() marks each instance of a container", () => {
  const mark = (given: Given) => stateOf(podOf(given), "c").mark;
  const running = (startedAt: string) => ({ running: { startedAt } });
  const marks = [
    mark({}),
    mark({ state: running("1") }),
    mark({ state: running("2") }),
    mark({ state: running("2"), restartCount: 1 }),
    mark({ state: ended(1), restartCount: 1 }),
  ];
  assertEquals(new Set(marks).size, marks.length);
});

Deno.test("stateOf() and containersOf() read what a server must not send", () => {
  const metadata = { name: "p", namespace: "n", uid: "u", resourceVersion: "1" };
  for (const odd of [null, "text", 5, [], [null, "c", 5, { name: 5 }, {}], { length: 1e9 }]) {
    const pod = {
      metadata,
      spec: { initContainers: odd, containers: odd, ephemeralContainers: odd },
      status: { containerStatuses: odd, initContainerStatuses: odd },
    } as unknown as Cached<Pod>;
    assertEquals(containersOf(pod), []);
    assertEquals(stateOf(pod, "c").hasRun, false);
    const status = [{ name: "c", state: odd, lastState: odd, restartCount: odd }];
    const other = { metadata, spec: odd, status: { containerStatuses: status } };
    assertEquals(containersOf(other as unknown as Cached<Pod>), []);
    assertEquals(stateOf(other as unknown as Cached<Pod>, "c").isRunning, false);
  }
  const twice = { metadata, spec: { containers: [{ name: "a" }, { name: "a" }] } };
  assertEquals(containersOf(twice as unknown as Cached<Pod>), ["a"]);
});
