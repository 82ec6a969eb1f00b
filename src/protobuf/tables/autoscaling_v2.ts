// Written by `deno task schemas` from the Go types of the Kubernetes API. Do not edit.

/** The messages of `autoscaling/v2`. */
export const MESSAGES: string = `
ContainerResourceMetricSource name:s!,target:MetricTarget!,container:s!
ContainerResourceMetricStatus name:s!,current:MetricValueStatus!,container:s!
CrossVersionObjectReference kind:s!,name:s!,apiVersion:s
ExternalMetricSource metric:MetricIdentifier!,target:MetricTarget!
ExternalMetricStatus metric:MetricIdentifier!,current:MetricValueStatus!
HPAScalingPolicy type:s!,value:i!,periodSeconds:i!
HPAScalingRules 3stabilizationWindowSeconds:i?,1selectPolicy:s?,policies:[HPAScalingPolicy,4tolerance:q?
+HorizontalPodAutoscaler metadata:meta.ObjectMeta!,spec:HorizontalPodAutoscalerSpec!,status:HorizontalPodAutoscalerStatus!
HorizontalPodAutoscalerBehavior scaleUp:HPAScalingRules?,scaleDown:HPAScalingRules?
HorizontalPodAutoscalerCondition type:s!,status:s!,lastTransitionTime:t!,reason:s,message:s,observedGeneration:l?
HorizontalPodAutoscalerSpec scaleTargetRef:CrossVersionObjectReference!,minReplicas:i?,maxReplicas:i!,metrics:[MetricSpec,behavior:HorizontalPodAutoscalerBehavior?
HorizontalPodAutoscalerStatus observedGeneration:l?,lastScaleTime:t?,currentReplicas:i,desiredReplicas:i!,currentMetrics:[MetricStatus!,conditions:[HorizontalPodAutoscalerCondition
MetricIdentifier name:s!,selector:meta.LabelSelector?
MetricSpec type:s!,object:ObjectMetricSource?,pods:PodsMetricSource?,resource:ResourceMetricSource?,7containerResource:ContainerResourceMetricSource?,5external:ExternalMetricSource?
MetricStatus type:s!,object:ObjectMetricStatus?,pods:PodsMetricStatus?,resource:ResourceMetricStatus?,7containerResource:ContainerResourceMetricStatus?,5external:ExternalMetricStatus?
MetricTarget type:s!,value:q?,averageValue:q?,averageUtilization:i?
MetricValueStatus value:q?,averageValue:q?,averageUtilization:i?
ObjectMetricSource describedObject:CrossVersionObjectReference!,target:MetricTarget!,metric:MetricIdentifier!
ObjectMetricStatus metric:MetricIdentifier!,current:MetricValueStatus!,describedObject:CrossVersionObjectReference!
PodsMetricSource metric:MetricIdentifier!,target:MetricTarget!
PodsMetricStatus metric:MetricIdentifier!,current:MetricValueStatus!
ResourceMetricSource name:s!,target:MetricTarget!
ResourceMetricStatus name:s!,current:MetricValueStatus!
`;

/** The tables that they refer to. */
export const USES: readonly string[] = ["meta"];
