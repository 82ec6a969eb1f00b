// Written by `deno task schemas` from the Go types of the Kubernetes API. Do not edit.

/** The messages of `scheduling/v1alpha3`. */
export const MESSAGES: string = `
AllCompositeDisruptionMode 
AllDisruptionMode 
BasicSchedulingPolicy 
CompositeBasicSchedulingPolicy 
CompositeDisruptionMode single:SingleCompositeDisruptionMode?,all:AllCompositeDisruptionMode?
CompositeGangSchedulingPolicy minGroupCount:i!
+CompositePodGroup metadata:meta.ObjectMeta!,spec:CompositePodGroupSpec!,status:CompositePodGroupStatus!
CompositePodGroupSchedulingConstraints topology:[TopologyConstraint
CompositePodGroupSchedulingPolicy basic:CompositeBasicSchedulingPolicy?,gang:CompositeGangSchedulingPolicy?
CompositePodGroupSpec parentCompositePodGroupName:s?,workloadRef:WorkloadReference~,schedulingPolicy:CompositePodGroupSchedulingPolicy!,schedulingConstraints:CompositePodGroupSchedulingConstraints?,disruptionMode:CompositeDisruptionMode?,priorityClassName:s,priority:i?,preemptionPolicy:s?
CompositePodGroupStatus conditions:[meta.Condition
CompositePodGroupTemplate name:s!,schedulingPolicy:CompositePodGroupSchedulingPolicy!,schedulingConstraints:CompositePodGroupSchedulingConstraints?,disruptionMode:CompositeDisruptionMode?,priorityClassName:s,priority:i?,preemptionPolicy:s?,podGroupTemplates:[PodGroupTemplate,compositePodGroupTemplates:[CompositePodGroupTemplate
DisruptionMode single:SingleDisruptionMode?,all:AllDisruptionMode?
GangSchedulingPolicy minCount:i!
+PodGroup metadata:meta.ObjectMeta!,spec:PodGroupSpec!,status:PodGroupStatus!
PodGroupResourceClaim name:s!,resourceClaimName:s?,resourceClaimTemplateName:s?
PodGroupResourceClaimStatus name:s!,resourceClaimName:s?
PodGroupSchedulingConstraints topology:[TopologyConstraint
PodGroupSchedulingPolicy basic:BasicSchedulingPolicy?,gang:GangSchedulingPolicy?
PodGroupSpec parentCompositePodGroupName:s?,workloadRef:WorkloadReference?,schedulingPolicy:PodGroupSchedulingPolicy!,schedulingConstraints:PodGroupSchedulingConstraints?,resourceClaims:[PodGroupResourceClaim,disruptionMode:DisruptionMode?,priorityClassName:s,priority:i?,preemptionPolicy:s?
PodGroupStatus conditions:[meta.Condition,resourceClaimStatuses:[PodGroupResourceClaimStatus
PodGroupTemplate name:s!,schedulingPolicy:PodGroupSchedulingPolicy!,schedulingConstraints:PodGroupSchedulingConstraints~,resourceClaims:[PodGroupResourceClaim,disruptionMode:DisruptionMode?,priorityClassName:s,priority:i?,preemptionPolicy:s?
SingleCompositeDisruptionMode 
SingleDisruptionMode 
TopologyConstraint key:s!
TypedLocalObjectReference apiGroup:s,kind:s!,name:s!
+Workload metadata:meta.ObjectMeta!,spec:WorkloadSpec!
WorkloadPodGroupAllDisruptionMode 
WorkloadPodGroupBasicSchedulingPolicy 
WorkloadPodGroupDisruptionMode single:WorkloadPodGroupSingleDisruptionMode?,all:WorkloadPodGroupAllDisruptionMode?
WorkloadPodGroupGangSchedulingPolicy minCount:i?
WorkloadPodGroupResourceClaim name:s!,resourceClaimName:s?,resourceClaimTemplateName:s?
WorkloadPodGroupSchedulingConstraints topology:[TopologyConstraint
WorkloadPodGroupSchedulingPolicy basic:WorkloadPodGroupBasicSchedulingPolicy?,gang:WorkloadPodGroupGangSchedulingPolicy?
WorkloadPodGroupSingleDisruptionMode 
WorkloadReference workloadName:s!,templateName:s!
WorkloadSpec controllerRef:TypedLocalObjectReference?,podGroupTemplates:[PodGroupTemplate!,compositePodGroupTemplates:[CompositePodGroupTemplate
`;

/** The tables that they refer to. */
export const USES: readonly string[] = ["meta"];
