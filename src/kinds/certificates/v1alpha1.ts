// Written by `deno task schemas` from the Go types of the Kubernetes API. Do not edit.
/**
 * The types of `certificates/v1alpha1`, and the descriptors of its resources.
 *
 * @module
 */

import {
  builtinResource,
  type Condition,
  type KubeList,
  type KubeObject,
  type Resource,
} from "../../types/minimal/mod.ts";
import type { Base64, Time } from "../scalars.ts";

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

/** A PodCertificateRequest of `certificates.k8s.io/v1alpha1`. @deprecated Kubernetes 1.34 is the last version that has it. */
export interface PodCertificateRequest extends KubeObject {
  /** The `spec` of a PodCertificateRequest. */
  spec: PodCertificateRequestSpec;
  /** The `status` of a PodCertificateRequest. */
  status?: PodCertificateRequestStatus;
}

/** A list of PodCertificateRequests. @deprecated Kubernetes 1.34 is the last version that has it. */
export type PodCertificateRequestList = KubeList<PodCertificateRequest>;

/** The `spec` of a PodCertificateRequest. @deprecated Kubernetes 1.34 is the last version that has it. */
export type PodCertificateRequestSpec = {
  signerName: string;
  podName: string;
  podUID: string;
  serviceAccountName: string;
  serviceAccountUID: string;
  nodeName: string;
  nodeUID: string;
  /** Default `86400`. */
  maxExpirationSeconds?: number;
  pkixPublicKey: Base64;
  proofOfPossession: Base64;
};

/** The `status` of a PodCertificateRequest. @deprecated Kubernetes 1.34 is the last version that has it. */
export type PodCertificateRequestStatus = {
  conditions?: Condition[];
  certificateChain?: string;
  notBefore?: Time;
  beginRefreshAt?: Time;
  notAfter?: Time;
};

/** The resource `clustertrustbundles.certificates.k8s.io`, which is cluster-scoped. @deprecated Kubernetes 1.36 is the last version that has it. */
export const ClusterTrustBundles: Resource<ClusterTrustBundle> = /* @__PURE__ */ builtinResource({
  group: "certificates.k8s.io",
  version: "v1alpha1",
  plural: "clustertrustbundles",
  kind: "ClusterTrustBundle",
  namespaced: false,
});

/** The resource `podcertificaterequests.certificates.k8s.io`. @deprecated Kubernetes 1.34 is the last version that has it. */
export const PodCertificateRequests: Resource<PodCertificateRequest> =
  /* @__PURE__ */ builtinResource({
    group: "certificates.k8s.io",
    version: "v1alpha1",
    plural: "podcertificaterequests",
    kind: "PodCertificateRequest",
    namespaced: true,
  });
