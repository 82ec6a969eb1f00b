// Compiles: predicates nest, and each function and path in them is of the kind.

import type { Manager } from "@kubeloop/controller";
import {
  allOf,
  annotationsChanged,
  anyChange,
  anyOf,
  changed,
  generationChanged,
  labelsChanged,
  not,
} from "@kubeloop/controller/operator";
import { same } from "./_same.ts";
import { Widgets } from "./_widgets.ts";

declare const manager: Manager;

manager.controller(Widgets, {
  when: allOf(
    anyOf(generationChanged, allOf(labelsChanged, ({ object }) => object.spec.size > 0)),
    not(anyOf(changed("spec.paused", "spec.ports"), not(annotationsChanged))),
    anyChange,
  ),
}).reconcile(({ object }) => {
  same<
    typeof object.spec.ports,
    readonly { readonly name: string; readonly port: number }[] | undefined
  >(true);
});
