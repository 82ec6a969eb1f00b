import { assertEquals } from "@std/assert";
import { fieldPaths, groupedPaths, isBelow, valueAt } from "../../src/fields/mod.ts";

Deno.test("fieldPaths() returns the paths of managed fields as text, and valueAt() the values at such paths", () => {
  const fields = {
    "f:metadata": {
      "f:labels": { ".": {}, "f:app": {}, "f:acme.io/x": {} },
      "f:finalizers": { ".": {}, 'v:"acme.io/y"': {} },
    },
    "f:spec": {
      "f:replicas": {},
      "f:containers": {
        'k:{"name":"web"}': {
          ".": {},
          "f:image": {},
          "f:ports": { 'k:{"containerPort":80,"protocol":"TCP"}': { "f:name": {} } },
        },
        'k:{"name":"a]=\\"b"}': {},
      },
      "f:args": { "i:1": {} },
      "f:empty": { ".": {} },
      "f:odd": { "k:[": {}, "f:no object": 5 },
    },
  };
  assertEquals(fieldPaths(fields), [
    'metadata.finalizers["acme.io/y"]',
    "metadata.labels.app",
    'metadata.labels["acme.io/x"]',
    "spec.args[1]",
    'spec.containers[name="a]=\\"b"]',
    "spec.containers[name=web].image",
    "spec.containers[name=web].ports[containerPort=80,protocol=TCP].name",
    "spec.empty",
    'spec.odd["no object"]',
    "spec.odd[[]",
    "spec.replicas",
  ]);
  const ports = [
    { containerPort: 80, protocol: "UDP", name: "other" },
    { containerPort: 80, protocol: "TCP", name: "http" },
  ];
  const object = {
    metadata: {
      labels: { app: "web", "acme.io/x": "1", 'a"b]': "2" },
      finalizers: ["acme.io/z", "acme.io/y"],
    },
    spec: {
      replicas: 3,
      args: ["a", "b"],
      containers: [
        null,
        { name: "side" },
        { name: "web", image: "nginx", ports },
        { name: 'a]="b', image: "odd" },
      ],
    },
  };
  for (
    const [path, value] of [
      ["metadata.labels.app", "web"],
      ['metadata.labels["acme.io/x"]', "1"],
      ["spec.replicas", 3],
      ["spec.args[1]", "b"],
      ["spec.containers[name=web].image", "nginx"],
      ["spec.containers[name=web].ports[containerPort=80,protocol=TCP].name", "http"],
      ["spec.containers[name=none].image", undefined],
      ['spec.containers[name="a]=\\"b"].image', "odd"],
      ['metadata.finalizers["acme.io/y"]', "acme.io/y"],
      ['metadata.labels["a\\"b]"]', "2"],
      ['metadata.labels["broken\\"]', undefined],
      ["spec.replicas.none", undefined],
      ["spec.toString", undefined],
      ["spec.args[7]", undefined],
    ] as const
  ) assertEquals(valueAt(object, path), value, path);
});

Deno.test("fieldPaths() reads up to 10,000 fields and 64 levels, and ignores values that are not objects", () => {
  for (const fields of [undefined, null, "x", 5, []]) assertEquals(fieldPaths(fields), []);
  const many = Object.fromEntries(Array.from({ length: 10_001 }, (_, i) => [`f:a${i}`, {}]));
  assertEquals(fieldPaths(many).length, 10_000);
  const nested = (levels: number) => {
    let fields: Record<string, unknown> = { "f:leaf": {} };
    for (let i = 0; i < levels; i++) fields = { "f:a": fields };
    return fieldPaths(fields);
  };
  assertEquals(nested(64), [`${"a.".repeat(64)}leaf`]);
  assertEquals(nested(65), []);
});

Deno.test("isBelow() holds for a field, and for the fields within it", () => {
  for (
    const [path, field, below] of [
      ["spec.a", "spec.a", true],
      ["spec.a.b", "spec.a", true],
      ["spec.a[x=1]", "spec.a", true],
      ["spec.ab", "spec.a", false],
      ["spec", "spec.a", false],
    ] as const
  ) assertEquals(isBelow(path, field), below, path);
});

Deno.test("groupedPaths() groups the fields of a parent, and keeps names with dots whole", () => {
  const labels = ["app", '["app.kubernetes.io/name"]', '["a\\"].b"]'].map((key) =>
    key.startsWith("[") ? `metadata.labels${key}` : `metadata.labels.${key}`
  );
  for (
    const [paths, grouped] of [
      [[], []],
      [["spec"], ["spec"]],
      [["metadata", "spec"], ["metadata", "spec"]],
      [["spec.a", "spec.b"], ["spec.{a,b}"]],
      [['metadata.labels["app.kubernetes.io/name"]'], [
        'metadata.labels["app.kubernetes.io/name"]',
      ]],
      [labels, ['metadata.labels.{app,"app.kubernetes.io/name","a\\"].b"}']],
      [["spec.args[0]", "spec.args[1]"], ["spec.args[0]", "spec.args[1]"]],
      [
        ["status.conditions[type=acme.io/Ready]", "status.conditions[type=acme.io/Ready].status"],
        ["status.conditions[type=acme.io/Ready]", "status.conditions[type=acme.io/Ready].status"],
      ],
      [["spec.x", "odd[[]", "spec.y"], ["spec.{x,y}", "odd[[]"]],
    ] as const
  ) assertEquals(groupedPaths(paths), [...grouped]);
});
