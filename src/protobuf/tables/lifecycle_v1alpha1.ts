// Written by `deno task schemas` from the Go types of the Kubernetes API. Do not edit.

/** The messages of `lifecycle/v1alpha1`. */
export const MESSAGES: string = `
+Eviction metadata:meta.ObjectMeta!,spec:EvictionSpec!,status:EvictionStatus!
EvictionPodReference name:s!,uid:s!
+EvictionRequest metadata:meta.ObjectMeta!,spec:EvictionRequestSpec!,status:EvictionRequestStatus!
EvictionRequestPodReference name:s!,uid:s!
EvictionRequestSpec target:EvictionRequestTarget!,requester:s!,intent:s!
EvictionRequestStatus conditions:[meta.Condition,observedGeneration:l?
EvictionRequestTarget pod:EvictionRequestPodReference?
EvictionSpec target:EvictionTarget!
EvictionStatus conditions:[meta.Condition,observedGeneration:l?,requesters:[Requester,targetResponders:[TargetResponder,responders:[ResponderStatus
EvictionTarget pod:EvictionPodReference?
Requester name:s!,intent:s!
ResponderStatus name:s!,startTime:t?,heartbeatTime:t?,expectedCompletionTime:t?,completionTime:t?,message:s?
TargetResponder name:s!,priority:i~,state:s!
`;

/** The tables that they refer to. */
export const USES: readonly string[] = ["meta"];
