// Refused: a finalizer that nothing removes, and a wrong field in one.

import type { Manager } from "@kubeloop/controller";
import { Widgets } from "./_widgets.ts";

declare const manager: Manager;

// @ts-expect-error TS2345 or TS2741, in several lines: Property 'cleanup' is missing in type
manager.controller(Widgets).finalizer("acme.io/a", { apply: () => {} });
// @ts-expect-error TS2551: Property 'imag' does not exist on type
manager.controller(Widgets).finalizer("acme.io/a", { cleanup: ({ object }) => object.spec.imag });
