import { assertEquals, assertThrows } from "@std/assert";
import {
  decodeValue,
  type KindInfo,
  SCHEMAS,
  schemasOf,
} from "../../../../src/testing/api_server/schema/mod.ts";
import { DEFAULT_RELEASE, MINOR_VERSIONS } from "../../../../src/testing/api_server/release/mod.ts";
import { encodeJson, type Json } from "../../../../src/testing/values/mod.ts";
import {
  decodeProtobuf,
  encodeProtobuf,
  ProtobufError,
} from "../../../../src/testing/api_server/schema/protobuf/mod.ts";
import {
  fieldsByNumber,
  type NumberedFields,
} from "../../../../src/testing/api_server/schema/protobuf/fields_by_number.ts";
import { readPairs } from "../../../protobuf/_pairs.ts";
import { Cluster } from "../cluster.ts";

/** Kinds whose pair in Go's tests has parts that a server refuses, or that only JSON has. */
const OTHERS: readonly string[] = ["CustomResourceDefinition", "StatefulSet"];

/** Objects as Kubernetes' own serializers write them, of the kinds that the server has. */
const PAIRS = (await readPairs()).filter(({ json }) =>
  kindOf(json).schema !== undefined && !OTHERS.includes(json.kind)
);

function kindOf({ kind, apiVersion }: { kind: string; apiVersion: string }): KindInfo {
  const [version = "", group = ""] = apiVersion.split("/").reverse();
  const schema = SCHEMAS.kind(group, version, kind)!;
  return {
    group,
    version,
    kind,
    plural: "things",
    namespaced: true,
    schema,
    release: DEFAULT_RELEASE,
  };
}

for (const { bytes, json } of PAIRS) {
  Deno.test(`decodeProtobuf() reads a ${json.kind} like the equivalent JSON`, () => {
    const kind = kindOf(json);
    const read = (value: Json) =>
      encodeJson(
        decodeValue(value, kind, "Strict", { text: "", repeated: [] }).object as unknown as Json,
        kind.schema,
      );
    const decoded = decodeProtobuf(bytes, kind.schema);
    assertEquals(JSON.parse(read(decoded)), JSON.parse(read(json as Json)));
  });
}

Deno.test("fieldsByNumber() gives every field of every struct a number of its own, in every minor version", () => {
  for (const minor of MINOR_VERSIONS) {
    const schemas = schemasOf(minor);
    for (const name of schemas.names) {
      const numbers = fieldsByNumber(schemas.struct(name));
      const found = count(numbers);
      const expected = [...schemas.struct(name).fields.values()]
        .filter((field) => field.numbers !== undefined).length;
      assertEquals(found, expected, `${name} of ${minor}`);
    }
  }
});

function count(fields: NumberedFields): number {
  let sum = 0;
  for (const one of fields.values()) sum += one instanceof Map ? count(one) : 1;
  return sum;
}

Deno.test("decodeProtobuf() rejects a body that is not protobuf or is truncated anywhere", () => {
  const { bytes: whole, json } = PAIRS.find((one) => one.json.kind === "Pod")!;
  const { schema } = kindOf(json);
  assertThrows(() => decodeProtobuf(new TextEncoder().encode("{}"), schema), ProtobufError);
  for (let length = 0; length < whole.length; length += 7) {
    try {
      decodeProtobuf(whole.subarray(0, length), schema);
    } catch (error) {
      if (!(error instanceof ProtobufError)) throw error;
    }
  }
});

Deno.test("decodeProtobuf() rejects messages that are nested too deeply", () => {
  const { schema } = kindOf({
    kind: "CustomResourceDefinition",
    apiVersion: "apiextensions.k8s.io/v1",
  });
  // A schema whose `not` is a schema whose `not` …: field 28 of JSONSchemaProps.
  let inner: number[] = [];
  const wrap = (tag: number[], body: number[]) => [...tag, ...varint(body.length), ...body];
  for (let depth = 0; depth < 200; depth++) inner = wrap([0xe2, 0x01], inner);
  const version = wrap([0x22], wrap([0x0a], inner));
  const object = wrap([0x12], wrap([0x3a], version));
  const envelope = wrap([0x12], object);
  const bytes = Uint8Array.from([0x6b, 0x38, 0x73, 0, ...envelope]);
  assertThrows(() => decodeProtobuf(bytes, schema), ProtobufError, "too deep");
});

function varint(value: number): number[] {
  return value < 128 ? [value] : [(value & 127) | 128, ...varint(value >> 7)];
}

Deno.test("ApiServer accepts a protobuf body", async () => {
  await using cluster = new Cluster();
  const role = {
    apiVersion: "rbac.authorization.k8s.io/v1",
    kind: "ClusterRole",
    metadata: { name: "r" },
    rules: [{ verbs: ["get"], apiGroups: [""], resources: ["pods"] }],
  };
  const headers = { "content-type": "application/vnd.kubernetes.protobuf" };
  const send = (body: BodyInit) =>
    cluster.clock.run(
      cluster.fetch("/apis/rbac.authorization.k8s.io/v1/clusterroles", {
        method: "POST",
        headers,
        body,
      }),
    );
  const response = await send(encodeProtobuf(role, kindOf(role).schema));
  const created = await response.json();
  assertEquals(response.status, 201, JSON.stringify(created));
  assertEquals(created.rules, role.rules);
  const refused = await send("not protobuf");
  assertEquals(refused.status, 400);
  await refused.body!.cancel();
});
