// Refused: a kind by TypeBox 1: object, status, predicates and paths are typed, and a wrong path is an error.

import { Type } from "typebox";
import { defineResource, type Manager } from "@kubeloop/controller";
import { allOf, changed, generationChanged } from "@kubeloop/controller/operator";
import { same } from "./_same.ts";

declare const manager: Manager;

const Gadgets = defineResource({
  group: "acme.io",
  version: "v1",
  kind: "Gadget",
  spec: Type.Object({
    image: Type.String(),
    mode: Type.Union([Type.Literal("A"), Type.Literal("B")]),
    size: Type.Integer(),
    tags: Type.Optional(Type.Array(Type.String())),
  }),
  status: Type.Object({ ready: Type.Integer() }),
});

manager.controller(Gadgets, {
  when: allOf(
    generationChanged,
    ({ object }) => object.spec.mode === "A",
    changed("spec.tags", "status.ready"),
  ),
}).reconcile(({ object, status }) => {
  same<typeof object.spec.image, string>(true);
  same<typeof object.spec.mode, "A" | "B">(true);
  same<typeof object.spec.size, number>(true);
  same<typeof object.spec.tags, readonly string[] | undefined>(true);
  same<NonNullable<typeof object.status>["ready"], number>(true);
  same<NonNullable<typeof object.status>["observedGeneration"], number | undefined>(true);
  status({ ready: object.spec.size }).condition("Ready", "True", "Counted");
});
// @ts-expect-error TS2345: Argument of type '"spec.tag"' is not assignable to parameter of type '"spec.
manager.controller(Gadgets, { name: "b", when: changed("spec.tag") });
