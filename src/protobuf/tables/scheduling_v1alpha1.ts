// Written by `deno task schemas` from the Go types of the Kubernetes API. Do not edit.

/** The messages of `scheduling/v1alpha1`. */
export const MESSAGES: string = `
BasicSchedulingPolicy 
GangSchedulingPolicy minCount:i!
PodGroup name:s!,3policy:PodGroupPolicy!
PodGroupPolicy 2basic:BasicSchedulingPolicy?,gang:GangSchedulingPolicy?
TypedLocalObjectReference apiGroup:s,kind:s!,name:s!
+Workload metadata:meta.ObjectMeta!,spec:WorkloadSpec!
WorkloadSpec controllerRef:TypedLocalObjectReference?,podGroups:[PodGroup!
`;

/** The tables that they refer to. */
export const USES: readonly string[] = ["meta"];
