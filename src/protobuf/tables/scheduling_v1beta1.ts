// Written by `deno task schemas` from the Go types of the Kubernetes API. Do not edit.

/** The messages of `scheduling/v1beta1`. */
export const MESSAGES: string = `
AllCompositeDisruptionMode 
AllDisruptionMode 
BasicSchedulingPolicy 
CompositeBasicSchedulingPolicy 
CompositeDisruptionMode single:SingleCompositeDisruptionMode?,all:AllCompositeDisruptionMode?
CompositeGangSchedulingPolicy minGroupCount:i!
CompositePodGroupSchedulingConstraints topology:[TopologyConstraint
CompositePodGroupSchedulingPolicy basic:CompositeBasicSchedulingPolicy?,gang:CompositeGangSchedulingPolicy?
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
WorkloadReference workloadName:s!,templateName:s!
WorkloadSpec controllerRef:TypedLocalObjectReference?,podGroupTemplates:[PodGroupTemplate!,compositePodGroupTemplates:[CompositePodGroupTemplate
`;

/** The tables that they refer to. */
export const USES: readonly string[] = ["meta"];
