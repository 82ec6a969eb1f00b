// Written by `deno task schemas` from the Go types of the Kubernetes API. Do not edit.

/** The messages of `node`. */
export const MESSAGES: string = `
Overhead podFixed:{q
+RuntimeClass metadata:meta.ObjectMeta!,handler:s!,overhead:Overhead?,scheduling:Scheduling?
Scheduling nodeSelector:{s,tolerations:[core.Toleration
`;

/** The tables that they refer to. */
export const USES: readonly string[] = ["core", "meta"];
