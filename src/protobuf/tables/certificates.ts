// Written by `deno task schemas` from the Go types of the Kubernetes API. Do not edit.

/** The messages of `certificates`. */
export const MESSAGES: string = `
+CertificateSigningRequest metadata:meta.ObjectMeta!,spec:CertificateSigningRequestSpec!,status:CertificateSigningRequestStatus!
CertificateSigningRequestCondition type:s!,6status:s!,2reason:s,message:s,lastUpdateTime:t!,lastTransitionTime:t!
CertificateSigningRequestSpec request:y!,7signerName:s!,expirationSeconds:i?,5usages:[s,2username:s,uid:s,groups:[s,6extra:{[s
CertificateSigningRequestStatus conditions:[CertificateSigningRequestCondition,certificate:y
+ClusterTrustBundle metadata:meta.ObjectMeta!,spec:ClusterTrustBundleSpec!
ClusterTrustBundleSpec signerName:s,trustBundle:s!
+PodCertificateRequest metadata:meta.ObjectMeta!,spec:PodCertificateRequestSpec!,status:PodCertificateRequestStatus!
PodCertificateRequestSpec signerName:s!,podName:s!,podUID:s!,serviceAccountName:s!,serviceAccountUID:s!,nodeName:s!,nodeUID:s!,maxExpirationSeconds:i?,12stubPKCS10Request:y!,11unverifiedUserAnnotations:{s
PodCertificateRequestStatus conditions:[meta.Condition,certificateChain:s,4notBefore:t?,beginRefreshAt:t?,notAfter:t?
`;

/** The tables that they refer to. */
export const USES: readonly string[] = ["meta"];
