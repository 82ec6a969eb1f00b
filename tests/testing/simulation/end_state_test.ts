import { assertEquals, assertThrows } from "@std/assert";
import type { KubeObject } from "../../../mod.ts";
import {
  type EndObject,
  endState,
  FOREIGN_MARK,
  isCompared,
} from "../../../src/testing/simulation/record/mod.ts";
import {
  describeChange,
  describeFields,
  describeState,
  shortValue,
  valueAt,
} from "../../../src/testing/simulation/report/mod.ts";
import {
  describeFault,
  type PlanFault,
  readPlan,
} from "../../../src/testing/simulation/plans/mod.ts";
import {
  compareStates,
  describeDifference,
  seriousDifferences,
} from "../../../src/testing/simulation/judge/mod.ts";

const UID = "11111111-1111-4111-8111-111111111111";
const OTHER_UID = "22222222-2222-4222-8222-222222222222";

function end(name: string, rest: object = {}, resource = "things"): EndObject {
  const { metadata, ...fields } = rest as { metadata?: object };
  const object = { metadata: { name, namespace: "default", ...metadata }, ...fields };
  return { resource, object: object as unknown as KubeObject };
}

/** Returns the end state of one object. */
function stateOf(rest: object, resource?: string): unknown {
  return [...endState([end("a", rest, resource)], undefined).values()][0];
}

Deno.test("endState() leaves out what differs between two correct runs", () => {
  const metadata = {
    uid: UID,
    resourceVersion: "7",
    creationTimestamp: "2026-01-01T00:00:00Z",
    managedFields: [],
    generation: 3,
    selfLink: "/x",
    deletionGracePeriodSeconds: 0,
    labels: { app: "a", [FOREIGN_MARK]: "" },
    annotations: { [FOREIGN_MARK]: "" },
    finalizers: [FOREIGN_MARK],
  };
  assertEquals(
    stateOf({
      metadata,
      spec: { at: "2026-01-01T00:00:00.5Z", self: UID, list: [], nothing: null },
      status: { observedGeneration: 3, empty: {}, list: [], none: null },
    }),
    {
      metadata: { name: "a", namespace: "default", labels: { app: "a" } },
      spec: { at: "TIME", list: [], nothing: null, self: "UID of things default/a" },
      status: { observedGeneration: "the current generation" },
    },
  );
  assertEquals(stateOf({ metadata: { generation: 3 }, status: { observedGeneration: 2 } }), {
    metadata: { name: "a", namespace: "default" },
    status: { observedGeneration: "an old one" },
  });
  assertEquals(stateOf({ status: { list: [] } }), {
    metadata: { name: "a", namespace: "default" },
  });
  const long = `it is ${UID}, not ${OTHER_UID}, since 2026-01-01T00:00:00Z`;
  assertEquals(stateOf({ metadata: { uid: UID }, spec: { long } }), {
    metadata: { name: "a", namespace: "default" },
    spec: { long: "it is UID of things default/a, not UID of nothing, since TIME" },
  });
});

Deno.test("endState() has sets and the lists of a status in an order of their own", () => {
  const owner = (name: string) => ({ name });
  assertEquals(
    stateOf({
      metadata: { finalizers: ["b", FOREIGN_MARK, "a"], ownerReferences: [owner("y"), owner("x")] },
      spec: { list: ["b", "a"] },
      status: { conditions: [{ type: "B" }, { type: "A" }], list: ["b", "a"] },
    }),
    {
      metadata: {
        name: "a",
        namespace: "default",
        finalizers: ["a", "b"],
        ownerReferences: [owner("x"), owner("y")],
      },
      spec: { list: ["b", "a"] },
      status: { conditions: [{ type: "A" }, { type: "B" }], list: ["a", "b"] },
    },
  );
});

Deno.test("endState() compares no place and no restarts of Pods, and no Leases and Events", () => {
  const rest = { spec: { nodeName: "n", other: 1 }, status: { podIP: "1", restartCount: 2 } };
  const metadata = { name: "a", namespace: "default" };
  assertEquals(stateOf(rest, "pods"), { metadata, spec: { other: 1 } });
  assertEquals(stateOf(rest), { metadata, ...rest });
  assertEquals(["leases.coordination.k8s.io", "events", "pods"].map(isCompared), [
    false,
    false,
    true,
  ]);
  assertEquals(endState([end("a", {}, "events")], undefined).size, 0);
});

Deno.test("endState() numbers generated names by what the objects are, not by when they came", () => {
  const generated = (name: string, size: number) =>
    end(name, { metadata: { generateName: "a-" }, spec: { size, self: name } });
  const one = endState([generated("a-x", 2), generated("a-y", 1)], undefined);
  const two = endState([generated("a-p", 1), generated("a-q", 2)], undefined);
  assertEquals([...one.keys()], ["things default/a-*1", "things default/a-*2"]);
  assertEquals(one, two);
  assertEquals((one.get("things default/a-*1") as { spec: unknown }).spec, {
    self: "a-*1",
    size: 1,
  });
  const renamed = end("other", { metadata: { generateName: "a-" } });
  assertEquals([...endState([renamed], undefined).keys()], ["things default/other"]);
  const anonymous = endState([end("x"), end("y")], undefined, new Set(["things"]));
  assertEquals([...anonymous.keys()], ["things default/*1", "things default/*2"]);
});

Deno.test("endState() lets the mask change objects and leave them out", () => {
  const mask = (object: KubeObject) =>
    object.metadata.name === "b" ? undefined : { metadata: { name: "masked" } };
  assertEquals([...endState([end("a"), end("b")], mask)], [
    ["things default/a", { metadata: { name: "masked" } }],
  ]);
});

Deno.test("endState() shows the external world without its ids and without order", () => {
  const cloud = (ids: string[], state: unknown) =>
    endState([end("a", { spec: { id: "i-1", gone: "i-9" } })], undefined, new Set(), {
      ids: new Set(ids),
      numbers: new Set(["7", "8"]),
      state,
    });
  const first = cloud(["i-1", "i-2", "i-9"], { disks: { "i-1": [2, 1], "i-2": [3] } });
  const second = cloud(["i-1", "i-2", "i-9"], { disks: { "i-2": [1, 2], "i-1": [3] } });
  assertEquals(first.get("cloud"), second.get("cloud"));
  assertEquals(Object.keys((first.get("cloud") as { disks: object }).disks), [
    "an id of what is in the external world",
    "an id of what is in the external world 2",
  ]);
  assertEquals((first.get("things default/a") as { spec: unknown }).spec, {
    gone: "an id of nothing in the external world",
    id: "an id of what is in the external world",
  });
});

Deno.test("endState() takes numbers for ids where a name says so", () => {
  const of = (diskId: unknown, cloudId: number) => {
    const cloud = {
      ids: new Set<string>(),
      numbers: new Set(["7", "8", "9"]),
      state: { [cloudId]: { id: cloudId, size: 7 } },
    };
    const state = endState([end("a", { spec: { diskId, count: 7 } })], undefined, new Set(), cloud);
    return [(state.get("things default/a") as { spec: unknown }).spec, state.get("cloud")];
  };
  const there = "an id of what is in the external world";
  assertEquals(of(7, 7), [{ count: 7, diskId: there }, { [there]: { id: there, size: 7 } }]);
  assertEquals(of(8, 8), of("7", 7));
  assertEquals(of(9, 8)[0], { count: 7, diskId: "an id of nothing in the external world" });
  assertEquals(of(10, 8)[0], { count: 7, diskId: 10 });
});

Deno.test("compareStates() finds each field that differs, and objects that are missing or too many", () => {
  const differences = (expected: unknown, actual: unknown) =>
    compareStates(new Map([["a", expected]]), new Map([["a", actual]]))
      .map(({ field, expected: e, actual: a }) => `${field} ${JSON.stringify([e, a])}`);
  assertEquals(differences({ x: { y: 1, z: 2 } }, { x: { y: 1, z: 3 } }), ["x.z [2,3]"]);
  assertEquals(differences({ x: 1 }, { y: 1 }), ["x [1,null]", "y [null,1]"]);
  assertEquals(differences({ x: [1, 2] }, { x: [1, 3] }), ["x[1] [2,3]"]);
  assertEquals(differences({ x: [1, 1, 2] }, { x: [1, 3] }), [
    "x[] [1,null]",
    "x[] [2,null]",
    "x[] [null,3]",
  ]);
  assertEquals(differences({ x: [1] }, { x: { 0: 1 } }).length, 1);
  assertEquals(differences({ x: { a: 1 } }, { x: { a: 1 } }), []);
  const [missing, extra] = compareStates(new Map([["a", 1]]), new Map([["b", 1]]));
  assertEquals([describeDifference(missing!), describeDifference(extra!)], [
    "a is missing",
    "b exists, and should not",
  ]);
  const said = (field: string, expected: unknown, actual: unknown) =>
    describeDifference({ object: "a", field, expected, actual });
  assertEquals(said("x", 1, undefined), "a: x should be 1 and is absent");
  assertEquals(said("", 1, 2), "a should be 1 and is 2");
  assertEquals(said("x", "y".repeat(118), 1), `a: x should be "${"y".repeat(118)}" and is 1`);
  assertEquals(said("x", "y".repeat(119), 1), `a: x should be "${"y".repeat(118)}… and is 1`);
});

Deno.test("seriousDifferences() leaves out what chance, counters and detours explain", () => {
  const serious = (
    field: string,
    [expected, actual]: readonly [unknown, unknown],
    { object = "things default/a", isOtherWay = false, isDetour = false, tolerated = [] }: {
      object?: string;
      isOtherWay?: boolean;
      isDetour?: boolean;
      tolerated?: string[];
    } = {},
  ) =>
    seriousDifferences([{ object, field, expected, actual }], new Map(), {
      tolerated: new Set(tolerated),
      isOtherWay,
      isDetour,
      otherWays: [],
    }).length === 1;
  assertEquals(serious("status.phase", [1, 2]), true);
  const tolerated = ["things default/a status.phase"];
  assertEquals(serious("status.phase", [1, 2], { tolerated }), false);
  for (const name of ["retryCount", "failures", "attempts", "restarts", "errors"]) {
    assertEquals(serious(`status.${name}`, [1, 2]), false, name);
  }
  assertEquals(serious("status.failures", [1, undefined]), true);
  assertEquals(serious("status.failures", [undefined, 1]), true);
  assertEquals(serious("spec.failures", [1, 2]), true);
  assertEquals(serious("statuses.failures", [1, 2]), true);
  const otherWay = { isOtherWay: true };
  const detour = { isDetour: true };
  assertEquals([serious("status.x", [1, 2], otherWay), serious("status.x", [1, 2], detour)], [
    false,
    true,
  ]);
  for (const way of [otherWay, detour]) {
    assertEquals(serious("spec.storage", ["5Gi", "6Gi"], way), false);
    assertEquals(serious("spec.storage", ["6Gi", "5Gi"], way), true);
    assertEquals(serious("spec.storage", ["5Gi", "5Gi"], way), true);
    assertEquals(serious("spec.storage", ["5Gi", "6Mi"], way), true);
    assertEquals(serious("spec.storage", [5, 6], way), false);
    assertEquals(serious("spec.size", [5, 6], way), true);
    assertEquals(serious("spec.size", ["5Gi", "6Gi"], way), false);
    assertEquals(serious("spec.disk.replicas", [5, 6], way), true);
    assertEquals(serious("spec.volume", ["a", "b"], way), true);
    assertEquals(serious("spec.volume", [1, "b"], way), true);
    assertEquals(serious("spec.volume", ["a", 1], way), true);
    assertEquals(serious("spec.volume", [undefined, 1], way), true);
    assertEquals(serious("spec.volume", [1, undefined], way), true);
    const object = "persistentvolumeclaims default/a";
    assertEquals(serious("", [undefined, {}], { ...way, object }), false);
  }
  assertEquals(serious("spec.storage", ["5Gi", "6Gi"]), true);
  assertEquals(serious("", [undefined, {}], { object: "persistentvolumeclaims default/a" }), true);
});

Deno.test("seriousDifferences() leaves out a status that is as on another way", () => {
  const status = (seen: unknown, spec = 1) =>
    new Map([["a", { spec, status: { seen, all: [1] } }]]);
  const expected = status("old");
  const tolerance = { tolerated: new Set<string>(), isOtherWay: false, isDetour: false };
  const serious = (actual: ReturnType<typeof status>, ...ways: ReturnType<typeof status>[]) =>
    seriousDifferences(compareStates(expected, actual), actual, { ...tolerance, otherWays: ways })
      .map(({ field }) => field);
  assertEquals(serious(status("new")), ["status.seen"]);
  assertEquals(serious(status("new"), status("new")), []);
  assertEquals(serious(status("new"), status("third")), ["status.seen"]);
  assertEquals(serious(status("new"), status("third"), status("new")), []);
  const two = (abc: unknown, xyz = 1) => new Map([["a", { status: { abc, xyz } }]]);
  const parts = seriousDifferences(compareStates(two([1]), two([2])), two([2]), {
    ...tolerance,
    otherWays: [two([2], 2)],
  });
  assertEquals(parts, []);
  const apart = seriousDifferences(compareStates(two([1]), two([2])), two([2]), {
    ...tolerance,
    otherWays: [two([2], 1), two([1], 2)],
  });
  assertEquals(apart, []);
  const never = seriousDifferences(compareStates(two([1]), two([2])), two([2]), {
    ...tolerance,
    otherWays: [two([3], 1)],
  });
  assertEquals(never.map(({ field }) => field), ["status.abc[0]"]);
  // A field is not a part of one whose name begins like it.
  const like = (ab: number, abc: number) => new Map([["a", { status: { ab, abc } }]]);
  const alike = seriousDifferences(compareStates(like(1, 1), like(2, 1)), like(2, 1), {
    ...tolerance,
    otherWays: [like(2, 3)],
  });
  assertEquals(alike, []);
  // An object that is not there on the other way differs in all of its parts.
  assertEquals(serious(status("new"), new Map()), ["status.seen"]);
  // A difference outside of the status is an error in every case.
  assertEquals(serious(status("old", 2), status("old", 2)), ["spec"]);
  // A part of a field that differs there, too.
  assertEquals(serious(status({ x: 1 }), status({ x: 2 })), ["status.seen"]);
});

Deno.test("describeChange() and describeState() tell what a person wants to know, shortly", () => {
  const object = (rest: object): KubeObject =>
    ({ metadata: { name: "a" }, ...rest }) as unknown as KubeObject;
  const change = (before: object, after: object) => describeChange(object(before), object(after));
  assertEquals(change({ spec: { size: 3 } }, { spec: { size: 1 } }), "spec.size: 3 → 1");
  assertEquals(change({}, { spec: 1 }), "adds spec: 1");
  assertEquals(change({ spec: 1 }, {}), "drops spec: 1");
  const meta = (rest: object) => ({ metadata: { name: "a", ...rest } });
  assertEquals(
    change(meta({ resourceVersion: "1", generation: 1 }), meta({ resourceVersion: "2" })),
    "no change but of its version",
  );
  assertEquals(
    change(meta({ finalizers: ["a", "b"] }), meta({ finalizers: ["a", "c"] })),
    'metadata.finalizers: ["a","b"] → ["a","c"]',
  );
  assertEquals(
    change({ a: 1, b: 1, c: 1 }, { a: 2, b: 2, c: 2 }),
    "a: 1 → 2, b: 1 → 2, c: 1 → 2",
  );
  assertEquals(
    change({ a: 1, b: 1, c: 1, d: 1, e: 1 }, { a: 2, b: 2, c: 2, d: 2, e: 2 }),
    "a: 1 → 2, b: 1 → 2, c: 1 → 2 and 2 more",
  );
  // The text of a list of another length has all items that the list has got or lost.
  const long = Array.from({ length: 12 }, (_, i) => i);
  assertEquals(
    [
      change({ a: [{ x: 1 }, { x: 2 }, { x: 3 }] }, { a: [{ x: 4 }] }),
      change({ a: [1] }, { a: [1, 2, 3], b: 1 }),
      change({ a: [] }, { a: long }),
    ],
    [
      'drops a[]: {"x":1}, {"x":2}, {"x":3}, adds a[]: {"x":4}',
      "adds a[]: 2, 3, adds b: 1",
      "adds a[]: 0, 1, 2, 3, 4, 5, 6, 7, 8, 9 and 2 more",
    ],
  );
  const state = (one: object, other?: object) => describeState(object(one), other && object(other));
  assertEquals(state({ spec: { size: 1 } }), "spec.size: 1");
  assertEquals(state({ spec: { size: 1 } }, { spec: { size: 1 } }), "");
  assertEquals(state({ spec: { size: 1 } }, { spec: { size: 2 } }), "spec.size: 1");
  assertEquals(state({}, { spec: 2 }), "no spec");
  assertEquals(
    describeFields(
      object({
        ...meta({ deletionTimestamp: "x", finalizers: ["f"], labels: { a: "b" } }),
        data: 1,
      }),
    ),
    'being deleted: true, finalizers: ["f"], data: 1',
  );
});

Deno.test("shortValue() has at most 60 characters", () => {
  assertEquals([shortValue(undefined), shortValue("a")], ["absent", '"a"']);
  assertEquals(shortValue("x".repeat(58)), `"${"x".repeat(58)}"`);
  assertEquals(shortValue("x".repeat(59)), `"${"x".repeat(58)}…`);
});

Deno.test("valueAt() finds fields whose names have dots, and items of lists", () => {
  const value = { labels: { "a.b/c": 1, a: { d: 2 } }, list: [{ x: [3, 4] }], ab: 5 };
  for (
    const [field, expected] of [
      ["labels.a.b/c", 1],
      ["labels.a.d", 2],
      ["list[0].x[1]", 4],
      ["list[0]", { x: [3, 4] }],
      ["list[1]", undefined],
      ["list.x", undefined],
      ["ab", 5],
      ["ab.c", undefined],
      ["none", undefined],
      ["", value],
    ] as const
  ) assertEquals(valueAt(value, field), expected, field);
});

Deno.test("readPlan() refuses text that is not a plan", () => {
  const plan = { seed: 1, faults: [{ fault: "late" }] } as const;
  assertEquals([readPlan(plan), readPlan(JSON.stringify(plan))], [plan, plan]);
  for (
    const [text, message] of [
      ["{", "A plan must be JSON"],
      ["null", "A plan needs a seed"],
      ['{"seed":1.5,"faults":[]}', "A plan needs a seed"],
      ['{"seed":1}', "A plan needs an array of faults"],
      ['{"seed":1,"faults":{}}', "A plan needs an array of faults"],
      [
        '{"seed":1,"faults":[{"fault":"late"},{"fault":"x"}]}',
        'Unknown fault in a plan: {"fault":"x"}',
      ],
      ['{"seed":1,"faults":[null]}', "Unknown fault in a plan: null"],
    ] as const
  ) assertThrows(() => readPlan(text), SyntaxError, message);
});

Deno.test("describeFault() has words for every fault", () => {
  const write = "w #1";
  const cases: readonly (readonly [PlanFault, string])[] = [
    [{ fault: "crash", when: "before", write }, "the process is killed before it sends [w #1]"],
    [
      { fault: "crash", when: "after", write },
      "the process is killed after the server has carried out [w #1]",
    ],
    [{ fault: "lose", write }, "[w #1] is carried out, but its answer is lost"],
    [{ fault: "answer", code: 409, write }, "[w #1] is answered with 409"],
    [
      { fault: "edit", edit: "label", write },
      "another client adds a label just before [w #1]",
    ],
    [
      { fault: "hold", process: "p", scope: "watch", event: "e", forMs: 1500 },
      "one watch of p is 1.5 s late from [e] on",
    ],
    [
      { fault: "hold", process: "p", scope: "kind", event: "e", forMs: 1000 },
      "every watch of the kind of p is 1 s late from [e] on",
    ],
    [{ fault: "coalesce", process: "p", event: "e" }, "p never sees the state of [e]"],
    [
      { fault: "restart", process: "p", step: 0 },
      "p is killed and started again after step 1",
    ],
    [
      { fault: "stale", process: "p", step: 1, at: "e", forMs: 1000 },
      "p is killed after step 2 and started again on a replica that stands at [e] for 1 s",
    ],
    [{ fault: "pause", write, forMs: 2000 }, "the process stands still for 2 s at [w #1]"],
    [
      { fault: "revert", step: 0, when: "settled" },
      "step 1 is taken back when everything has settled",
    ],
    [{ fault: "revert", step: 0, when: "e" }, "step 1 is taken back at [e]"],
    [
      { fault: "repeat", step: 0, settled: true },
      "step 1 is done, taken back when everything has settled, and done again",
    ],
    [
      { fault: "repeat", step: 0, settled: false },
      "step 1 is done, taken back at once, and done again",
    ],
    [{ fault: "skip", step: 2 }, "the workload does not wait at step 3"],
    [{ fault: "bad", step: 2 }, "the bad step 3 is done first"],
    [{ fault: "shortcut" }, "the objects are created as they are wanted in the end"],
    [{ fault: "order" }, "concurrent requests are carried out in another order"],
    [{ fault: "shuffle" }, "lists come in another order"],
    [{ fault: "late" }, "requests and events take their time"],
    [{ fault: "server", how: "restart", write }, "the API server restarts after [w #1]"],
    [{ fault: "server", how: "compact", write }, "the API server forgets its history after [w #1]"],
  ];
  for (const [fault, text] of cases) {
    assertEquals(describeFault(readPlan({ seed: 1, faults: [fault] }).faults[0]!), text);
  }
});
