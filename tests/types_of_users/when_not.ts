// Compiles: `not` takes a ready-made predicate or a typed function.

import type { Manager } from "@kubeloop/controller";
import { changed, not } from "@kubeloop/controller/operator";
import { same } from "./_same.ts";
import { Widgets } from "./_widgets.ts";

declare const manager: Manager;

manager.controller(Widgets, { name: "a", when: not(changed("spec.paused")) }).reconcile(
  ({ object }) => {
    same<typeof object.spec.size, number>(true);
  },
);
manager.controller(Widgets, { name: "b", when: not(({ object }) => object.spec.paused === true) })
  .reconcile(({ object }) => {
    same<typeof object.spec.size, number>(true);
  });
