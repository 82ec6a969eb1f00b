// Refused: a path of the owner, given for the owned kind.

import { Deployments, type Manager } from "@kubeloop/controller";
import { changed } from "@kubeloop/controller/operator";
import { Widgets } from "./_widgets.ts";

declare const manager: Manager;

manager.controller(Widgets, { when: changed("spec.size") })
  // @ts-expect-error TS2345: Argument of type '"spec.size"' is not assignable to parameter of type '"spec.
  .owns(Deployments, { when: changed("spec.size") })
  .reconcile(({ object }) => void object.spec.size);
