import { assertEquals } from "@std/assert";
import { encodeDocument } from "../../../../src/testing/api_server/discovery/openapi/protobuf.ts";
import { wireFields } from "../../../../src/testing/api_server/schema/protobuf/wire.ts";
import type { JsonObject } from "../../../../src/testing/values/mod.ts";

/** Shows the fields of a message as `number:value`, with the text of fields that are given here. */
function shown(bytes: Uint8Array, texts: readonly number[] = []): (string | number | Uint8Array)[] {
  return [...wireFields(bytes)].map(({ number, value }) =>
    typeof value === "number"
      ? `${number}:${value}`
      : texts.includes(number)
      ? `${number}:${new TextDecoder().decode(value)}`
      : value
  );
}

function bytesAt(bytes: Uint8Array, ...path: number[]): Uint8Array {
  let here = bytes;
  for (const step of path) {
    here = [...wireFields(here)].find(({ number }) => number === step)!.value as Uint8Array;
  }
  return here;
}

/** Returns the message of the schema of the only definition. */
function schemaOf(schema: JsonObject): Uint8Array {
  return bytesAt(encodeDocument({ swagger: "2.0", definitions: { D: schema } }), 9, 1, 2);
}

// The numbers come from OpenAPIv2.proto in gnostic-models.
Deno.test("encodeDocument() writes what kubectl reads of a definition", () => {
  const document = encodeDocument({
    swagger: "2.0",
    info: { title: "Kubernetes", version: "v1" },
    definitions: { D: {} },
  });
  assertEquals(shown(document, [1])[0], "1:2.0");
  assertEquals(shown(bytesAt(document, 2), [1, 2]), ["1:Kubernetes", "2:v1"]);
  assertEquals(shown(bytesAt(document, 9, 1), [1])[0], "1:D");
  const texts = schemaOf({
    $ref: "#/definitions/E",
    format: "int32",
    title: "T",
    description: "text",
    pattern: "^a$",
    required: ["a", "b"],
  });
  assertEquals(shown(texts, [1, 2, 3, 4, 13, 19]), [
    "1:#/definitions/E",
    "2:int32",
    "3:T",
    "4:text",
    "13:^a$",
    "19:a",
    "19:b",
  ]);
  const counts = schemaOf({ maxLength: 300, minLength: 1, maxItems: 2, minItems: 0 });
  assertEquals(shown(counts), ["11:300", "12:1", "14:2", "15:0"]);
  const doubles = schemaOf({ maximum: 1.5, minimum: -2 });
  assertEquals(
    [...wireFields(doubles)].map(({ number, value }) => {
      const { buffer, byteOffset } = value as Uint8Array;
      return [number, new DataView(buffer, byteOffset, 8).getFloat64(0, true)];
    }),
    [[7, 1.5], [9, -2]],
  );
});

Deno.test("encodeDocument() writes values as YAML, and schemas within schemas", () => {
  const any = (bytes: Uint8Array) => shown(bytes, [2]);
  assertEquals(any(bytesAt(schemaOf({ default: { a: 1 } }), 5)), ['2:{"a":1}\n']);
  assertEquals(any(bytesAt(schemaOf({ enum: ["x"] }), 20)), ['2:"x"\n']);
  assertEquals(shown(bytesAt(schemaOf({ additionalProperties: true }), 21)), ["2:1"]);
  assertEquals(shown(bytesAt(schemaOf({ additionalProperties: false }), 21)), ["2:0"]);
  const inner = { type: "string" };
  assertEquals(shown(bytesAt(schemaOf(inner), 22), [1]), ["1:string"]);
  assertEquals(shown(bytesAt(schemaOf({ additionalProperties: inner }), 21, 1, 22), [1]), [
    "1:string",
  ]);
  assertEquals(shown(bytesAt(schemaOf({ items: inner }), 23, 1, 22), [1]), ["1:string"]);
  assertEquals(shown(bytesAt(schemaOf({ allOf: [inner] }), 24, 22), [1]), ["1:string"]);
  assertEquals(shown(bytesAt(schemaOf({ properties: { p: inner } }), 25, 1), [1])[0], "1:p");
  assertEquals(shown(bytesAt(schemaOf({ properties: { p: inner } }), 25, 1, 2, 22), [1]), [
    "1:string",
  ]);
  const extension = bytesAt(schemaOf({ "x-kubernetes-list-type": "set" }), 31);
  assertEquals(shown(extension, [1])[0], "1:x-kubernetes-list-type");
  assertEquals(any(bytesAt(extension, 2)), ['2:"set"\n']);
});
