// Compiles: `anyOf` takes ready-made predicates and typed functions, in any order.

import type { Manager } from "@kubeloop/controller";
import {
  annotationsChanged,
  anyOf,
  changed,
  generationChanged,
} from "@kubeloop/controller/operator";
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
