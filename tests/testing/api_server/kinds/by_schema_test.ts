import { assertEquals } from "@std/assert";
import { validateBySchema } from "../../../../src/testing/api_server/kinds/by_schema.ts";
import type { Field, StructType, Type } from "../../../../src/testing/values/mod.ts";
import type { Loose } from "../support.ts";

const scalar = (name: "string" | "int32", values?: string[]): Type => ({
  kind: "scalar",
  name,
  ...(values && { enum: values }),
});

function struct(fields: Record<string, Type>): StructType {
  const all = Object.entries(fields).map(([name, type]): [string, Field] => [name, {
    name,
    type,
    presence: "given",
    merge: false,
    retainKeys: false,
    required: name !== "optional",
  }]);
  return { kind: "struct", name: "", fields: new Map(all), atomic: false };
}

Deno.test("validateBySchema() wants texts and lists that are required, and values of enums", () => {
  const choice = scalar("string", ["a", "b"]);
  const list = (item: Type): Type => ({ kind: "list", item, listType: "atomic", keys: [] });
  const inner = struct({ text: scalar("string") });
  const type = struct({
    metadata: scalar("string"),
    status: scalar("string"),
    spec: struct({
      text: scalar("string"),
      number: scalar("int32"),
      list: list(choice),
      map: { kind: "map", value: choice, atomic: false },
      any: { kind: "any" },
      items: list(inner),
      optional: scalar("string"),
    }),
  });
  const given = { text: "x", list: ["a", "b"], items: [{ text: "x" }] };
  const cases: readonly (readonly [Loose, readonly string[]])[] = [
    [{}, []],
    [{ text: "" }, ["spec.text: Required value"]],
    [{ list: [] }, ["spec.list: Required value"]],
    [{ list: null }, ["spec.list: Required value"]],
    [{ list: ["a", "c"] }, ["spec.list[1]: Unsupported value"]],
    [{ map: { k: "c", l: "a" } }, ["spec.map[k]: Unsupported value"]],
    [{ items: [{ text: "x" }, {}] }, ["spec.items[1].text: Required value"]],
    [{ any: { a: 1 }, optional: "", number: 0 }, []],
  ];
  for (const [fields, expected] of cases) {
    const errors = validateBySchema({ spec: { ...given, ...fields } }, type);
    const shown = errors.map(({ field, message }) => `${field}: ${message.split(":")[0]}`);
    assertEquals(shown, expected, JSON.stringify(fields));
  }
});
