import { assert, assertEquals, assertThrows } from "@std/assert";
import {
  allOf,
  annotationsChanged,
  anyChange,
  anyOf,
  type Change,
  changed,
  generationChanged,
  labelsChanged,
  not,
} from "../../../src/operator/mod.ts";
import type { KubeObject } from "../../../src/types/mod.ts";

const meta = { name: "a", namespace: "default", uid: "1", resourceVersion: "1" };

/** Returns an update from one state of an object to another. */
function update(old: object, object: object): Change {
  return {
    type: "updated",
    old: { metadata: meta, ...old },
    object: { metadata: meta, ...object },
  };
}

/** Returns an update of the metadata. */
function metaUpdate(old: object, object: object): Change {
  return update({ metadata: { ...meta, ...old } }, { metadata: { ...meta, ...object } });
}

Deno.test("changed() compares labels and annotations whose names have dots", () => {
  const name = "app.kubernetes.io/name";
  const changes = {
    label: metaUpdate({ labels: { [name]: "a" } }, { labels: { [name]: "b" } }),
    other: metaUpdate({ labels: { [name]: "a", x: "1" } }, { labels: { [name]: "a", x: "2" } }),
    added: metaUpdate({}, { labels: { [name]: "a" } }),
    removed: metaUpdate({ labels: { [name]: "a" } }, { labels: {} }),
  };
  for (const path of ["metadata.labels.app\\.kubernetes\\.io/name", ["metadata", "labels", name]]) {
    const when = changed<KubeObject>(path);
    assert(when(changes.label), `${path}`);
    assert(when(changes.added), `${path}`);
    assert(when(changes.removed), `${path}`);
    assert(!when(changes.other), `${path}`);
  }
  // Without the backslashes it is a path of five names, which no object has.
  assert(!changed("metadata.labels.app.kubernetes.io/name")(changes.label));
});

Deno.test("changed() compares lists, their elements and the fields of their elements", () => {
  const ports = (...numbers: number[]) => ({ spec: { ports: numbers.map((port) => ({ port })) } });
  const whole = changed("spec.ports");
  assert(!whole(update(ports(1, 2), ports(1, 2))));
  assert(whole(update(ports(1, 2), ports(2, 1))));
  assert(whole(update(ports(1), ports(1, 2))));
  assert(whole(update(ports(), { spec: {} })));
  for (const path of ["spec.ports.0", "spec.ports.0.port", ["spec", "ports", "0", "port"]]) {
    const first = changed<KubeObject>(path);
    assert(first(update(ports(1, 2), ports(2, 2))), `${path}`);
    assert(first(update(ports(1), ports())), `${path}`);
    assert(!first(update(ports(1, 2), ports(1, 3))), `${path}`);
  }
  assert(!changed("spec.ports.length")(update(ports(1), ports(1, 2))));
});

Deno.test("changed() looks at own fields only, whatever their names are", () => {
  const parsed = (text: string) => ({ spec: JSON.parse(text) });
  const change = update(parsed('{"__proto__": 1}'), parsed('{"__proto__": 2}'));
  assert(changed("spec.__proto__")(change));
  assert(!changed("spec.constructor", "spec.toString.name", "spec.text.length")(change));
  assert(changed("data.key")(update({ data: { key: null } }, { data: {} })));
  assert(!changed("data.key.below")(update({ data: "text" }, { data: 5 })));
});

Deno.test("changed() compares values as deep as an API server takes them", () => {
  const nested = (inner: number) => {
    let value: unknown = inner;
    for (let i = 0; i < 9_000; i++) value = i % 2 === 0 ? [value] : { a: value };
    return { spec: value };
  };
  assert(changed("spec")(update(nested(1), nested(2))));
  assert(!changed("spec")(update(nested(1), nested(1))));
});

Deno.test("changed() is true for all changes other than updates", () => {
  const object = { metadata: meta };
  for (const type of ["listed", "added", "deleted", "resync"] as const) {
    assert(changed("spec")({ type, object }), type);
  }
  assert(!changed("spec")({ type: "updated", object, old: object }));
});

Deno.test("changed() keeps its paths when the caller changes them later", () => {
  const path = ["spec", "size"];
  const when = changed<KubeObject>(path);
  path[1] = "other";
  assert(when(update({ spec: { size: 1 } }, { spec: { size: 2 } })));
});

Deno.test("changed() refuses paths without a name, also from plain JavaScript", () => {
  assertThrows(() => changed(), TypeError, 'changed() needs a field, as in changed("data")');
  const wrong: readonly unknown[] = ["", ".", "a..b", "a.", [], [""], ["a", 0], undefined, null, 5];
  for (const path of wrong) {
    assertThrows(
      () => changed<KubeObject>("spec", path as string),
      TypeError,
      `Invalid field of changed(): ${JSON.stringify(path)}, expected "spec.size"`,
    );
  }
});

Deno.test("The ready-made predicates decide on the fields of their names", () => {
  const cases: Readonly<Record<string, Change>> = {
    generation: metaUpdate({ generation: 1 }, { generation: 2 }),
    status: metaUpdate({ generation: 1 }, { generation: 1 }),
    labels: metaUpdate({ generation: 1 }, { generation: 1, labels: { a: "b" } }),
    annotations: metaUpdate({ generation: 1 }, { generation: 1, annotations: { a: "b" } }),
    deletion: metaUpdate({ generation: 1 }, {
      generation: 1,
      deletionTimestamp: "2030-01-01T00:00:00Z",
    }),
    finalizer: metaUpdate({ generation: 1, finalizers: ["a/b"] }, { generation: 1 }),
    kindWithoutGeneration: metaUpdate({}, {}),
  };
  const passed = (when: (change: Change) => boolean) =>
    Object.keys(cases).filter((name) => when(cases[name]!)).join(" ");
  assertEquals(passed(generationChanged), "generation deletion finalizer kindWithoutGeneration");
  assertEquals(passed(labelsChanged), "labels");
  assertEquals(passed(annotationsChanged), "annotations");
  assertEquals(passed(anyChange), Object.keys(cases).join(" "));
  assertEquals(passed(anyOf(labelsChanged, annotationsChanged)), "labels annotations");
  assertEquals(
    passed(allOf(generationChanged, not(changed("metadata.generation")))),
    [
      "deletion",
      "finalizer",
      "kindWithoutGeneration",
    ].join(" "),
  );
});

Deno.test("allOf(), anyOf() and not() require predicates", () => {
  const wrong = undefined as unknown as typeof anyChange;
  assertThrows(() => allOf(), TypeError, "allOf() needs predicates");
  assertThrows(() => anyOf(anyChange, wrong), TypeError, "anyOf() needs predicates");
  assertThrows(() => not(wrong), TypeError, "not() needs predicates");
});
