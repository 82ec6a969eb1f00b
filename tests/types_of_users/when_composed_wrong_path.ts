// Refused: a path in a nested predicate that the kind does not have.

import type { Manager } from "@kubeloop/controller";
import { allOf, anyOf, changed, generationChanged, not } from "@kubeloop/controller/operator";
import { Widgets } from "./_widgets.ts";

declare const manager: Manager;

manager.controller(Widgets, {
  // @ts-expect-error TS2345: Argument of type '"spec.pausd"' is not assignable to parameter of type
  when: allOf(generationChanged, anyOf(not(changed("spec.pausd")))),
}).reconcile(({ object }) => void object.spec.paused);
