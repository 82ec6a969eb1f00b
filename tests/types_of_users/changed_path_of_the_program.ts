// Refused: a path that is known only when the program runs.

import type { KubeObject, Manager } from "@kubeloop/controller";
import { changed, type Predicate } from "@kubeloop/controller/operator";
import { same } from "./_same.ts";
import { Widgets } from "./_widgets.ts";

declare const manager: Manager;
declare const path: string;

// @ts-expect-error TS2345: Argument of type 'string' is not assignable to parameter of type
manager.controller(Widgets, { when: changed(path) });
const when = changed<KubeObject>(path);
same<typeof when, Predicate<KubeObject>>(true);
manager.controller(Widgets, { name: "b", when }).reconcile(({ object }) => {
  same<typeof object.spec.size, number>(true);
});
