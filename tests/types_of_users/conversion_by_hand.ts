// Compiles: without a definition, the functions say what the objects of a version are.

import { defineResource, type KubeObject } from "@kubeloop/controller";
import { conversion } from "@kubeloop/controller/operator";
import { same } from "./_same.ts";

interface Gadget extends KubeObject {
  spec: { size: number };
}
interface OldGadget extends KubeObject {
  spec: { length: number };
}
const Gadgets = defineResource<Gadget>({
  group: "acme.io",
  version: "v1",
  plural: "gadgets",
  kind: "Gadget",
  namespaced: true,
});

conversion(Gadgets, {
  v1beta1: {
    toHub: (old: OldGadget) => ({ ...old, spec: { size: old.spec.length } }),
    fromHub: (gadget) => {
      same<typeof gadget.spec.size, number>(true);
      return { ...gadget, spec: { length: gadget.spec.size } };
    },
  },
});
