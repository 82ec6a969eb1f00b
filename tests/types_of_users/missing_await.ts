// Compiles: a call without `await` is not an error of types. The pass reports it at run time.

import { ConfigMaps, type Manager } from "@kubeloop/controller";
import { same } from "./_same.ts";
import { Widgets } from "./_widgets.ts";

declare const manager: Manager;

manager.controller(Widgets).owns(ConfigMaps).reconcile(({ name, apply }) => {
  const applied = apply(ConfigMaps, { metadata: { name } });
  same<Awaited<typeof applied>["data"], Readonly<Record<string, string>> | undefined>(true);
});
