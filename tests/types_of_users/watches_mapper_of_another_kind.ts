// Refused: a mapper for objects of another kind.

import { type Cached, ConfigMaps, type Manager } from "@kubeloop/controller";
import { type Widget, Widgets } from "./_widgets.ts";

declare const manager: Manager;

const secretOf = (widget: Cached<Widget>) => widget.spec.secret;

manager.controller(Widgets).watches(Widgets, { map: secretOf });
// @ts-expect-error TS2322, in several lines: is not assignable to type '(object: Cached<ConfigMap>, change: Change<ConfigMap>) => Mapped'
manager.controller(Widgets).watches(ConfigMaps, { map: secretOf });
