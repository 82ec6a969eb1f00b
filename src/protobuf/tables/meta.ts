// Written by `deno task schemas` from the Go types of the Kubernetes API. Do not edit.

/** The messages of `meta`. */
export const MESSAGES: string = `
Condition type:s!,status:s!,observedGeneration:l,lastTransitionTime:t!,reason:s!,message:s!
+DeleteOptions gracePeriodSeconds:l?,preconditions:Preconditions?,orphanDependents:b?,propagationPolicy:s?,dryRun:[s,ignoreStoreReadErrorWithClusterBreakingPotential:b?
FieldSelectorRequirement key:s!,operator:s!,values:[s
GroupResource group:s!,resource:s!
LabelSelector matchLabels:{s,matchExpressions:[LabelSelectorRequirement
LabelSelectorRequirement key:s!,operator:s!,values:[s
ListMeta selfLink:s,resourceVersion:s,continue:s,remainingItemCount:l?,shardInfo:ShardInfo?
ManagedFieldsEntry manager:s,operation:s,apiVersion:s,time:t?,6fieldsType:s,fieldsV1:r?,subresource:s
ObjectMeta name:s,generateName:s,namespace:s,selfLink:s,uid:s,resourceVersion:s,generation:l,creationTimestamp:t,deletionTimestamp:t?,deletionGracePeriodSeconds:l?,labels:{s,annotations:{s,ownerReferences:[OwnerReference,finalizers:[s,17managedFields:[ManagedFieldsEntry?
OwnerReference 5apiVersion:s!,1kind:s!,3name:s!,uid:s!,6controller:b?,blockOwnerDeletion:b?
+PartialObjectMetadata metadata:ObjectMeta!
Preconditions uid:s?,resourceVersion:s?
ShardInfo selector:s!
+Status metadata:ListMeta!,status:s,message:s,reason:s,details:StatusDetails?,code:i
StatusCause reason:s,message:s,field:s
StatusDetails name:s,group:s,kind:s,6uid:s,4causes:[StatusCause,retryAfterSeconds:i
`;

/** The tables that they refer to. */
export const USES: readonly string[] = [];
