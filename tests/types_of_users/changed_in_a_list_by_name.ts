// Refused: an element of a list by something other than its index.

import type { Manager } from "@kubeloop/controller";
import { changed } from "@kubeloop/controller/operator";
import { Widgets } from "./_widgets.ts";

declare const manager: Manager;

// @ts-expect-error TS2345: Argument of type '"spec.ports.http"' is not assignable to parameter of type '`spec.ports.${number}`'
manager.controller(Widgets, { when: changed("spec.ports.http") });
// @ts-expect-error TS2345: Argument of type '"spec.ports.0.prot"' is not assignable to parameter of type '"spec.ports.0.
manager.controller(Widgets, { name: "b", when: changed("spec.ports.0.prot") });
