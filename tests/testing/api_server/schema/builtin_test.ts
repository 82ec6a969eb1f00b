import { assert, assertEquals, assertThrows } from "@std/assert";
import { isMinor, MINOR_VERSIONS } from "../../../../src/testing/api_server/release/mod.ts";
import { SCHEMAS, schemasOf } from "../../../../src/testing/api_server/schema/mod.ts";
import { StructRegistry } from "../../../../src/testing/api_server/schema/field_tables.ts";
import type { StructType } from "../../../../src/testing/values/mod.ts";

function fieldOf(struct: StructType, name: string) {
  const field = struct.fields.get(name);
  assert(field !== undefined, `no field ${name}`);
  return field;
}

Deno.test("schemas: a field has what its Go tags and markers say", () => {
  const container = SCHEMAS.struct("core.Container");
  const ports = fieldOf(container, "ports");
  assertEquals(ports.mergeKey, "containerPort");
  assert(ports.type.kind === "list" && ports.type.item.kind === "struct");
  assertEquals(ports.type.keys, [{ name: "containerPort" }, { name: "protocol", default: "TCP" }]);
  const protocol = fieldOf(ports.type.item, "protocol");
  assertEquals(protocol.type, { kind: "scalar", name: "string", enum: ["SCTP", "TCP", "UDP"] });
  assertEquals([protocol.default, protocol.required, protocol.presence], ["TCP", false, "set"]);
  const number = fieldOf(ports.type.item, "containerPort");
  assertEquals([number.required, number.presence, number.numbers], [true, "always", [3]]);
  const ephemeral = SCHEMAS.struct("core.EphemeralContainer");
  assertEquals(fieldOf(ephemeral, "image").numbers, [1, 2]);
  assertEquals(fieldOf(ephemeral, "targetContainerName").numbers, [2]);
});

Deno.test("schemas: a minor version has its own fields, structs and kinds", () => {
  const has = (minor: string, struct: string, field: string) =>
    isMinor(minor) && schemasOf(minor).struct(struct).fields.has(field);
  assert(has("1.35", "core.PodSpec", "workloadRef"));
  assert(!has("1.36", "core.PodSpec", "workloadRef"));
  const policy = (minor: "1.35" | "1.36") =>
    schemasOf(minor).kind("admissionregistration.k8s.io", "v1", "MutatingAdmissionPolicy");
  assertEquals(policy("1.35"), undefined);
  assertEquals(policy("1.36")?.name, "MutatingAdmissionPolicy");
  assert(!isMinor("1.2"));
});

Deno.test("schemas: every struct of every minor version can be read", () => {
  for (const minor of MINOR_VERSIONS) {
    const schemas = schemasOf(minor);
    for (const name of schemas.names) assertEquals(schemas.struct(name).id, name);
  }
});

Deno.test("schemas: a kind belongs to its group, whatever the name of the package", () => {
  assertEquals(SCHEMAS.kind("", "v1", "Event")?.id, "core.Event");
  assertEquals(SCHEMAS.kind("events.k8s.io", "v1", "Event")?.id, "events.Event");
  assertEquals(
    SCHEMAS.kind("autoscaling", "v2", "HorizontalPodAutoscaler")?.id,
    "autoscaling/v2.HorizontalPodAutoscaler",
  );
  for (const group of ["core", "events", "example.com", "rbac", "__proto__"]) {
    assertEquals(SCHEMAS.kind(group, "v1", "Event"), undefined);
  }
  assertEquals(SCHEMAS.kind("", "v1", "PodSpec"), undefined);
});

Deno.test("schemas: changes replace, add and remove structs", () => {
  const table = { "a.A": "x string; y b.B", "b.B": "enum P | Q", "b.C": "z int32 default=3 #7" };
  const own = new StructRegistry([table], { "a.A": "x string!*", "b.C": null, "b.D": "w a.A" });
  assertEquals(own.names, ["a.A", "b.D"]);
  assertEquals([...own.struct("a.A").fields.keys()], ["x"]);
  assertThrows(() => own.struct("b.C"), RangeError, 'There is no struct "b.C"');
});
