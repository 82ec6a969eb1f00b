// Compiles: kinds with little in common, as sources, in caches, and removed.

import { ConfigMaps, Deployments, type Manager, Secrets, Services } from "@kubeloop/controller";
import { changed, labelsChanged } from "@kubeloop/controller/operator";
import { same } from "./_same.ts";
import { Widgets } from "./_widgets.ts";

declare const manager: Manager;

const KINDS = [Deployments, Services, ConfigMaps] as const;
const builder = manager.controller(Widgets);
for (const kind of KINDS) builder.owns(kind, { when: labelsChanged });
for (const kind of [Secrets, Services]) {
  builder.watches(kind, {
    when: changed("metadata.labels", "data", "spec.ports"),
    map: (object) => object.metadata.annotations?.["acme.io/widget"] ?? [],
  });
}
builder.reconcile(async ({ object, owned, remove, cache, apply, name }) => {
  same<typeof object.spec.size, number>(true);
  for (const kind of KINDS) {
    for (const child of owned(kind)) {
      if (child.metadata.labels?.["old"] === "yes") await remove(kind, child);
    }
    void cache(kind).list({ selector: "app=web" }).length;
    await apply(kind, { metadata: { name, labels: { widget: name } } });
  }
  for (const kind of [Deployments, Services]) void manager.cache(kind).get("a", "b")?.metadata.uid;
});
