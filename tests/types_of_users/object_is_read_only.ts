// Refused: objects of a cache, which all readers share.

import { deepCopy, type Manager, Pods } from "@kubeloop/controller";
import { same } from "./_same.ts";
import { type Widget, Widgets } from "./_widgets.ts";

declare const manager: Manager;

manager.controller(Widgets).watches(Pods, { map: () => [] }).reconcile(({ object, cache }) => {
  // @ts-expect-error TS2540: Cannot assign to 'size' because it is a read-only property
  object.spec.size = 2;
  // @ts-expect-error TS2339: Property 'push' does not exist on type 'readonly
  object.spec.ports?.push({ name: "http", port: 80 });
  // @ts-expect-error TS2532: Object is possibly 'undefined'
  cache(Pods).get("a", "b").metadata;
  const copy: Widget = deepCopy(object);
  copy.spec.size = 2;
  same<typeof copy.spec.size, number>(true);
});
