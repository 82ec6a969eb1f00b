// Written by `deno task schemas` from the Go types of the Kubernetes API. Do not edit.
/**
 * The types of `flowcontrol/v1`, and the descriptors of its resources.
 *
 * @module
 */

import {
  builtinResource,
  type KubeList,
  type KubeObject,
  type Resource,
} from "../../types/minimal/mod.ts";
import type { OpenEnum, Time } from "../scalars.ts";

/** All values of `ConditionStatus`. */
export type ConditionStatus = "False" | "True" | "Unknown";

/** The `spec.exempt` of a PriorityLevelConfiguration. */
export type ExemptPriorityLevelConfiguration = {
  nominalConcurrencyShares?: number;
  lendablePercent?: number;
};

/** The `spec.distinguisherMethod` of a FlowSchema. */
export type FlowDistinguisherMethod = {
  type: FlowDistinguisherMethodType;
};

/** The known values of `FlowDistinguisherMethodType`. */
export type FlowDistinguisherMethodType = OpenEnum<"ByNamespace" | "ByUser">;

/** A FlowSchema of `flowcontrol.apiserver.k8s.io/v1`. */
export interface FlowSchema extends KubeObject {
  /** The `spec` of a FlowSchema. */
  spec?: FlowSchemaSpec;
  /** The `status` of a FlowSchema. */
  status?: FlowSchemaStatus;
}

/** The `status.conditions[]` of a FlowSchema. */
export type FlowSchemaCondition = {
  type?: string;
  status?: ConditionStatus;
  lastTransitionTime?: Time;
  reason?: string;
  message?: string;
};

/** A list of FlowSchemas. */
export type FlowSchemaList = KubeList<FlowSchema>;

/** The `spec` of a FlowSchema. */
export type FlowSchemaSpec = {
  priorityLevelConfiguration: PriorityLevelConfigurationReference;
  matchingPrecedence?: number;
  distinguisherMethod?: FlowDistinguisherMethod;
  rules?: PolicyRulesWithSubjects[];
};

/** The `status` of a FlowSchema. */
export type FlowSchemaStatus = {
  conditions?: FlowSchemaCondition[];
};

/** The `spec.rules[].subjects[].group` of a FlowSchema. */
export type GroupSubject = {
  name: string;
};

/** The `spec.limited.limitResponse` of a PriorityLevelConfiguration. */
export type LimitResponse = {
  type: LimitResponseType;
  queuing?: QueuingConfiguration;
};

/** The known values of `LimitResponseType`. */
export type LimitResponseType = OpenEnum<"Queue" | "Reject">;

/** The `spec.limited` of a PriorityLevelConfiguration. */
export type LimitedPriorityLevelConfiguration = {
  nominalConcurrencyShares?: number | null;
  limitResponse?: LimitResponse;
  lendablePercent?: number;
  borrowingLimitPercent?: number;
};

/** The `spec.rules[].nonResourceRules[]` of a FlowSchema. */
export type NonResourcePolicyRule = {
  verbs: string[];
  nonResourceURLs: string[];
};

/** The `spec.rules[]` of a FlowSchema. */
export type PolicyRulesWithSubjects = {
  subjects: Subject[];
  resourceRules?: ResourcePolicyRule[];
  nonResourceRules?: NonResourcePolicyRule[];
};

/** A PriorityLevelConfiguration of `flowcontrol.apiserver.k8s.io/v1`. */
export interface PriorityLevelConfiguration extends KubeObject {
  /** The `spec` of a PriorityLevelConfiguration. */
  spec?: PriorityLevelConfigurationSpec;
  /** The `status` of a PriorityLevelConfiguration. */
  status?: PriorityLevelConfigurationStatus;
}

/** The `status.conditions[]` of a PriorityLevelConfiguration. */
export type PriorityLevelConfigurationCondition = {
  type?: string;
  status?: ConditionStatus;
  lastTransitionTime?: Time;
  reason?: string;
  message?: string;
};

/** A list of PriorityLevelConfigurations. */
export type PriorityLevelConfigurationList = KubeList<PriorityLevelConfiguration>;

/** The `spec.priorityLevelConfiguration` of a FlowSchema. */
export type PriorityLevelConfigurationReference = {
  name: string;
};

/** The `spec` of a PriorityLevelConfiguration. */
export type PriorityLevelConfigurationSpec = {
  type: PriorityLevelEnablement;
  limited?: LimitedPriorityLevelConfiguration;
  exempt?: ExemptPriorityLevelConfiguration;
};

/** The `status` of a PriorityLevelConfiguration. */
export type PriorityLevelConfigurationStatus = {
  conditions?: PriorityLevelConfigurationCondition[];
};

/** The known values of `PriorityLevelEnablement`. */
export type PriorityLevelEnablement = OpenEnum<"Exempt" | "Limited">;

/** The `spec.limited.limitResponse.queuing` of a PriorityLevelConfiguration. */
export type QueuingConfiguration = {
  queues?: number;
  handSize?: number;
  queueLengthLimit?: number;
};

/** The `spec.rules[].resourceRules[]` of a FlowSchema. */
export type ResourcePolicyRule = {
  verbs: string[];
  apiGroups: string[];
  resources: string[];
  clusterScope?: boolean;
  namespaces?: string[] | null;
};

/** The `spec.rules[].subjects[].serviceAccount` of a FlowSchema. */
export type ServiceAccountSubject = {
  namespace: string;
  name: string;
};

/** The `spec.rules[].subjects[]` of a FlowSchema. */
export type Subject = {
  kind: SubjectKind;
  user?: UserSubject;
  group?: GroupSubject;
  serviceAccount?: ServiceAccountSubject;
};

/** The known values of `SubjectKind`. */
export type SubjectKind = OpenEnum<"Group" | "ServiceAccount" | "User">;

/** The `spec.rules[].subjects[].user` of a FlowSchema. */
export type UserSubject = {
  name: string;
};

/** The resource `flowschemas.flowcontrol.apiserver.k8s.io`, which is cluster-scoped. */
export const FlowSchemas: Resource<FlowSchema> = /* @__PURE__ */ builtinResource({
  group: "flowcontrol.apiserver.k8s.io",
  version: "v1",
  plural: "flowschemas",
  kind: "FlowSchema",
  namespaced: false,
});

/** The resource `prioritylevelconfigurations.flowcontrol.apiserver.k8s.io`, which is cluster-scoped. */
export const PriorityLevelConfigurations: Resource<PriorityLevelConfiguration> =
  /* @__PURE__ */ builtinResource({
    group: "flowcontrol.apiserver.k8s.io",
    version: "v1",
    plural: "prioritylevelconfigurations",
    kind: "PriorityLevelConfiguration",
    namespaced: false,
  });
