// Written by `deno task schemas` from the Go types of the Kubernetes API. Do not edit.

/** The messages of `coordination/v1beta1`. */
export const MESSAGES: string = `
+LeaseCandidate metadata:meta.ObjectMeta!,spec:LeaseCandidateSpec!
LeaseCandidateSpec leaseName:s!,pingTime:u?,renewTime:u?,binaryVersion:s!,emulationVersion:s,strategy:s
`;

/** The tables that they refer to. */
export const USES: readonly string[] = ["meta"];
