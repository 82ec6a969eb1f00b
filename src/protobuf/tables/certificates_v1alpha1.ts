// Written by `deno task schemas` from the Go types of the Kubernetes API. Do not edit.

/** The messages of `certificates/v1alpha1`. */
export const MESSAGES: string = `
+ClusterTrustBundle metadata:meta.ObjectMeta!,spec:ClusterTrustBundleSpec!
ClusterTrustBundleSpec signerName:s,trustBundle:s!
`;

/** The tables that they refer to. */
export const USES: readonly string[] = ["meta"];
