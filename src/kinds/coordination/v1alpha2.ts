// Written by `deno task schemas` from the Go types of the Kubernetes API. Do not edit.
/**
 * The types of `coordination/v1alpha2`, and the descriptors of its resources.
 *
 * @module
 */

import { defineResource, type KubeList, type KubeObject, type Resource } from "../../types/mod.ts";
import type { CoordinatedLeaseStrategy } from "../coordination/v1.ts";
import type { MicroTime } from "../scalars.ts";

/** A LeaseCandidate of `coordination.k8s.io/v1alpha2`. */
export interface LeaseCandidate extends KubeObject {
  /** The `spec` of a LeaseCandidate. */
  spec?: LeaseCandidateSpec;
}

/** A list of LeaseCandidates. */
export type LeaseCandidateList = KubeList<LeaseCandidate>;

/** The `spec` of a LeaseCandidate. */
export type LeaseCandidateSpec = {
  leaseName: string;
  pingTime?: MicroTime;
  renewTime?: MicroTime;
  binaryVersion: string;
  emulationVersion?: string;
  strategy: CoordinatedLeaseStrategy;
};

/** The resource `leasecandidates.coordination.k8s.io`. */
export const LeaseCandidates: Resource<LeaseCandidate> = /* @__PURE__ */ defineResource({
  group: "coordination.k8s.io",
  version: "v1alpha2",
  plural: "leasecandidates",
  kind: "LeaseCandidate",
  namespaced: true,
});
