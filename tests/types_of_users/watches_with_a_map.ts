// Compiles: a mapper gets the watched object, whatever `when` is.

import { ConfigMaps, type Manager, Pods, Secrets } from "@kubeloop/controller";
import { changed, generationChanged } from "@kubeloop/controller/operator";
import { same } from "./_same.ts";
import { Widgets } from "./_widgets.ts";

declare const manager: Manager;

manager.controller(Widgets)
  .watches(Secrets, {
    when: changed("data", "metadata.labels"),
    map: ({ metadata: { namespace, name }, data }) => {
      same<typeof data, Readonly<Record<string, string>> | undefined>(true);
      return `${namespace}/${name}`;
    },
  })
  .watches(ConfigMaps, {
    map: ({ data, metadata }) =>
      Object.keys(data ?? {}).map((name) => ({ name, namespace: metadata.namespace ?? "" })),
    when: generationChanged,
  })
  .watches(Pods, {
    map: (pod, { type, old }) =>
      type === "updated" && old?.spec?.nodeName !== pod.spec?.nodeName ? pod : undefined,
  })
  .reconcile(({ object, cache }) => {
    same<typeof object.spec.size, number>(true);
    same<
      NonNullable<ReturnType<ReturnType<typeof cache<typeof Secrets>>["get"]>>["metadata"]["uid"],
      string
    >(true);
  });
