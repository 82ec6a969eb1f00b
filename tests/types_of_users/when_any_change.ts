// Compiles: `anyChange` leaves the type of the object alone.

import { ConfigMaps, type Manager } from "@kubeloop/controller";
import { anyChange } from "@kubeloop/controller/operator";
import { same } from "./_same.ts";

declare const manager: Manager;

manager.controller(ConfigMaps, { when: anyChange }).reconcile(({ object }) => {
  same<typeof object.data, Readonly<Record<string, string>> | undefined>(true);
  object.data?.["key"]?.toUpperCase();
});
