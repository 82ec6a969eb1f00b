// Refused: a field of the object that the kind does not have, after a ready-made predicate.

import type { Manager } from "@kubeloop/controller";
import { allOf, changed, generationChanged } from "@kubeloop/controller/operator";
import { Widgets } from "./_widgets.ts";

declare const manager: Manager;

manager.controller(Widgets, { when: allOf(generationChanged, changed("spec.image")) }).reconcile(
  ({ object }) => {
    // @ts-expect-error TS2339: Property 'sise' does not exist on type
    object.spec.sise;
    // @ts-expect-error TS2339: Property 'spce' does not exist on type
    object.spce;
  },
);
