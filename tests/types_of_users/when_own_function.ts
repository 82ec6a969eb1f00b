// Compiles: a predicate of one's own gets the object before and after, typed.

import type { Manager } from "@kubeloop/controller";
import { same } from "./_same.ts";
import { Widgets } from "./_widgets.ts";

declare const manager: Manager;

manager.controller(Widgets, {
  when: ({ type, object, old }) => {
    same<typeof type, "listed" | "added" | "updated" | "deleted" | "left" | "resync">(true);
    same<NonNullable<typeof old>["spec"]["size"], number>(true);
    return object.spec.size !== old?.spec.size;
  },
}).reconcile(({ object }) => {
  same<typeof object.spec.size, number>(true);
});
