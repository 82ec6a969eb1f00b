import { assert, assertEquals, assertThrows } from "@std/assert";
import {
  controllerOf,
  controllerReference,
  defineResource,
  Deployments,
  isControlledBy,
  ReplicaSets,
  type Stored,
} from "../../src/types/mod.ts";

const owner = { metadata: { name: "web", uid: "u1", resourceVersion: "1" } };
const owned = {
  metadata: { name: "x", ownerReferences: [controllerReference(owner, ReplicaSets)] },
};

Deno.test("controllerReference() rejects an owner that was not read from a server", () => {
  const unsaved = { metadata: { name: "web" } } as Stored<typeof owner>;
  assertThrows(() => controllerReference(unsaved, Deployments), TypeError, "without uid");
  const unnamed = { metadata: { uid: "u1" } } as Stored<typeof owner>;
  assertThrows(() => controllerReference(unnamed, Deployments), TypeError, "without name");
});

Deno.test("controllerOf() ignores owners that are not controllers", () => {
  const { controller: _, ...plain } = controllerReference(owner, ReplicaSets);
  assertEquals(controllerOf({ metadata: { ownerReferences: [plain] } }), undefined);
  assertEquals(controllerOf({ metadata: {} }), undefined);
});

Deno.test("controllerOf() compares the group and the kind, not the version", () => {
  const beta = { ...ReplicaSets, version: "v1beta1" };
  assertEquals(controllerOf(owned, beta)?.name, "web");
  const other = defineResource({ ...ReplicaSets, group: "example.com" });
  assertEquals(controllerOf(owned, other), undefined);
  const core = defineResource({ ...ReplicaSets, group: "" });
  assertEquals(controllerOf(owned, core), undefined);
});

Deno.test("isControlledBy() compares the UID", () => {
  assert(isControlledBy(owned, owner));
  assert(!isControlledBy(owned, { metadata: { name: "web", uid: "u2" } }));
  assert(!isControlledBy({ metadata: {} }, { metadata: {} }));
});
