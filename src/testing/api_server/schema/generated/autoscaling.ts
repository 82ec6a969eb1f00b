// Written by `deno task schemas` from the Go types of the Kubernetes API. Do not edit.
import type { StructTable } from "../../../values/mod.ts";

/** The structs of `autoscaling`. */
export const AUTOSCALING: StructTable = {
  "autoscaling.CrossVersionObjectReference": `
    @atomic; kind string!*; name string!*; apiVersion string
  `,
  "autoscaling.HorizontalPodAutoscaler": `
    @object; metadata meta.ObjectMeta!; spec autoscaling.HorizontalPodAutoscalerSpec!*;
    status autoscaling.HorizontalPodAutoscalerStatus!
  `,
  "autoscaling.HorizontalPodAutoscalerList": `
    @object; metadata meta.ListMeta!; items []autoscaling.HorizontalPodAutoscaler!*
  `,
  "autoscaling.HorizontalPodAutoscalerSpec": `
    scaleTargetRef autoscaling.CrossVersionObjectReference!*; minReplicas int32?;
    maxReplicas int32!*; targetCPUUtilizationPercentage int32?
  `,
  "autoscaling.HorizontalPodAutoscalerStatus": `
    observedGeneration int64?; lastScaleTime time?; currentReplicas int32!*;
    desiredReplicas int32!*; currentCPUUtilizationPercentage int32?
  `,
  "autoscaling.Scale": `
    @object; metadata meta.ObjectMeta!; spec autoscaling.ScaleSpec!;
    status autoscaling.ScaleStatus!
  `,
  "autoscaling.ScaleSpec": "replicas int32 default=0",
  "autoscaling.ScaleStatus": "replicas int32!*; selector string",
};
