// Compiles: the default predicate, given by hand, leaves the type of the object alone.

import type { Manager } from "@kubeloop/controller";
import { generationChanged } from "@kubeloop/controller/operator";
import { same } from "./_same.ts";
import { Widgets } from "./_widgets.ts";

declare const manager: Manager;

manager.controller(Widgets, { when: generationChanged }).reconcile(({ object }) => {
  same<typeof object.spec.size, number>(true);
  same<typeof object.spec.secret, string | undefined>(true);
  same<typeof object.metadata.name, string>(true);
  same<typeof object.metadata.labels, Readonly<Record<string, string>> | undefined>(true);
});
