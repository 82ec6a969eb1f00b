// Refused: fields, values and conditions that the status does not have.

import type { Manager } from "@kubeloop/controller";
import { Widgets } from "./_widgets.ts";

declare const manager: Manager;

manager.controller(Widgets).reconcile(({ status }) => {
  // @ts-expect-error TS2561: but 'redy' does not exist in type 'StatusFields<
  status({ redy: 1 });
  // @ts-expect-error TS2322: Type 'string' is not assignable to type 'number'
  status({ ready: "1" });
  // @ts-expect-error TS2820: Did you mean '"Running"'?
  status({ phase: "Runing" });
  // @ts-expect-error TS2353: 'conditions' does not exist in type 'StatusFields<
  status({ conditions: [] });
  // @ts-expect-error TS2345: Argument of type '"Yes"' is not assignable to parameter of type
  status({ ready: 1 }).condition("Ready", "Yes", "AllUp");
});
