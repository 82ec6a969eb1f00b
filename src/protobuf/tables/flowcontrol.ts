// Written by `deno task schemas` from the Go types of the Kubernetes API. Do not edit.

/** The messages of `flowcontrol`. */
export const MESSAGES: string = `
ExemptPriorityLevelConfiguration nominalConcurrencyShares:i?,lendablePercent:i?
FlowDistinguisherMethod type:s!
+FlowSchema metadata:meta.ObjectMeta!,spec:FlowSchemaSpec!,status:FlowSchemaStatus!
FlowSchemaCondition type:s,status:s,lastTransitionTime:t!,reason:s,message:s
FlowSchemaSpec priorityLevelConfiguration:PriorityLevelConfigurationReference!,matchingPrecedence:i!,distinguisherMethod:FlowDistinguisherMethod?,rules:[PolicyRulesWithSubjects
FlowSchemaStatus conditions:[FlowSchemaCondition
GroupSubject name:s!
LimitResponse type:s!,queuing:QueuingConfiguration?
LimitedPriorityLevelConfiguration nominalConcurrencyShares:i~,limitResponse:LimitResponse!,lendablePercent:i?,borrowingLimitPercent:i?
NonResourcePolicyRule verbs:[s!,6nonResourceURLs:[s!
PolicyRulesWithSubjects subjects:[Subject!,resourceRules:[ResourcePolicyRule,nonResourceRules:[NonResourcePolicyRule
+PriorityLevelConfiguration metadata:meta.ObjectMeta!,spec:PriorityLevelConfigurationSpec!,status:PriorityLevelConfigurationStatus!
PriorityLevelConfigurationCondition type:s,status:s,lastTransitionTime:t!,reason:s,message:s
PriorityLevelConfigurationReference name:s!
PriorityLevelConfigurationSpec type:s!,limited:LimitedPriorityLevelConfiguration?,exempt:ExemptPriorityLevelConfiguration?
PriorityLevelConfigurationStatus conditions:[PriorityLevelConfigurationCondition
QueuingConfiguration queues:i!,handSize:i!,queueLengthLimit:i!
ResourcePolicyRule verbs:[s!,apiGroups:[s!,resources:[s!,clusterScope:b,namespaces:[s!
ServiceAccountSubject namespace:s!,name:s!
Subject kind:s!,user:UserSubject?,group:GroupSubject?,serviceAccount:ServiceAccountSubject?
UserSubject name:s!
`;

/** The tables that they refer to. */
export const USES: readonly string[] = ["meta"];
