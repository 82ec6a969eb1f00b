// Compiles: a whole list, an element of it, and a field of an element.

import { type Manager, Pods } from "@kubeloop/controller";
import { changed } from "@kubeloop/controller/operator";
import { same } from "./_same.ts";
import { Widgets } from "./_widgets.ts";

declare const manager: Manager;

manager.controller(Widgets, { when: changed("spec.ports", "spec.ports.0", "spec.ports.12.name") })
  .reconcile(({ object }) => {
    same<NonNullable<typeof object.spec.ports>[number]["port"], number>(true);
  });
manager.controller(Pods, { when: changed("spec.containers.0.image", "status.conditions") })
  .reconcile(({ object }) => {
    same<NonNullable<typeof object.spec>["containers"][number]["name"], string>(true);
  });
