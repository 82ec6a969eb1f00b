// Written by `deno task schemas` from the Go types of the Kubernetes API. Do not edit.

/** The messages of `scheduling`. */
export const MESSAGES: string = `
+PriorityClass metadata:meta.ObjectMeta!,value:i!,globalDefault:b,description:s,preemptionPolicy:s?
`;

/** The tables that they refer to. */
export const USES: readonly string[] = ["meta"];
