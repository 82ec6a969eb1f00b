// Refused: paths of a generated type are checked at any depth.

import { defineResource, type Manager } from "@kubeloop/controller";
import { changed } from "@kubeloop/controller/operator";
import { type Deployment, Deployments } from "@kubeloop/controller/types/apps/v1";
import { same } from "./_same.ts";

declare const manager: Manager;

manager.controller(Deployments, {
  when: changed(
    "spec.template.spec.containers.0.livenessProbe.httpGet.httpHeaders.0.name",
    "spec.template.spec.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms",
    "spec.template.metadata.labels.app",
    "spec.strategy.rollingUpdate.maxSurge",
  ),
}).reconcile(({ object }) => {
  same<NonNullable<typeof object.spec>["replicas"], number | undefined>(true);
});
manager.controller(Deployments, {
  name: "b",
  // @ts-expect-error TS2345: .livenessProbe.httpGt"' is not assignable to parameter of type '"spec.template.spec.containers.0.livenessProbe.
  when: changed("spec.template.spec.containers.0.livenessProbe.httpGt"),
});
defineResource<Deployment>(Deployments);
