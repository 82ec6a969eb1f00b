import type { KubeObject } from "./meta.ts";
import { defineResource, type Resource } from "./resource.ts";

/** A claim that holds for a time: what leader election rests on. */
export interface Lease extends KubeObject {
  /** Who holds it, since when and for how long; times have exactly six fraction digits. */
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

/** `leases.coordination.k8s.io` */
export const Leases: Resource<Lease> = defineResource<Lease>({
  group: "coordination.k8s.io",
  version: "v1",
  plural: "leases",
  kind: "Lease",
  namespaced: true,
});
