// Refused: what a reconcile returns.

import type { Manager } from "@kubeloop/controller";
import { Widgets } from "./_widgets.ts";

declare const manager: Manager;

manager.controller(Widgets, { name: "a" }).reconcile(() => ({ requeueAfterMs: 1000, prune: true }));
manager.controller(Widgets, { name: "b" }).reconcile(async ({ object }) => {
  if (object.spec.paused) return;
  await Promise.resolve();
  return { prune: true };
});
// @ts-expect-error TS2322: Type '{ requeueAfter: number; }' is not assignable to type
manager.controller(Widgets, { name: "c" }).reconcile(() => ({ requeueAfter: 1000 }));
// @ts-expect-error TS2322: Type 'string' is not assignable to type 'number'
manager.controller(Widgets, { name: "d" }).reconcile(() => ({ requeueAfterMs: "1s" }));
