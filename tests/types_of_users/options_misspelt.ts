// Refused: misspelt options.

import { Deployments, type Manager } from "@kubeloop/controller";
import { Widgets } from "./_widgets.ts";

declare const manager: Manager;

// @ts-expect-error TS2561: but 'worker' does not exist in type 'ControllerBuilderOptions<
manager.controller(Widgets, { worker: 4 });
// @ts-expect-error TS2322: Type 'string' is not assignable to type 'number'
manager.controller(Widgets, { workers: "4" });
// @ts-expect-error TS2353: 'predicate' does not exist in type 'OwnsOptions<Deployment>'
manager.controller(Widgets).owns(Deployments, { predicate: () => true });
