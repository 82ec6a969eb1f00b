// Compiles: `anyOf` takes ready-made predicates and typed functions, in any order.

import {
  annotationsChanged,
  anyOf,
  changed,
  generationChanged,
  type Manager,
} from "@kubeloop/controller";
import { same } from "./_same.ts";
import { Widgets } from "./_widgets.ts";

declare const manager: Manager;

manager.controller(Widgets, {
  when: anyOf(
    ({ object }) => object.spec.paused === true,
    generationChanged,
    changed("status"),
    annotationsChanged,
  ),
}).reconcile(({ object }) => {
  same<typeof object.spec.paused, boolean | undefined>(true);
});
