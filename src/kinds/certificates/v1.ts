// Written by `deno task schemas` from the Go types of the Kubernetes API. Do not edit.
/**
 * The types of `certificates/v1`, and the descriptors of its resources.
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
import type { ConditionStatus } from "../core/types.ts";
import type { Base64, OpenEnum, Time } from "../scalars.ts";

/** A CertificateSigningRequest of `certificates.k8s.io/v1`. */
export interface CertificateSigningRequest extends KubeObject {
  /** The `spec` of a CertificateSigningRequest. */
  spec: CertificateSigningRequestSpec;
  /** The `status` of a CertificateSigningRequest. */
  status?: CertificateSigningRequestStatus;
}

/** The `status.conditions[]` of a CertificateSigningRequest. */
export type CertificateSigningRequestCondition = {
  type: RequestConditionType;
  status: ConditionStatus;
  reason?: string;
  message?: string;
  lastUpdateTime?: Time | null;
  lastTransitionTime?: Time;
};

/** A list of CertificateSigningRequests. */
export type CertificateSigningRequestList = KubeList<CertificateSigningRequest>;

/** The `spec` of a CertificateSigningRequest. */
export type CertificateSigningRequestSpec = {
  request: Base64;
  signerName: string;
  expirationSeconds?: number;
  usages?: KeyUsage[];
  username?: string;
  uid?: string;
  groups?: string[];
  extra?: Record<string, string[]>;
};

/** The `status` of a CertificateSigningRequest. */
export type CertificateSigningRequestStatus = {
  conditions?: CertificateSigningRequestCondition[];
  certificate?: Base64;
};

/** A ClusterTrustBundle of `certificates.k8s.io/v1`. Since Kubernetes 1.37. */
export interface ClusterTrustBundle extends KubeObject {
  /** The `spec` of a ClusterTrustBundle. */
  spec: ClusterTrustBundleSpec;
}

/** A list of ClusterTrustBundles. Since Kubernetes 1.37. */
export type ClusterTrustBundleList = KubeList<ClusterTrustBundle>;

/** The `spec` of a ClusterTrustBundle. Since Kubernetes 1.37. */
export type ClusterTrustBundleSpec = {
  signerName?: string;
  trustBundle: string;
};

/** The known values of `KeyUsage`. */
export type KeyUsage = OpenEnum<
  | "any"
  | "cert sign"
  | "client auth"
  | "code signing"
  | "content commitment"
  | "crl sign"
  | "data encipherment"
  | "decipher only"
  | "digital signature"
  | "email protection"
  | "encipher only"
  | "ipsec end system"
  | "ipsec tunnel"
  | "ipsec user"
  | "key agreement"
  | "key encipherment"
  | "microsoft sgc"
  | "netscape sgc"
  | "ocsp signing"
  | "s/mime"
  | "server auth"
  | "signing"
  | "timestamping"
>;

/** A PodCertificateRequest of `certificates.k8s.io/v1`. Since Kubernetes 1.37. */
export interface PodCertificateRequest extends KubeObject {
  /** The `spec` of a PodCertificateRequest. */
  spec: PodCertificateRequestSpec;
  /** The `status` of a PodCertificateRequest. */
  status?: PodCertificateRequestStatus;
}

/** A list of PodCertificateRequests. Since Kubernetes 1.37. */
export type PodCertificateRequestList = KubeList<PodCertificateRequest>;

/** The `spec` of a PodCertificateRequest. Since Kubernetes 1.37. */
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
  stubPKCS10Request: Base64;
  unverifiedUserAnnotations?: Record<string, string>;
};

/** The `status` of a PodCertificateRequest. Since Kubernetes 1.37. */
export type PodCertificateRequestStatus = {
  conditions?: Condition[];
  certificateChain?: string;
  notBefore?: Time;
  beginRefreshAt?: Time;
  notAfter?: Time;
};

/** The known values of `RequestConditionType`. */
export type RequestConditionType = OpenEnum<"Approved" | "Denied" | "Failed">;

/** The resource `certificatesigningrequests.certificates.k8s.io`, which is cluster-scoped. */
export const CertificateSigningRequests: Resource<CertificateSigningRequest> =
  /* @__PURE__ */ builtinResource({
    group: "certificates.k8s.io",
    version: "v1",
    plural: "certificatesigningrequests",
    kind: "CertificateSigningRequest",
    namespaced: false,
  });

/** The resource `clustertrustbundles.certificates.k8s.io`, which is cluster-scoped. Since Kubernetes 1.37. */
export const ClusterTrustBundles: Resource<ClusterTrustBundle> = /* @__PURE__ */ builtinResource({
  group: "certificates.k8s.io",
  version: "v1",
  plural: "clustertrustbundles",
  kind: "ClusterTrustBundle",
  namespaced: false,
});

/** The resource `podcertificaterequests.certificates.k8s.io`. Since Kubernetes 1.37. */
export const PodCertificateRequests: Resource<PodCertificateRequest> =
  /* @__PURE__ */ builtinResource({
    group: "certificates.k8s.io",
    version: "v1",
    plural: "podcertificaterequests",
    kind: "PodCertificateRequest",
    namespaced: true,
  });
