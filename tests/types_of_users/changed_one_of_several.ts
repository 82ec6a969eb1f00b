// Refused: one wrong path among right ones: the error is at that path, and about it alone.

import type { Manager } from "@kubeloop/controller";
import { changed } from "@kubeloop/controller/operator";
import { Widgets } from "./_widgets.ts";

declare const manager: Manager;

manager.controller(Widgets, {
  when: changed(
    "spec.size",
    "metadata.labels",
    // @ts-expect-error TS2345: Argument of type '"status.redy"' is not assignable to parameter of type '"status.
    "status.redy",
    "spec.image",
  ),
});
