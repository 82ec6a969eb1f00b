// Refused: paths of a type that is given by hand, or by what the predicate is assigned to.

import type { Manager } from "@kubeloop/controller";
import { changed, type Predicate } from "@kubeloop/controller/operator";
import type { FieldPath } from "@kubeloop/controller/types";
import { same } from "./_same.ts";
import { type Widget, Widgets } from "./_widgets.ts";

declare const manager: Manager;

const size = changed<Widget>("spec.size", "metadata.labels.app", "spec.ports.0.name");
same<typeof size, Predicate<Widget>>(true);
const image: Predicate<Widget> = changed("spec.image");
const fields: readonly FieldPath<Widget>[] = [
  "spec.size",
  "spec.selector.zone",
  "status.conditions",
];
manager.controller(Widgets, { when: changed(...fields) }).owns(Widgets, { when: size }).owns(
  Widgets,
  { when: image },
);

// @ts-expect-error TS2345: Argument of type '"spec.sise"' is not assignable to parameter of type
changed<Widget>("spec.sise");
// @ts-expect-error TS2345: Argument of type '"spec.sise"' is not assignable to parameter of type '"spec.
export const wrong: Predicate<Widget> = changed("spec.sise");
