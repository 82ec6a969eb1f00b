// Refused: a predicate without a result.

import type { Manager } from "@kubeloop/controller";
import { Widgets } from "./_widgets.ts";

declare const manager: Manager;

// @ts-expect-error TS2322, in several lines: Type 'void' is not assignable to type 'boolean'
manager.controller(Widgets, { when: ({ object }) => console.log(object.spec.size) });
