// Refused: a field that a predicate misspells.

import type { Manager } from "@kubeloop/controller";
import { allOf, generationChanged } from "@kubeloop/controller/operator";
import { Widgets } from "./_widgets.ts";

declare const manager: Manager;

// @ts-expect-error TS2339: Property 'sise' does not exist on type
manager.controller(Widgets, { name: "a", when: ({ object }) => object.spec.sise > 1 });
manager.controller(Widgets, {
  name: "b",
  // @ts-expect-error TS2339: Property 'sise' does not exist on type
  when: allOf(generationChanged, ({ object }) => object.spec.sise > 1),
});
