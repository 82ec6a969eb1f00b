// Compiles: `allOf` takes ready-made predicates and typed functions, in any order.

import type { Manager } from "@kubeloop/controller";
import { allOf, changed, generationChanged, labelsChanged } from "@kubeloop/controller/operator";
import { same } from "./_same.ts";
import { Widgets } from "./_widgets.ts";

declare const manager: Manager;

manager.controller(Widgets, {
  when: allOf(
    generationChanged,
    ({ object }) => object.spec.size > 1,
    changed("spec.image"),
    ({ old }) => old?.spec.image !== "",
    labelsChanged,
  ),
}).reconcile(({ object }) => {
  same<typeof object.spec.size, number>(true);
});
