// Written by `deno task schemas` from the Go types of the Kubernetes API. Do not edit.

/** The messages of `coordination`. */
export const MESSAGES: string = `
+Lease metadata:meta.ObjectMeta!,spec:LeaseSpec!
LeaseSpec holderIdentity:s?,leaseDurationSeconds:i?,acquireTime:u?,renewTime:u?,leaseTransitions:i?,strategy:s?,preferredHolder:s?
`;

/** The tables that they refer to. */
export const USES: readonly string[] = ["meta"];
