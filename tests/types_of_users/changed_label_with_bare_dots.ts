// Refused: a label whose dots are not escaped.

import type { Manager } from "@kubeloop/controller";
import { changed } from "@kubeloop/controller/operator";
import { Widgets } from "./_widgets.ts";

declare const manager: Manager;

// @ts-expect-error TS2345: Argument of type '"metadata.labels.app.kubernetes.io/name"' is not assignable to parameter of type '"metadata.labels.app"'
manager.controller(Widgets, { when: changed("metadata.labels.app.kubernetes.io/name") });
