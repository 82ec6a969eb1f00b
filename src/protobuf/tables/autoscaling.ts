// Written by `deno task schemas` from the Go types of the Kubernetes API. Do not edit.

/** The messages of `autoscaling`. */
export const MESSAGES: string = `
CrossVersionObjectReference kind:s!,name:s!,apiVersion:s
+HorizontalPodAutoscaler metadata:meta.ObjectMeta!,spec:HorizontalPodAutoscalerSpec!,status:HorizontalPodAutoscalerStatus!
HorizontalPodAutoscalerSpec scaleTargetRef:CrossVersionObjectReference!,minReplicas:i?,maxReplicas:i!,targetCPUUtilizationPercentage:i?
HorizontalPodAutoscalerStatus observedGeneration:l?,lastScaleTime:t?,currentReplicas:i!,desiredReplicas:i!,currentCPUUtilizationPercentage:i?
+Scale metadata:meta.ObjectMeta!,spec:ScaleSpec!,status:ScaleStatus!
ScaleSpec replicas:i
ScaleStatus replicas:i!,selector:s
`;

/** The tables that they refer to. */
export const USES: readonly string[] = ["meta"];
