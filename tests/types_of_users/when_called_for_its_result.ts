// Refused: a predicate that is not passed, but called.

import type { Manager } from "@kubeloop/controller";
import { allOf, generationChanged } from "@kubeloop/controller/operator";
import { Widgets } from "./_widgets.ts";

declare const manager: Manager;

// @ts-expect-error TS2554: Expected 1 arguments, but got 0
manager.controller(Widgets, { when: generationChanged() });
manager.controller(Widgets, { name: "b", when: allOf(generationChanged) }).reconcile(({ object }) =>
  void object.spec
);
