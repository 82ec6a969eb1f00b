// Compiles: indices are functions of the reconciled object; a mapper reads them.

import { type Cached, type Manager, Secrets } from "@kubeloop/controller";
import { pathIndexFunc } from "@kubeloop/controller/cache";
import { same } from "./_same.ts";
import { type Widget, Widgets } from "./_widgets.ts";

declare const manager: Manager;

const widgets = manager.cache(Widgets);
manager.controller(Widgets)
  .indexes({
    secret: ({ metadata, spec }) =>
      spec.secret === undefined ? [] : [`${metadata.namespace}/${spec.secret}`],
    image: pathIndexFunc("spec.image"),
    port: pathIndexFunc("spec.ports.0.name"),
    app: pathIndexFunc(["metadata", "labels", "app.kubernetes.io/name"]),
  })
  .watches(Secrets, {
    map: ({ metadata: { namespace, name } }) => widgets.byIndex("secret", `${namespace}/${name}`),
  })
  .reconcile(({ cache }) => {
    same<ReturnType<typeof widgets.byIndex>, readonly Cached<Widget>[]>(true);
    void cache(Widgets).byIndex("image", "nginx")[0]?.spec.size;
  });
