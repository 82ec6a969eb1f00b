// Written by `deno task schemas` from the Go types of the Kubernetes API. Do not edit.
import type { StructTable } from "../../../values/mod.ts";

/** The structs of `certificates`. */
export const CERTIFICATES: StructTable = {
  "certificates.CertificateSigningRequest": `
    @object; metadata meta.ObjectMeta!; spec certificates.CertificateSigningRequestSpec!*;
    status certificates.CertificateSigningRequestStatus!
  `,
  "certificates.CertificateSigningRequestCondition": `
    type string!* go=v1.RequestConditionType; status string!* go=v1.ConditionStatus #6;
    reason string #2; message string; lastUpdateTime time!; lastTransitionTime time!
  `,
  "certificates.CertificateSigningRequestList": `
    @object; metadata meta.ListMeta!; items []certificates.CertificateSigningRequest!*
  `,
  "certificates.CertificateSigningRequestSpec": `
    request bytes!*; signerName string!* #7; expirationSeconds int32?;
    usages []certificates.KeyUsage atomic go=[]v1.KeyUsage #5; username string #2; uid string;
    groups []string atomic; extra {}[]string go=map[string]v1.ExtraValue #6
  `,
  "certificates.CertificateSigningRequestStatus": `
    conditions []certificates.CertificateSigningRequestCondition map=type; certificate bytes
  `,
  "certificates.ClusterTrustBundle": `
    @object; metadata meta.ObjectMeta!; spec certificates.ClusterTrustBundleSpec!*
  `,
  "certificates.ClusterTrustBundleList": `
    @object; metadata meta.ListMeta!; items []certificates.ClusterTrustBundle!*
  `,
  "certificates.ClusterTrustBundleSpec": "signerName string; trustBundle string!*",
  "certificates.KeyUsage": `
    enum any | cert sign | client auth | code signing | content commitment | crl sign | data
    encipherment | decipher only | digital signature | email protection | encipher only | ipsec end
    system | ipsec tunnel | ipsec user | key agreement | key encipherment | microsoft sgc | netscape
    sgc | ocsp signing | s/mime | server auth | signing | timestamping
  `,
  "certificates.PodCertificateRequest": `
    @object; metadata meta.ObjectMeta!; spec certificates.PodCertificateRequestSpec!*;
    status certificates.PodCertificateRequestStatus!
  `,
  "certificates.PodCertificateRequestList": `
    @object; metadata meta.ListMeta!; items []certificates.PodCertificateRequest!*
  `,
  "certificates.PodCertificateRequestSpec": `
    signerName string!*; podName string!*; podUID string!* go=types.UID;
    serviceAccountName string!*; serviceAccountUID string!* go=types.UID;
    nodeName string!* go=types.NodeName; nodeUID string!* go=types.UID;
    maxExpirationSeconds int32? default=86400; stubPKCS10Request bytes!* #12;
    unverifiedUserAnnotations {}string #11
  `,
  "certificates.PodCertificateRequestStatus": `
    conditions []meta.Condition key=type; certificateChain string; notBefore time? #4;
    beginRefreshAt time?; notAfter time?
  `,
};
