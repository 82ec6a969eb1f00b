// Compiles: `annotationsChanged` leaves the type of the object alone.

import { Deployments, type Manager } from "@kubeloop/controller";
import { annotationsChanged } from "@kubeloop/controller/operator";
import { same } from "./_same.ts";

declare const manager: Manager;

manager.controller(Deployments, { when: annotationsChanged }).reconcile(({ object }) => {
  same<NonNullable<typeof object.spec>["replicas"], number | undefined>(true);
  same<NonNullable<typeof object.status>["readyReplicas"], number | undefined>(true);
  same<typeof object.metadata.generation, number | undefined>(true);
});
