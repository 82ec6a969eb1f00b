// Refused: a value that is not a kind.

import type { Manager } from "@kubeloop/controller";
import { Widgets } from "./_widgets.ts";

declare const manager: Manager;

// @ts-expect-error TS2345: Argument of type 'string' is not assignable to parameter of type 'Resource<KubeObject>'
manager.controller(Widgets).owns("deployments");
// @ts-expect-error TS2345: Argument of type 'string' is not assignable to parameter of type 'Resource<KubeObject>'
manager.controller("pods");
