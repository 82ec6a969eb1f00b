// Refused: a path with a misspelt field.

import { type Manager, Pods } from "@kubeloop/controller";
import { changed } from "@kubeloop/controller/operator";
import { Widgets } from "./_widgets.ts";

declare const manager: Manager;

// @ts-expect-error TS2345: Argument of type '"spec.sise"' is not assignable to parameter of type '"spec.
manager.controller(Widgets, { when: changed("spec.sise") });
// @ts-expect-error TS2345: Argument of type '"spce"' is not assignable to parameter of type
manager.controller(Widgets, { name: "b", when: changed("spce") });
// @ts-expect-error TS2345: Argument of type '"spec.container"' is not assignable to parameter of type '"spec.
manager.controller(Pods, { when: changed("spec.container") });
// @ts-expect-error TS2345: Argument of type '"metadata.label"' is not assignable to parameter of type '"metadata.
manager.controller(Pods, { name: "c", when: changed("metadata.label") });
