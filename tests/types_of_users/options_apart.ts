// Compiles: options and predicates that are declared apart from the controller.

import { type Manager, Pods, type Resource } from "@kubeloop/controller";
import {
  allOf,
  changed,
  type ControllerBuilderOptions,
  generationChanged,
  type Predicate,
} from "@kubeloop/controller/operator";
import { same } from "./_same.ts";
import { type Widget, Widgets } from "./_widgets.ts";

declare const manager: Manager;

const shared = { when: generationChanged, workers: 4 };
manager.controller(Widgets, shared).reconcile(({ object }) => {
  same<typeof object.spec.size, number>(true);
});
const options: ControllerBuilderOptions<Widget> = { name: "b", when: changed("spec.size") };
manager.controller(Widgets, options).reconcile(({ object }) => {
  same<typeof object.spec.size, number>(true);
});
const checks: Predicate<Widget>[] = [generationChanged, ({ object }) => object.spec.size > 1];
manager.controller(Widgets, { ...shared, name: "c", when: allOf(...checks) });

/** A controller as a class. */
export class Operator {
  readonly kind: Resource<Widget> = Widgets;
  readonly least: number;
  readonly when: Predicate<Widget> = ({ object }) => object.spec.size > this.least;

  constructor(least: number) {
    this.least = least;
    manager.controller(this.kind, { name: "d", when: this.when }).reconcile(({ object }) => {
      same<typeof object.spec.image, string>(true);
    });
  }
}
for (const kind of Object.values({ Widgets, Pods })) {
  manager.controller(kind, { name: kind.plural, when: changed("spec.size", "spec.nodeName") })
    .reconcile(({ object }) => {
      same<typeof object.metadata.name, string>(true);
    });
}
