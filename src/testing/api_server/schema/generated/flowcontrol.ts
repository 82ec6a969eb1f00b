// Written by `deno task schemas` from the Go types of the Kubernetes API. Do not edit.
import type { StructTable } from "../../../values/mod.ts";

/** The structs of `flowcontrol`. */
export const FLOWCONTROL: StructTable = {
  "flowcontrol.ExemptPriorityLevelConfiguration": `
    nominalConcurrencyShares int32?; lendablePercent int32?
  `,
  "flowcontrol.FlowDistinguisherMethod": "type string!* go=v1.FlowDistinguisherMethodType",
  "flowcontrol.FlowSchema": `
    @object; metadata meta.ObjectMeta!; spec flowcontrol.FlowSchemaSpec!*;
    status flowcontrol.FlowSchemaStatus!
  `,
  "flowcontrol.FlowSchemaCondition": `
    type string* go=v1.FlowSchemaConditionType; status string go=v1.ConditionStatus;
    lastTransitionTime time!; reason string; message string
  `,
  "flowcontrol.FlowSchemaList": `
    @object; metadata meta.ListMeta!; items []flowcontrol.FlowSchema!*
  `,
  "flowcontrol.FlowSchemaSpec": `
    priorityLevelConfiguration flowcontrol.PriorityLevelConfigurationReference!*;
    matchingPrecedence int32!; distinguisherMethod flowcontrol.FlowDistinguisherMethod?;
    rules []flowcontrol.PolicyRulesWithSubjects atomic
  `,
  "flowcontrol.FlowSchemaStatus": "conditions []flowcontrol.FlowSchemaCondition key=type",
  "flowcontrol.GroupSubject": "name string!*",
  "flowcontrol.LimitResponse": `
    type string!* go=v1.LimitResponseType; queuing flowcontrol.QueuingConfiguration?
  `,
  "flowcontrol.LimitedPriorityLevelConfiguration": `
    nominalConcurrencyShares int32!?; limitResponse flowcontrol.LimitResponse!*;
    lendablePercent int32?; borrowingLimitPercent int32?
  `,
  "flowcontrol.NonResourcePolicyRule": "verbs []string!* set; nonResourceURLs []string!* set #6",
  "flowcontrol.PolicyRulesWithSubjects": `
    subjects []flowcontrol.Subject!* atomic; resourceRules []flowcontrol.ResourcePolicyRule atomic;
    nonResourceRules []flowcontrol.NonResourcePolicyRule atomic
  `,
  "flowcontrol.PriorityLevelConfiguration": `
    @object; metadata meta.ObjectMeta!; spec flowcontrol.PriorityLevelConfigurationSpec!*;
    status flowcontrol.PriorityLevelConfigurationStatus!
  `,
  "flowcontrol.PriorityLevelConfigurationCondition": `
    type string* go=v1.PriorityLevelConfigurationConditionType; status string go=v1.ConditionStatus;
    lastTransitionTime time!; reason string; message string
  `,
  "flowcontrol.PriorityLevelConfigurationList": `
    @object; metadata meta.ListMeta!; items []flowcontrol.PriorityLevelConfiguration!*
  `,
  "flowcontrol.PriorityLevelConfigurationReference": "name string!*",
  "flowcontrol.PriorityLevelConfigurationSpec": `
    type string!* go=v1.PriorityLevelEnablement;
    limited flowcontrol.LimitedPriorityLevelConfiguration?;
    exempt flowcontrol.ExemptPriorityLevelConfiguration?
  `,
  "flowcontrol.PriorityLevelConfigurationStatus": `
    conditions []flowcontrol.PriorityLevelConfigurationCondition key=type
  `,
  "flowcontrol.QueuingConfiguration": "queues int32!; handSize int32!; queueLengthLimit int32!",
  "flowcontrol.ResourcePolicyRule": `
    verbs []string!* set; apiGroups []string!* set; resources []string!* set; clusterScope bool;
    namespaces []string! set
  `,
  "flowcontrol.ServiceAccountSubject": "namespace string!*; name string!*",
  "flowcontrol.Subject": `
    kind string!* go=v1.SubjectKind; user flowcontrol.UserSubject?; group flowcontrol.GroupSubject?;
    serviceAccount flowcontrol.ServiceAccountSubject?
  `,
  "flowcontrol.UserSubject": "name string!*",
};
