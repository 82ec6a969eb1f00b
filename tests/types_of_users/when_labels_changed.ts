// Compiles: `labelsChanged` leaves the type of the object alone.

import { type Manager, Pods } from "@kubeloop/controller";
import { labelsChanged } from "@kubeloop/controller/operator";
import { same } from "./_same.ts";

declare const manager: Manager;

manager.controller(Pods, { when: labelsChanged }).reconcile(({ object }) => {
  same<typeof object.metadata.uid, string>(true);
  for (const { name, image } of object.spec?.containers ?? []) {
    same<[typeof name, typeof image], [string, string | undefined]>(true);
  }
  same<NonNullable<typeof object.status>["podIP"], string | undefined>(true);
});
