// Written by `deno task schemas` from the Go types of the Kubernetes API. Do not edit.
/**
 * The types of `certificates/v1alpha1`, and the descriptors of its resources.
 *
 * @module
 */

import {
  builtinResource,
  type KubeList,
  type KubeObject,
  type Resource,
} from "../../types/minimal/mod.ts";

/** A ClusterTrustBundle of `certificates.k8s.io/v1alpha1`. @deprecated Kubernetes 1.36 is the last version that has it. */
export interface ClusterTrustBundle extends KubeObject {
  /** The `spec` of a ClusterTrustBundle. */
  spec: ClusterTrustBundleSpec;
}

/** A list of ClusterTrustBundles. @deprecated Kubernetes 1.36 is the last version that has it. */
export type ClusterTrustBundleList = KubeList<ClusterTrustBundle>;

/** The `spec` of a ClusterTrustBundle. @deprecated Kubernetes 1.36 is the last version that has it. */
export type ClusterTrustBundleSpec = {
  signerName?: string;
  trustBundle: string;
};

/** The resource `clustertrustbundles.certificates.k8s.io`, which is cluster-scoped. @deprecated Kubernetes 1.36 is the last version that has it. */
export const ClusterTrustBundles: Resource<ClusterTrustBundle> = /* @__PURE__ */ builtinResource({
  group: "certificates.k8s.io",
  version: "v1alpha1",
  plural: "clustertrustbundles",
  kind: "ClusterTrustBundle",
  namespaced: false,
});
