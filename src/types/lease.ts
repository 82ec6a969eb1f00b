import type { KubeObject } from "./meta.ts";
import { defineResource } from "./define_resource.ts";
import type { Resource } from "./resource.ts";

/** A Lease: a lock that expires unless its holder renews it. Leader election uses it. */
export interface Lease extends KubeObject {
  /** The desired state: the holder, and the duration and times of the lease. Times have exactly six fraction digits. */
  spec?: {
    holderIdentity?: string;
    leaseDurationSeconds?: number;
    acquireTime?: string;
    renewTime?: string;
    leaseTransitions?: number;
    strategy?: string;
    preferredHolder?: string;
  };
}

/** The resource `leases.coordination.k8s.io`. */
export const Leases: Resource<Lease> = defineResource<Lease>({
  group: "coordination.k8s.io",
  version: "v1",
  plural: "leases",
  kind: "Lease",
  namespaced: true,
});
