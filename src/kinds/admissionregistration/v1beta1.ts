// Written by `deno task schemas` from the Go types of the Kubernetes API. Do not edit.
/**
 * The types of `admissionregistration/v1beta1`, and the descriptors of its resources.
 *
 * @module
 */

import {
  defineResource,
  type KubeList,
  type KubeObject,
  type LabelSelector,
  type Resource,
} from "../../types/mod.ts";
import type { OperationType, ScopeType } from "../admissionregistration/v1.ts";
import type { OpenEnum } from "../scalars.ts";

/** The `spec.mutations[].applyConfiguration` of a MutatingAdmissionPolicy. */
export type ApplyConfiguration = {
  expression?: string;
};

/** The known values of `FailurePolicyType`. */
export type FailurePolicyType = OpenEnum<"Fail" | "Ignore">;

/** The `spec.mutations[].jsonPatch` of a MutatingAdmissionPolicy. */
export type JSONPatch = {
  expression?: string;
};

/** The `spec.matchConditions[]` of a MutatingAdmissionPolicy. */
export type MatchCondition = {
  name: string;
  expression: string;
};

/** The known values of `MatchPolicyType`. */
export type MatchPolicyType = OpenEnum<"Equivalent" | "Exact">;

/** The `spec.matchConstraints` of a MutatingAdmissionPolicy. */
export type MatchResources = {
  namespaceSelector?: LabelSelector;
  objectSelector?: LabelSelector;
  resourceRules?: NamedRuleWithOperations[];
  excludeResourceRules?: NamedRuleWithOperations[];
  matchPolicy?: MatchPolicyType;
};

/** A MutatingAdmissionPolicy of `admissionregistration.k8s.io/v1beta1`. */
export interface MutatingAdmissionPolicy extends KubeObject {
  /** The `spec` of a MutatingAdmissionPolicy. */
  spec?: MutatingAdmissionPolicySpec;
}

/** A MutatingAdmissionPolicyBinding of `admissionregistration.k8s.io/v1beta1`. */
export interface MutatingAdmissionPolicyBinding extends KubeObject {
  /** The `spec` of a MutatingAdmissionPolicyBinding. */
  spec?: MutatingAdmissionPolicyBindingSpec;
}

/** A list of MutatingAdmissionPolicyBindings. */
export type MutatingAdmissionPolicyBindingList = KubeList<MutatingAdmissionPolicyBinding>;

/** The `spec` of a MutatingAdmissionPolicyBinding. */
export type MutatingAdmissionPolicyBindingSpec = {
  policyName?: string;
  paramRef?: ParamRef;
  matchResources?: MatchResources;
};

/** A list of MutatingAdmissionPolicies. */
export type MutatingAdmissionPolicyList = KubeList<MutatingAdmissionPolicy>;

/** The `spec` of a MutatingAdmissionPolicy. */
export type MutatingAdmissionPolicySpec = {
  paramKind?: ParamKind;
  matchConstraints?: MatchResources;
  variables?: Variable[];
  mutations?: Mutation[];
  failurePolicy?: FailurePolicyType;
  matchConditions?: MatchCondition[];
  reinvocationPolicy?: ReinvocationPolicyType;
};

/** The `spec.mutations[]` of a MutatingAdmissionPolicy. */
export type Mutation = {
  patchType: PatchType;
  applyConfiguration?: ApplyConfiguration;
  jsonPatch?: JSONPatch;
};

/** The `spec.matchConstraints.resourceRules[]` of a MutatingAdmissionPolicy. */
export type NamedRuleWithOperations = {
  resourceNames?: string[];
  operations?: OperationType[];
  apiGroups?: string[];
  apiVersions?: string[];
  resources?: string[];
  scope?: ScopeType;
};

/** The `spec.paramKind` of a MutatingAdmissionPolicy. */
export type ParamKind = {
  apiVersion?: string;
  kind?: string;
};

/** The `spec.paramRef` of a MutatingAdmissionPolicyBinding. */
export type ParamRef = {
  name?: string;
  namespace?: string;
  selector?: LabelSelector;
  parameterNotFoundAction?: ParameterNotFoundActionType;
};

/** The known values of `ParameterNotFoundActionType`. */
export type ParameterNotFoundActionType = OpenEnum<"Allow" | "Deny">;

/** The known values of `PatchType`. */
export type PatchType = OpenEnum<"ApplyConfiguration" | "JSONPatch">;

/** The known values of `ReinvocationPolicyType`. */
export type ReinvocationPolicyType = OpenEnum<"IfNeeded" | "Never">;

/** The `spec.variables[]` of a MutatingAdmissionPolicy. */
export type Variable = {
  name: string;
  expression: string;
};

/** The resource `mutatingadmissionpolicies.admissionregistration.k8s.io`, which is cluster-scoped. */
export const MutatingAdmissionPolicies: Resource<MutatingAdmissionPolicy> =
  /* @__PURE__ */ defineResource({
    group: "admissionregistration.k8s.io",
    version: "v1beta1",
    plural: "mutatingadmissionpolicies",
    kind: "MutatingAdmissionPolicy",
    namespaced: false,
  });

/** The resource `mutatingadmissionpolicybindings.admissionregistration.k8s.io`, which is cluster-scoped. */
export const MutatingAdmissionPolicyBindings: Resource<MutatingAdmissionPolicyBinding> =
  /* @__PURE__ */ defineResource({
    group: "admissionregistration.k8s.io",
    version: "v1beta1",
    plural: "mutatingadmissionpolicybindings",
    kind: "MutatingAdmissionPolicyBinding",
    namespaced: false,
  });
