// Compiles: a predicate may be chosen by a condition.

import type { Manager } from "@kubeloop/controller";
import { anyChange, changed } from "@kubeloop/controller/operator";
import { same } from "./_same.ts";
import { Widgets } from "./_widgets.ts";

declare const manager: Manager;
declare const verbose: boolean;

manager.controller(Widgets, { when: verbose ? anyChange : changed("spec.size") }).reconcile(
  ({ object }) => {
    same<typeof object.spec.size, number>(true);
  },
);
manager.controller(Widgets, { name: "b", when: verbose ? anyChange : undefined }).reconcile(
  ({ object }) => {
    same<typeof object.spec.size, number>(true);
  },
);
