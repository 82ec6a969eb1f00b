// Compiles: a predicate of the metadata serves every kind.

import { ConfigMaps, type Manager, Pods } from "@kubeloop/controller";
import { anyOf, not, type Predicate } from "@kubeloop/controller/operator";
import { same } from "./_same.ts";
import { Widgets } from "./_widgets.ts";

declare const manager: Manager;

const isPaused: Predicate = ({ object }) =>
  object.metadata.annotations?.["acme.io/paused"] === "yes";
const when = not(isPaused);

manager.controller(Widgets, { when }).reconcile(({ object }) => {
  same<typeof object.spec.size, number>(true);
});
manager.controller(Pods, { when: anyOf(isPaused, when) }).owns(ConfigMaps, { when: isPaused })
  .reconcile(({ object }) => {
    same<NonNullable<typeof object.spec>["nodeName"], string | undefined>(true);
  });
