// Refused: a field that only one of several kinds has.

import { type Manager, Pods, Services } from "@kubeloop/controller";

declare const manager: Manager;

for (const kind of [Pods, Services]) {
  manager.controller(kind).reconcile(({ object }) => {
    // @ts-expect-error TS2339, in several lines: Property 'containers' does not exist on type
    object.spec?.containers;
  });
}
