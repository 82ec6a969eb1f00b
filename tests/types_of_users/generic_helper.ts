// Compiles: a function that declares a controller of any kind.

import {
  type Cached,
  ConfigMaps,
  type KubeObject,
  type Manager,
  type Reconciliation,
  type Resource,
} from "@kubeloop/controller";
import {
  allOf,
  anyOf,
  changed,
  generationChanged,
  labelsChanged,
  not,
  type Predicate,
} from "@kubeloop/controller/operator";
import { same } from "./_same.ts";
import { Widgets } from "./_widgets.ts";

declare const manager: Manager;

function labelled<T extends KubeObject>(
  kind: Resource<T>,
  use: (object: Cached<T>) => void,
  when: Predicate<T> = generationChanged,
) {
  return manager.controller(kind, {
    when: anyOf(when, not(labelsChanged), changed<KubeObject>("spec.size")),
  })
    .owns(ConfigMaps, { when: labelsChanged })
    .watches(kind, {
      when: allOf(when, ({ object }) => object.metadata.name !== ""),
      map: (object) => object,
    })
    .reconcile(({ object, cache }: Reconciliation<T>) => {
      use(object);
      for (const other of cache(kind).list()) use(other);
    });
}

labelled(Widgets, ({ spec }) => same<typeof spec.size, number>(true), changed("spec.size"));
labelled(
  ConfigMaps,
  ({ data }) => same<typeof data, Readonly<Record<string, string>> | undefined>(true),
);
