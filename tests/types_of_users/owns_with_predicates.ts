// Compiles: predicates of an owned kind decide on its objects, and not on the owner.

import { ConfigMaps, Deployments, type Manager } from "@kubeloop/controller";
import { allOf, changed, labelsChanged } from "@kubeloop/controller/operator";
import { same } from "./_same.ts";
import { Widgets } from "./_widgets.ts";

declare const manager: Manager;

manager.controller(Widgets, { when: changed("spec.size") })
  .owns(ConfigMaps, { when: labelsChanged })
  .owns(Deployments, {
    labelSelector: "app=web",
    when: allOf(changed("status.readyReplicas"), ({ object }) => (object.spec?.replicas ?? 0) > 0),
  })
  .reconcile(({ object, owned }) => {
    same<typeof object.spec.size, number>(true);
    for (const deployment of owned(Deployments)) {
      same<NonNullable<typeof deployment.status>["readyReplicas"], number | undefined>(true);
    }
    same<
      ReturnType<typeof owned<typeof ConfigMaps>>[number]["data"],
      Readonly<Record<string, string>> | undefined
    >(true);
  });
