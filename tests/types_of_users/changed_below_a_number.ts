// Refused: a path below a number.

import type { Manager } from "@kubeloop/controller";
import { changed } from "@kubeloop/controller/operator";
import { Widgets } from "./_widgets.ts";

declare const manager: Manager;

// @ts-expect-error TS2345: Argument of type '"spec.size.max"' is not assignable to parameter of type '"spec.size"'
manager.controller(Widgets, { when: changed("spec.size.max") });
