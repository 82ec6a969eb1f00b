// Compiles: some fields of the status, typed, with conditions.

import type { Manager } from "@kubeloop/controller";
import { same } from "./_same.ts";
import { Widgets } from "./_widgets.ts";

declare const manager: Manager;

manager.controller(Widgets).reconcile(async ({ object, status }) => {
  status({ ready: 1 });
  status({ phase: "Running" }).condition("Ready", "True", "AllUp", "Everything runs")
    .removeCondition("Stalled");
  status({ phase: null, ready: undefined });
  status().condition("Ready", "Unknown", "Starting");
  await status({ ready: 2 }).write();
  const [condition] = object.status?.conditions ?? [];
  same<NonNullable<typeof condition>["status"], "True" | "False" | "Unknown">(true);
  same<NonNullable<typeof object.status>["observedGeneration"], number | undefined>(true);
});
