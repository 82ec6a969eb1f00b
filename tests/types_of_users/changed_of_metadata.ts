// Refused: a kind whose metadata alone is watched has no spec, neither in paths nor in objects.

import { type Manager, metadataOf, Pods, Secrets } from "@kubeloop/controller";
import { changed } from "@kubeloop/controller/operator";
import { same } from "./_same.ts";
import { Widgets } from "./_widgets.ts";

declare const manager: Manager;

manager.controller(metadataOf(Pods), { when: changed("metadata.labels.app") }).reconcile(
  ({ object }) => {
    same<typeof object.metadata.name, string>(true);
    // @ts-expect-error TS2339: Property 'spec' does not exist on type
    object.spec;
  },
);
// @ts-expect-error TS2345: Argument of type '"spec.nodeName"' is not assignable to parameter of type
manager.controller(metadataOf(Pods), { name: "b", when: changed("spec.nodeName") });
manager.controller(Widgets).watches(metadataOf(Secrets), {
  map: (secret) => secret.metadata.ownerReferences?.map(({ name }) => ({ name, namespace: "a" })),
  // @ts-expect-error TS2345: Argument of type '"data"' is not assignable to parameter of type
  when: changed("data"),
});
