// Compiles: a predicate that is made outside of a declaration says itself what it decides on.

import type { Manager } from "@kubeloop/controller";
import {
  allOf,
  anyOf,
  type Change,
  changed,
  generationChanged,
  labelsChanged,
  not,
  type Predicate,
} from "@kubeloop/controller/operator";
import { same } from "./_same.ts";
import { type Widget, Widgets } from "./_widgets.ts";

declare const manager: Manager;

const isLarge = ({ object }: Change<Widget>) => object.spec.size > 10;
const large = allOf(labelsChanged, isLarge);
const small = not((change: Change<Widget>) => change.object.spec.size > 10);
const either = anyOf((change: Change<Widget>) => change.object.spec.size > 10, generationChanged);
const typed: Predicate<Widget> = allOf(
  ({ object }) => object.spec.size > 10,
  changed("spec.image"),
);
const explicit = allOf<Widget>(({ object }) => object.spec.size > 10, changed("spec.image"));

same<typeof large, Predicate<Widget>>(true);
same<typeof small, Predicate<Widget>>(true);
same<typeof either, Predicate<Widget>>(true);
same<typeof explicit, Predicate<Widget>>(true);
manager.controller(Widgets, { when: allOf(large, small, either, typed, explicit) }).reconcile(
  ({ object }) => {
    same<typeof object.spec.size, number>(true);
  },
);
