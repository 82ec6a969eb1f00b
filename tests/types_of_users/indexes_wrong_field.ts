// Refused: indices of fields that the kind does not have.

import type { Manager } from "@kubeloop/controller";
import { pathIndexFunc } from "@kubeloop/controller/cache";
import { Widgets } from "./_widgets.ts";

declare const manager: Manager;

manager.controller(Widgets)
  .indexes({
    // @ts-expect-error TS2551: Property 'imag' does not exist on type
    image: ({ spec }) => [spec.imag],
    // @ts-expect-error TS2345: Argument of type '"spec.imag"' is not assignable to parameter of type '"spec.
    path: pathIndexFunc("spec.imag"),
    // @ts-expect-error TS2322: Type 'string' is not assignable to type 'readonly string[]'
    text: ({ spec }) => spec.image,
  });
