// Refused: an object whose kind differs from the named kind.

import { Deployments, type Manager } from "@kubeloop/controller";
import { Widgets } from "./_widgets.ts";

declare const manager: Manager;

manager.controller(Widgets).owns(Deployments).reconcile(async ({ object, owned, remove }) => {
  for (const deployment of owned(Deployments)) await remove(Deployments, deployment);
  await remove(Widgets, object);
  // @ts-expect-error TS2379, in several lines: Argument of type 'Cached<Deployment>' is not assignable to parameter of type 'Cached<
  for (const deployment of owned(Deployments)) await remove(Widgets, deployment);
  // @ts-expect-error TS2345, in several lines: Argument of type 'string' is not assignable to parameter of type 'Cached<
  await remove(Deployments, "web");
});
