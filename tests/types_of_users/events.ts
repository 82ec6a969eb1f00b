// Refused: the type of an Event is Normal or Warning.

import type { Manager } from "@kubeloop/controller";
import { Widgets } from "./_widgets.ts";

declare const manager: Manager;

manager.controller(Widgets).reconcile(({ event }) => {
  event("Normal", "Written", "Wrote 5 characters");
  event("Warning", "Failed", "Cannot write", { action: "Write" });
  // @ts-expect-error TS2345: Argument of type '"Error"' is not assignable to parameter of type '"Normal" | "Warning"'
  event("Error", "Failed", "Cannot write");
});
