// Written by `deno task schemas` from the Go types of the Kubernetes API. Do not edit.

/** The messages of `policy`. */
export const MESSAGES: string = `
+Eviction metadata:meta.ObjectMeta!,deleteOptions:meta.DeleteOptions?
+PodDisruptionBudget metadata:meta.ObjectMeta!,spec:PodDisruptionBudgetSpec!,status:PodDisruptionBudgetStatus!
PodDisruptionBudgetSpec minAvailable:o?,selector:meta.LabelSelector?,maxUnavailable:o?,unhealthyPodEvictionPolicy:s?
PodDisruptionBudgetStatus observedGeneration:l,disruptedPods:{t,disruptionsAllowed:i!,currentHealthy:i!,desiredHealthy:i!,expectedPods:i!,conditions:[meta.Condition
`;

/** The tables that they refer to. */
export const USES: readonly string[] = ["meta"];
