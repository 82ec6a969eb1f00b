import { assertEquals } from "@std/assert";
import { StructRegistry } from "../../../../src/testing/api_server/schema/field_tables.ts";
import type { Field } from "../../../../src/testing/values/mod.ts";

const TABLE = {
  "p.Whole": "@atomic; a string",
  "p.Item": 'k string!; d string default="TCP"; n int32!; o string; v string',
  "p.Choice": 'enum A | "" | B',
  "p.Object": "@object; spec p.Item",
};

/** Returns the field that a definition describes, without what most fields have. */
function fieldOf(definition: string): Partial<Field> {
  const registry = new StructRegistry([{ ...TABLE, "p.S": definition }]);
  const { required, merge, retainKeys, numbers, name: _name, ...rest } = registry.struct("p.S")
    .fields.get("x")!;
  return {
    ...rest,
    ...(required ? { required } : {}),
    ...(merge ? { merge } : {}),
    ...(retainKeys ? { retainKeys } : {}),
    ...(JSON.stringify(numbers) === "[1]" ? {} : { numbers: numbers! }),
  };
}

const string = { kind: "scalar", name: "string" } as const;
const listOf = (item: Field["type"], rest: object = {}) => ({
  type: { kind: "list", item, listType: "atomic", declared: false, keys: [], ...rest },
  presence: "set",
});

Deno.test("a field has the presence and the options of its definition", () => {
  for (
    const [definition, expected] of [
      ["x string", { type: string, presence: "set" }],
      ["x string?", { type: string, presence: "given" }],
      ["x string!", { type: string, presence: "always" }],
      ["x string!?", { type: string, presence: "nullable" }],
      ["x string*", { type: string, presence: "set", required: true }],
      ["x string?*", { type: string, presence: "given", required: true }],
      ["x string #4", { type: string, presence: "set", numbers: [4] }],
      ["x string #1.2", { type: string, presence: "set", numbers: [1, 2] }],
      ["w string #3; x string", { type: string, presence: "set", numbers: [4] }],
      ["w string #1.3; x string", { type: string, presence: "set", numbers: [1, 4] }],
      ["x string go=Named in=Outer", {
        type: string,
        presence: "set",
        goType: "Named",
        embedded: "Outer",
      }],
      ['x string default="a"', { type: string, presence: "set", default: "a" }],
      ["x string retainKeys replace", {
        type: string,
        presence: "set",
        retainKeys: true,
        replace: true,
      }],
      ["x any", { type: { kind: "any", atomic: true }, presence: "set" }],
      ["x p.Choice", { type: { ...string, enum: ["A", "", "B"] }, presence: "set" }],
      ["x {}string", { type: { kind: "map", value: string, atomic: false }, presence: "set" }],
      ["x {}string atomic", {
        type: { kind: "map", value: string, atomic: true },
        presence: "set",
        mapType: "atomic",
      }],
      ["x {}string granular", {
        type: { kind: "map", value: string, atomic: false },
        presence: "set",
        mapType: "granular",
      }],
      ["x []string", listOf(string)],
      ["x []string atomic", listOf(string, { declared: true })],
      ["x []string set", listOf(string, { listType: "set", declared: true })],
      ["x []string merge", { ...listOf(string), merge: true }],
    ] satisfies [string, unknown][]
  ) assertEquals(fieldOf(definition) as unknown, expected, definition);
});

Deno.test("a list has the keys of its items, with their defaults", () => {
  const keysOf = (options: string) => {
    const { type, merge = false, mergeKey } = fieldOf(`x []p.Item ${options}`);
    if (type?.kind !== "list") throw new Error("no list");
    return { listType: type.listType, keys: type.keys, merge, mergeKey };
  };
  const keys = [{ name: "k", default: "" }];
  assertEquals(keysOf("key=k"), { listType: "map", keys, merge: true, mergeKey: "k" });
  assertEquals(keysOf("map=k"), { listType: "map", keys, merge: false, mergeKey: undefined });
  assertEquals(keysOf("merge=k"), { listType: "atomic", keys: [], merge: true, mergeKey: "k" });
  assertEquals(keysOf("map=d,n,o,none").keys, [
    { name: "d", default: "TCP" },
    { name: "n" },
    { name: "o" },
    { name: "none" },
  ]);
});

Deno.test("a struct is atomic by itself or where it is used, and may be a boolean", () => {
  const typeOf = (definition: string) => {
    const { type } = fieldOf(definition);
    if (type?.kind !== "struct") throw new Error("no struct");
    return [type.id, type.atomic, type.orBool ?? false];
  };
  assertEquals(typeOf("x p.Item"), ["p.Item", false, false]);
  assertEquals(typeOf("x p.Item atomic"), ["p.Item", true, false]);
  assertEquals(typeOf("x p.Whole"), ["p.Whole", true, false]);
  assertEquals(typeOf("x p.Whole granular"), ["p.Whole", false, false]);
  assertEquals(typeOf("x p.Item|bool"), ["p.Item", false, true]);
});

Deno.test("an object has its kind and version, and a registry knows what it has", () => {
  const registry = new StructRegistry([TABLE]);
  assertEquals([...registry.struct("p.Object").fields.keys()], ["kind", "apiVersion", "spec"]);
  assertEquals(registry.struct("p.Object").name, "Object");
  assertEquals(registry.struct("p.Item") === registry.struct("p.Item"), true);
  assertEquals([registry.has("p.Item"), registry.has("p.None")], [true, false]);
  assertEquals(registry.names, ["p.Whole", "p.Item", "p.Object"]);
});
