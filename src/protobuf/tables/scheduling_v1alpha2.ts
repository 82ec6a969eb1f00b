// Written by `deno task schemas` from the Go types of the Kubernetes API. Do not edit.

/** The messages of `scheduling/v1alpha2`. */
export const MESSAGES: string = `
BasicSchedulingPolicy 
GangSchedulingPolicy minCount:i!
+PodGroup metadata:meta.ObjectMeta!,spec:PodGroupSpec!,status:PodGroupStatus!
PodGroupResourceClaim name:s!,resourceClaimName:s?,resourceClaimTemplateName:s?
PodGroupResourceClaimStatus name:s!,resourceClaimName:s?
PodGroupSchedulingConstraints topology:[TopologyConstraint
PodGroupSchedulingPolicy basic:BasicSchedulingPolicy?,gang:GangSchedulingPolicy?
PodGroupSpec podGroupTemplateRef:PodGroupTemplateReference~,schedulingPolicy:PodGroupSchedulingPolicy!,schedulingConstraints:PodGroupSchedulingConstraints?,resourceClaims:[PodGroupResourceClaim,disruptionMode:s?,priorityClassName:s,priority:i?
PodGroupStatus conditions:[meta.Condition,resourceClaimStatuses:[PodGroupResourceClaimStatus
PodGroupTemplate name:s!,schedulingPolicy:PodGroupSchedulingPolicy!,schedulingConstraints:PodGroupSchedulingConstraints~,resourceClaims:[PodGroupResourceClaim,disruptionMode:s?,priorityClassName:s,priority:i?
PodGroupTemplateReference workload:WorkloadPodGroupTemplateReference~
TopologyConstraint key:s!
TypedLocalObjectReference apiGroup:s,kind:s!,name:s!
+Workload metadata:meta.ObjectMeta!,spec:WorkloadSpec!
WorkloadPodGroupTemplateReference workloadName:s!,podGroupTemplateName:s!
WorkloadSpec controllerRef:TypedLocalObjectReference?,podGroupTemplates:[PodGroupTemplate!
`;

/** The tables that they refer to. */
export const USES: readonly string[] = ["meta"];
