// Written by `deno task schemas` from the Go types of the Kubernetes API. Do not edit.
import type { StructTable } from "../../../values/mod.ts";

/** The structs of `node`. */
export const NODE: StructTable = {
  "node.Overhead": "podFixed {}quantity go=v1.ResourceList",
  "node.RuntimeClass": `
    @object; metadata meta.ObjectMeta!; handler string!*; overhead node.Overhead?;
    scheduling node.Scheduling?
  `,
  "node.RuntimeClassList": "@object; metadata meta.ListMeta!; items []node.RuntimeClass!*",
  "node.Scheduling": "nodeSelector {}string atomic; tolerations []core.Toleration atomic",
};
