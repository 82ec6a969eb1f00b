// Refused: a mapper that reads a field which the watched kind does not have.

import { type Manager, Secrets } from "@kubeloop/controller";
import { changed } from "@kubeloop/controller/operator";
import { Widgets } from "./_widgets.ts";

declare const manager: Manager;

manager.controller(Widgets).watches(Secrets, {
  when: changed("data"),
  // @ts-expect-error TS2339: Property 'spec' does not exist on type
  map: (secret) => secret.spec.widget,
});
manager.controller(Widgets, { name: "b" }).watches(Secrets, {
  // @ts-expect-error TS2345: Argument of type '"dat"' is not assignable to parameter of type
  when: changed("dat"),
  map: ({ metadata }) => metadata.name,
});
