import { assert, assertEquals } from "@std/assert";
import type { SchemaNode } from "../../../src/testing/samples/mod.ts";
import { changesOf } from "../../../src/testing/simulation/campaign/mod.ts";

const text = { type: "string" };

/** Returns the paths that are changed, each once, in order. */
function pathsOf(schema: SchemaNode, object: Record<string, unknown>, depth = 2): string[] {
  const changes = changesOf(schema, object, { depth, except: new Set(["spec.except"]) });
  return [...new Set(changes.map((set) => set.map(({ path }) => path.join(".")).join(" + ")))];
}

const SPEC: SchemaNode = {
  type: "object",
  properties: {
    metadata: { type: "object" },
    status: { type: "object", properties: { ready: { type: "boolean" } } },
    spec: {
      type: "object",
      required: ["image"],
      properties: {
        image: { type: "string", enum: ["a", "b"] },
        except: text,
        storageClass: text,
        storageSize: text,
        min: text,
        max: text,
        file: { type: "object", properties: { path: { type: "object", properties: { a: text } } } },
      },
      "x-kubernetes-validations": [{ rule: "self.min <= self.max" }],
    },
  },
};

Deno.test("each property of the spec is changed, down to a depth; coupled properties change together", () => {
  const object = { spec: { image: "a", file: { path: { a: "x" } } } };
  const flat = ["image", "storageClass", "storageSize", "min", "max", "file"];
  const pairs = ["spec.max + spec.min", "spec.storageClass + spec.storageSize"];
  const expected = (more: string[]) => [
    ...flat.map((name) => `spec.${name}`),
    ...more,
    ...pairs,
  ];
  assertEquals(pathsOf(SPEC, object, 1), expected([]));
  assertEquals(pathsOf(SPEC, object, 2), expected(["spec.file.path"]));
  assertEquals(pathsOf(SPEC, object, 3), expected(["spec.file.path", "spec.file.path.a"]));
});

Deno.test("a required property is never removed, and an absent property is set", () => {
  const changes = changesOf(SPEC, { spec: { image: "a" } }, { depth: 2, except: new Set() });
  const of = (name: string) =>
    changes.filter((set) => set.length === 1 && set[0]!.path.at(-1) === name).flat();
  assertEquals(of("image"), [{ path: ["spec", "image"], from: "a", to: "b" }]);
  assert(of("min").length > 0);
  assert(of("min").every(({ from, to }) => from === undefined && to !== undefined));
});

Deno.test("the alternatives of a choice are changed together", () => {
  const schema = {
    type: "object",
    properties: {
      spec: {
        type: "object",
        properties: { url: text, secret: text },
        oneOf: [{ required: ["url"] }, { required: ["secret"] }],
      },
    },
  };
  const changes = changesOf(schema, { spec: { url: "x" } }, { depth: 2, except: new Set() });
  assert(
    changes.some((set) =>
      set.length === 2 && set.some(({ path, to }) => path[1] === "url" && to === undefined) &&
      set.some(({ path, to }) => path[1] === "secret" && to !== undefined)
    ),
  );
});
