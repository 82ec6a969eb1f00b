// Written by `deno task schemas` from the Go types of the Kubernetes API. Do not edit.
import type { StructTable } from "../../../values/mod.ts";

/** The structs of `coordination`. */
export const COORDINATION: StructTable = {
  "coordination.Lease": "@object; metadata meta.ObjectMeta!; spec coordination.LeaseSpec!",
  "coordination.LeaseList": "@object; metadata meta.ListMeta!; items []coordination.Lease!*",
  "coordination.LeaseSpec": `
    holderIdentity string?; leaseDurationSeconds int32?; acquireTime microTime?;
    renewTime microTime?; leaseTransitions int32?; strategy string? go=v1.CoordinatedLeaseStrategy;
    preferredHolder string?
  `,
};
