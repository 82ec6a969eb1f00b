// Written by `deno task schemas` from the Go types of the Kubernetes API. Do not edit.
/**
 * The types of `certificates/v1beta1`, and the descriptors of its resources.
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

/** A ClusterTrustBundle of `certificates.k8s.io/v1beta1`. */
export interface ClusterTrustBundle extends KubeObject {
  /** The `spec` of a ClusterTrustBundle. */
  spec: ClusterTrustBundleSpec;
}

/** A list of ClusterTrustBundles. */
export type ClusterTrustBundleList = KubeList<ClusterTrustBundle>;

/** The `spec` of a ClusterTrustBundle. */
export type ClusterTrustBundleSpec = {
  signerName?: string;
  trustBundle: string;
};

/** A PodCertificateRequest of `certificates.k8s.io/v1beta1`. */
export interface PodCertificateRequest extends KubeObject {
  /** The `spec` of a PodCertificateRequest. */
  spec: PodCertificateRequestSpec;
  /** The `status` of a PodCertificateRequest. */
  status?: PodCertificateRequestStatus;
}

/** A list of PodCertificateRequests. */
export type PodCertificateRequestList = KubeList<PodCertificateRequest>;

/** The `spec` of a PodCertificateRequest. */
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
  /** Since Kubernetes 1.36. */
  stubPKCS10Request?: Base64;
  unverifiedUserAnnotations?: Record<string, string>;
};

/** The `status` of a PodCertificateRequest. */
export type PodCertificateRequestStatus = {
  conditions?: Condition[];
  certificateChain?: string;
  notBefore?: Time;
  beginRefreshAt?: Time;
  notAfter?: Time;
};

/** The resource `clustertrustbundles.certificates.k8s.io`, which is cluster-scoped. */
export const ClusterTrustBundles: Resource<ClusterTrustBundle> = /* @__PURE__ */ builtinResource({
  group: "certificates.k8s.io",
  version: "v1beta1",
  plural: "clustertrustbundles",
  kind: "ClusterTrustBundle",
  namespaced: false,
});

/** The resource `podcertificaterequests.certificates.k8s.io`. */
export const PodCertificateRequests: Resource<PodCertificateRequest> =
  /* @__PURE__ */ builtinResource({
    group: "certificates.k8s.io",
    version: "v1beta1",
    plural: "podcertificaterequests",
    kind: "PodCertificateRequest",
    namespaced: true,
  });
