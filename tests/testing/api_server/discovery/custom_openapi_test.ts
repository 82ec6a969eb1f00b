import { assertEquals } from "@std/assert";
import { Cluster } from "../cluster.ts";
import { crdWithSpec } from "../support.ts";

// The answer is that of a real server (1.35.4).
Deno.test("/openapi/v2 leaves out what kubectl does not understand in a custom schema", async () => {
  const spec = {
    "type": "object",
    "required": ["a"],
    "properties": {
      "a": { "type": "string", "nullable": true, "description": "d" },
      "b": { "x-kubernetes-int-or-string": true },
      "b2": {
        "x-kubernetes-int-or-string": true,
        "anyOf": [{ "type": "integer" }, { "type": "string" }],
      },
      "c": {
        "type": "object",
        "x-kubernetes-preserve-unknown-fields": true,
        "properties": { "x": { "type": "string" } },
        "required": ["x"],
      },
      "d": {
        "type": "array",
        "items": {
          "type": "object",
          "nullable": true,
          "properties": { "y": { "type": "string" } },
        },
      },
      "e": { "type": "object", "additionalProperties": { "type": "string", "nullable": true } },
      "f": { "type": "integer", "oneOf": [{ "minimum": 1 }, { "maximum": 0 }], "default": 2 },
      "g": { "type": "object", "additionalProperties": true },
      "h": { "type": "array", "nullable": true, "items": { "type": "string" } },
      "i": { "type": "string", "format": "date" },
    },
  };
  await using cluster = new Cluster();
  const path = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
  const created = await cluster.call("POST", path, crdWithSpec(spec));
  assertEquals(created.status, 201, created.text);
  const { definitions } = (await cluster.get("/openapi/v2")).json;
  assertEquals(definitions["example.a.v1.Thing"].properties.spec, {
    "type": "object",
    "properties": {
      "a": { "description": "d" },
      "b": { "x-kubernetes-int-or-string": true },
      "b2": { "x-kubernetes-int-or-string": true },
      "c": { "required": ["x"], "x-kubernetes-preserve-unknown-fields": true },
      "d": { "type": "array", "items": {} },
      "e": { "type": "object", "additionalProperties": {} },
      "f": { "type": "integer" },
      "g": { "type": "object", "additionalProperties": true },
      "h": {},
      "i": { "type": "string", "format": "date" },
    },
  });
});
