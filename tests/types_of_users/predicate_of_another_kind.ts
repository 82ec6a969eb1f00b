// Refused: a predicate for other objects.

import { defineResource, type KubeObject, type Manager } from "@kubeloop/controller";
import { allOf, type Predicate } from "@kubeloop/controller/operator";
import { Widgets } from "./_widgets.ts";

declare const manager: Manager;

interface Gadget extends KubeObject {
  spec: { weight: number };
}
const Gadgets = defineResource<Gadget>({
  group: "acme.io",
  version: "v1",
  plural: "gadgets",
  kind: "Gadget",
  namespaced: true,
});
const isHeavy: Predicate<Gadget> = ({ object }) => object.spec.weight > 100;

manager.controller(Gadgets, { when: isHeavy }).reconcile(({ object }) => void object.spec.weight);
// @ts-expect-error TS2322, in several lines: Type 'Predicate<Gadget>' is not assignable to type 'Predicate<
manager.controller(Widgets, { when: isHeavy });
// @ts-expect-error TS2322, in several lines: Type 'Predicate<Gadget>' is not assignable to type 'Predicate<
manager.controller(Widgets, { name: "b", when: allOf(isHeavy) });
