import { assertEquals } from "@std/assert";
import { compileJsonPath } from "../../../../../src/testing/api_server/kinds/custom/jsonpath.ts";
import type { Json } from "../../../../../src/testing/values/mod.ts";

const ROOT: Json = {
  spec: {
    "dotted.name": "d",
    names: ["a", "b", "c"],
    nested: [[1, 2], [3]],
    items: [
      { type: "Ready", status: "True", weight: 1, on: true },
      { type: "Done", status: "False", weight: 2, on: false },
      { type: "Next", weight: 3, nothing: null },
    ],
  },
};

Deno.test("compileJsonPath() finds fields, items, slices and what a filter selects", () => {
  const types = (filter: string) => [`.spec.items[?(@${filter})].type`] as const;
  const cases: readonly (readonly [path: string, ...found: Json[]])[] = [
    [".spec.names", ["a", "b", "c"]],
    ["spec.names[1]", "b"],
    [".spec.names[0]", "a"],
    [".spec.names[-1]", "c"],
    [".spec.names[3]"],
    [".spec.names[-4]"],
    [".spec.names[*]", "a", "b", "c"],
    [".spec.nested[*][0]", 1, 3],
    [".spec.nested.*.*", 1, 2, 3],
    [".spec.names[:]", "a", "b", "c"],
    [".spec.names[1:]", "b", "c"],
    [".spec.names[:2]", "a", "b"],
    [".spec.names[1:2]", "b"],
    [".spec.names[-2:]", "b", "c"],
    [".spec.names[0:3]", "a", "b", "c"],
    [".spec.names[0:4]"],
    [".spec.names[2:1]"],
    [".spec.names[1:1]"],
    [".spec.nothing"],
    [".spec.constructor"],
    [".nothing.spec"],
    [".spec.names.nothing"],
    [".spec[0]"],
    [".spec.dotted\\.name", "d"],
    ["['spec']['names'][0]", "a"],
    ['["spec"].names[0]', "a"],
    ["['spec.names'][2]", "c"],
    [...types(".weight"), "Ready", "Done", "Next"],
    [...types(".status"), "Ready", "Done"],
    [...types('.type=="Done"'), "Done"],
    [...types(".type == 'Done'"), "Done"],
    [...types('.type!="Done"'), "Ready", "Next"],
    [...types(".weight<2"), "Ready"],
    [...types(".weight<=2"), "Ready", "Done"],
    [...types(".weight>2"), "Next"],
    [...types(".weight>=2"), "Done", "Next"],
    [...types(".weight==2.0"), "Done"],
    [...types(".weight>-1"), "Ready", "Done", "Next"],
    [...types(".on==true"), "Ready"],
    [...types(".on!=true"), "Done"],
    // Values of other types are neither equal nor different.
    [...types('.weight!="1"')],
    [...types(".nothing!=1")],
    [".spec[?(@.a)]"],
  ];
  for (const [path, ...found] of cases) {
    assertEquals(compileJsonPath(path)?.(ROOT), found, path);
  }
});

Deno.test("compileJsonPath() returns undefined for what it does not support", () => {
  for (
    const path of [
      ".spec[",
      ".spec[]",
      ".spec[a]",
      ".spec['a",
      ".spec[?(@.a",
      ".spec[?(@.a)",
      ".spec[?(@.a==",
      ".spec[?(@.a==b)]",
      ".spec[?(@.a=='b)]",
      ".spec[?(@.a==')]",
      ".spec[?(@.[==1)]",
      ".spec[?(@.[)]",
      "..spec",
    ]
  ) assertEquals(compileJsonPath(path), undefined, path);
});
