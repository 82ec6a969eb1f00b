// Compiles: `changed` does not change the type of the object, and takes the paths of the kind.

import type { Manager } from "@kubeloop/controller";
import { changed } from "@kubeloop/controller/operator";
import { same } from "./_same.ts";
import { Widgets } from "./_widgets.ts";

declare const manager: Manager;

manager.controller(Widgets, { when: changed("spec", "status.ready", "metadata.labels") })
  .reconcile(({ object }) => {
    same<typeof object.spec.image, string>(true);
    same<NonNullable<typeof object.status>["ready"], number>(true);
  });
