// Compiles: a function that makes predicates for any kind.

import { type KubeObject, type Manager, Pods } from "@kubeloop/controller";
import {
  allOf,
  anyChange,
  changed,
  labelsChanged,
  type Predicate,
} from "@kubeloop/controller/operator";
import { same } from "./_same.ts";
import { Widgets } from "./_widgets.ts";

declare const manager: Manager;

function labelled<T extends KubeObject>(
  label: string,
  when: Predicate<T> = anyChange,
): Predicate<T> {
  return allOf(when, ({ object }) => object.metadata.labels?.[label] !== undefined);
}

manager.controller(Widgets, { when: labelled("app", changed("spec.size")) }).reconcile(
  ({ object }) => {
    same<typeof object.spec.size, number>(true);
  },
);
manager.controller(Pods, { when: labelled("app", labelsChanged) }).reconcile(({ object }) => {
  same<NonNullable<typeof object.spec>["nodeName"], string | undefined>(true);
});
manager.controller(Pods, { name: "b", when: labelled("app") });
