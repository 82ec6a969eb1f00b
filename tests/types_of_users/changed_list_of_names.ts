// Refused: a list of names with a wrong one.

import type { Manager } from "@kubeloop/controller";
import { changed } from "@kubeloop/controller/operator";
import { type Widget, Widgets } from "./_widgets.ts";

declare const manager: Manager;
declare const label: string;

const NAME = "app.kubernetes.io/name";
manager.controller(Widgets, {
  when: changed(["spec", "size"], ["metadata", "labels", NAME], ["metadata", "labels", label]),
});
const when = changed<Widget>(["metadata", "labels", NAME], "spec.ports.0.name");
manager.controller(Widgets, { name: "b", when }).reconcile(({ object }) => void object.spec.ports);
// @ts-expect-error TS2820: Did you mean '"labels"'?
manager.controller(Widgets, { name: "c", when: changed(["metadata", "labelz", NAME]) });
