// Written by `deno task schemas` from the Go types of the Kubernetes API. Do not edit.
import type { StructTable } from "../../../values/mod.ts";

/** The structs of `scheduling`. */
export const SCHEDULING: StructTable = {
  "scheduling.PriorityClass": `
    @object; metadata meta.ObjectMeta!; value int32!; globalDefault bool; description string;
    preemptionPolicy core.PreemptionPolicy? go=v1.PreemptionPolicy
  `,
  "scheduling.PriorityClassList": `
    @object; metadata meta.ListMeta!; items []scheduling.PriorityClass!*
  `,
};
