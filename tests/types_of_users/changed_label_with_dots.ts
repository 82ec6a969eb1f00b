// Compiles: a label whose name has dots: escaped, or in a list of names.

import type { Manager } from "@kubeloop/controller";
import { changed } from "@kubeloop/controller/operator";
import { same } from "./_same.ts";
import { Widgets } from "./_widgets.ts";

declare const manager: Manager;

manager.controller(Widgets, {
  when: changed(
    "metadata.labels.app\\.kubernetes\\.io/name",
    ["metadata", "annotations", "acme.io/paused"],
    "metadata.labels.tier",
    "spec.selector.acme\\.io/zone",
  ),
}).reconcile(({ object }) => {
  same<typeof object.spec.selector, Readonly<Record<string, string>> | undefined>(true);
});
