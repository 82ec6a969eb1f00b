// Refused: the versions of a definition have their conversions, with the types of their schemas.

import { defineResource } from "@kubeloop/controller";
import { conversion } from "@kubeloop/controller/operator";
import { z } from "zod";
import { same } from "./_same.ts";

const Gadgets = defineResource({
  group: "acme.io",
  version: "v1",
  kind: "Gadget",
  spec: z.object({ size: z.int() }),
  versions: [
    { name: "v1beta1", spec: z.object({ length: z.int() }) },
    {
      name: "v1alpha1",
      spec: { type: "object", properties: { metres: { type: "number" } }, required: ["metres"] },
    },
  ],
});

conversion(Gadgets, {
  v1beta1: {
    toHub: (old) => {
      same<typeof old.spec.length, number>(true);
      return { ...old, spec: { size: old.spec.length } };
    },
    fromHub: (gadget) => {
      same<typeof gadget.spec.size, number>(true);
      return { ...gadget, spec: { length: gadget.spec.size } };
    },
  },
  v1alpha1: {
    toHub: (old) => ({ ...old, spec: { size: old.spec.metres } }),
    fromHub: (gadget) => ({ ...gadget, spec: { metres: gadget.spec.size } }),
  },
});
const v1alpha1 = {
  toHub: (old: { metadata: object; spec: { metres: number } }) => ({
    ...old,
    spec: { size: old.spec.metres },
  }),
  fromHub: (gadget: { metadata: object; spec: { size: number } }) => ({
    ...gadget,
    spec: { metres: gadget.spec.size },
  }),
};
conversion(Gadgets, {
  v1alpha1,
  v1beta1: {
    // @ts-expect-error TS2551: Property 'lenght' does not exist on type
    toHub: (old) => ({ ...old, spec: { size: old.spec.lenght } }),
    // @ts-expect-error TS2561: but 'lenght' does not exist in type
    fromHub: (gadget) => ({ ...gadget, spec: { lenght: gadget.spec.size } }),
  },
});
// @ts-expect-error TS2345 or TS2741, in several lines: Property 'v1beta1' is missing in type
conversion(Gadgets, { v1alpha1 });
// @ts-expect-error TS2561: but 'v1beta2' does not exist in type
conversion(Gadgets, { v1alpha1, v1beta2: v1alpha1 });
