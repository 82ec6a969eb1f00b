// Compiles: one declaration for several kinds: the object is one of them.

import {
  type Cached,
  type Manager,
  type Pod,
  Pods,
  type Service,
  Services,
} from "@kubeloop/controller";
import { generationChanged } from "@kubeloop/controller/operator";
import { same } from "./_same.ts";

declare const manager: Manager;

const handles = [Pods, Services].map((kind) =>
  manager.controller(kind, { when: generationChanged }).reconcile(({ object, status }) => {
    same<typeof object, Cached<Pod | Service>>(true);
    same<typeof object.metadata.name, string>(true);
    if (object.spec !== undefined && "containers" in object.spec) object.spec.containers[0]?.image;
    status();
  })
);
handles[0]?.trigger("default/a");
