// Compiles: the examples about predicates, with each property of the objects.

import { ConfigMaps, type Manager } from "@kubeloop/controller";
import {
  allOf,
  annotationsChanged,
  anyOf,
  changed,
  generationChanged,
  labelsChanged,
  not,
  type Predicate,
} from "@kubeloop/controller/operator";
import { same } from "./_same.ts";
import { Widgets } from "./_widgets.ts";

const isPaused: Predicate = ({ object }) => object.metadata.labels?.["paused"] === "yes";

export function declare(manager: Manager): void {
  const when = allOf(anyOf(generationChanged, annotationsChanged), not(isPaused));
  manager.controller(ConfigMaps, { when, labelSelector: "app=web" }).reconcile(({ object }) => {
    same<typeof object.data, Readonly<Record<string, string>> | undefined>(true);
    same<typeof object.metadata.annotations, Readonly<Record<string, string>> | undefined>(true);
  });
  manager.controller(Widgets, {
    when: allOf(anyOf(generationChanged, labelsChanged), not(changed("spec.paused"))),
  })
    .reconcile(({ object }) => {
      same<typeof object.spec.paused, boolean | undefined>(true);
      same<NonNullable<typeof object.status>["ready"], number>(true);
    });
}
