// Refused: names with dots in a type, a path from a choice, and paths that are long.

import { defineResource, type KubeObject, type Manager } from "@kubeloop/controller";
import { changed } from "@kubeloop/controller/operator";
import { CustomResourceDefinitions } from "@kubeloop/controller/types/apiextensions/v1";
import { same } from "./_same.ts";

declare const manager: Manager;
declare const isLarge: boolean;

interface Pull extends KubeObject {
  data: { ".dockerconfigjson": string; "a.b": { c: number } };
  items?: { name: string }[][];
}
const Pulls = defineResource<Pull>({
  group: "acme.io",
  version: "v1",
  plural: "pulls",
  kind: "Pull",
  namespaced: true,
});

manager.controller(Pulls, {
  when: changed(
    "data.\\.dockerconfigjson",
    "data.a\\.b.c",
    ["data", ".dockerconfigjson"],
    "items.0.1.name",
    isLarge ? "data" : "items",
  ),
}).reconcile(({ object }) => {
  same<typeof object.data["a.b"]["c"], number>(true);
});
// @ts-expect-error TS2345, in several lines: Did you mean '"items"'?
manager.controller(Pulls, { name: "b", when: changed(isLarge ? "data" : "itms") });
// @ts-expect-error TS2345: Argument of type '"data.a\\.b.d"' is not assignable to parameter of type '"data.a\\.b.c"'
manager.controller(Pulls, { name: "c", when: changed("data.a\\.b.d") });
manager.controller(CustomResourceDefinitions, {
  when: changed(
    "spec.versions.0.schema.openAPIV3Schema.properties.spec.properties.a.properties.b.properties.c.properties.d.properties.e.properties.f.properties.g.properties.h.properties.i.properties.j.properties.k.properties.l.properties.m.properties.n.properties.o.properties.p.properties.q.properties.r.properties.s.properties.t.properties.u.properties.v.properties.w.properties.x.properties.y.properties.z.type",
  ),
}).reconcile(({ object }) => {
  same<typeof object.spec.group, string>(true);
});
