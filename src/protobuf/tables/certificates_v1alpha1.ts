// Written by `deno task schemas` from the Go types of the Kubernetes API. Do not edit.

/** The messages of `certificates/v1alpha1`. */
export const MESSAGES: string = `
+ClusterTrustBundle metadata:meta.ObjectMeta!,spec:ClusterTrustBundleSpec!
ClusterTrustBundleSpec signerName:s,trustBundle:s!
+PodCertificateRequest metadata:meta.ObjectMeta!,spec:PodCertificateRequestSpec!,status:PodCertificateRequestStatus!
PodCertificateRequestSpec signerName:s!,podName:s!,podUID:s!,serviceAccountName:s!,serviceAccountUID:s!,nodeName:s!,nodeUID:s!,maxExpirationSeconds:i?,pkixPublicKey:y!,proofOfPossession:y!
PodCertificateRequestStatus conditions:[meta.Condition,certificateChain:s,4notBefore:t?,beginRefreshAt:t?,notAfter:t?
`;

/** The tables that they refer to. */
export const USES: readonly string[] = ["meta"];
