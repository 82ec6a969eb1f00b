// Compiles: any path where nothing but the metadata is known, and below fields of any type.

import { defineResource, type KubeObject, type Manager } from "@kubeloop/controller";
import { changed, type Predicate } from "@kubeloop/controller/operator";
import { same } from "./_same.ts";

declare const manager: Manager;
declare const paths: string[];

const Things = defineResource({
  group: "acme.io",
  version: "v1",
  plural: "things",
  kind: "Thing",
  namespaced: true,
});
manager.controller(Things, { when: changed("spec.what.ever", ...paths) }).reconcile(
  ({ object }) => {
    same<typeof object.metadata.name, string>(true);
  },
);
const anywhere = changed("spec.size", "status");
same<typeof anywhere, Predicate<KubeObject>>(true);

interface Loose extends KubeObject {
  // deno-lint-ignore no-explicit-any
  spec: { values: Record<string, unknown>; anything: any; nothing: object };
}
const Loosely = defineResource<Loose>({
  group: "acme.io",
  version: "v1",
  plural: "loose",
  kind: "Loose",
  namespaced: true,
});
manager.controller(Loosely, {
  when: changed("spec.values.a.b.c", "spec.anything.d.e", "spec.nothing.f"),
})
  .reconcile(({ object }) => {
    same<typeof object.spec.values, Readonly<Record<string, unknown>>>(true);
  });
