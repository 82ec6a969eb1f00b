// Written by `deno task schemas` from the Go types of the Kubernetes API. Do not edit.
/**
 * The types of `coordination/v1`, and the descriptors of its resources, except the descriptors of `often.ts`.
 *
 * @module
 */

import type { KubeList, KubeObject } from "../../types/minimal/mod.ts";
import type { MicroTime, OpenEnum } from "../scalars.ts";

/** The known values of `CoordinatedLeaseStrategy`. */
export type CoordinatedLeaseStrategy = OpenEnum<"OldestEmulationVersion">;

/** A Lease of `coordination.k8s.io/v1`. */
export interface Lease extends KubeObject {
  /** The `spec` of a Lease. */
  spec?: LeaseSpec;
}

/** A list of Leases. */
export type LeaseList = KubeList<Lease>;

/** The `spec` of a Lease. */
export type LeaseSpec = {
  holderIdentity?: string;
  leaseDurationSeconds?: number;
  acquireTime?: MicroTime;
  renewTime?: MicroTime;
  leaseTransitions?: number;
  strategy?: CoordinatedLeaseStrategy;
  preferredHolder?: string;
};
