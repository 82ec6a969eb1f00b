import { assertEquals } from "@std/assert";
import { resolveFieldPath } from "../../../src/cel/rules/field_path.ts";
import { compileStructural } from "../../../src/structural/mod.ts";

const text = { type: "string" };
const schema = compileStructural({
  type: "object",
  properties: {
    "a": text,
    "b.c": text,
    "it's": text,
    "line\nfeed": text,
    "map": { type: "object", additionalProperties: { type: "object", properties: { x: text } } },
    "list": { type: "array", items: text },
  },
});

Deno.test("resolveFieldPath() follows names, quoted names and keys of maps", () => {
  const paths: readonly (readonly [string, string | undefined])[] = [
    [".a", "a"],
    ["['a']", "a"],
    ["['b.c']", "b.c"],
    ["['it\\'s']", "it's"],
    ["['line\\nfeed']", "line\nfeed"],
    [".map.key", "map[key]"],
    [".map['k.e.y']", "map[k.e.y]"],
    [".map.key.x", "map[key].x"],
    ["", ""],
    ["a", undefined],
    [".", undefined],
    [".b", undefined],
    [".b.c", undefined],
    [".a.b", undefined],
    [".map.key.y", undefined],
    [".list", "list"],
    [".list[0]", undefined],
    ["[a]", undefined],
    ["['a'", undefined],
    ["['a'.", undefined],
    ["['a", undefined],
    ["[']", undefined],
    ["['\\q']", undefined],
    ["['a']a", undefined],
  ];
  for (const [path, resolved] of paths) {
    assertEquals(resolveFieldPath(path, schema), resolved, path);
  }
});
