// Written by `deno task schemas` from the Go types of the Kubernetes API. Do not edit.
/**
 * The types of `admissionregistration/v1`, and the descriptors of its resources.
 *
 * @module
 */

import {
  builtinResource,
  type Condition,
  type KubeList,
  type KubeObject,
  type LabelSelector,
  type Resource,
} from "../../types/minimal/mod.ts";
import type { StatusReason } from "../meta/v1.ts";
import type { Base64, OpenEnum } from "../scalars.ts";

/** The `spec.mutations[].applyConfiguration` of a MutatingAdmissionPolicy. Since Kubernetes 1.36. */
export type ApplyConfiguration = {
  expression?: string;
};

/** The `spec.auditAnnotations[]` of a ValidatingAdmissionPolicy. */
export type AuditAnnotation = {
  key: string;
  valueExpression: string;
};

/** The `status.typeChecking.expressionWarnings[]` of a ValidatingAdmissionPolicy. */
export type ExpressionWarning = {
  fieldRef: string;
  warning: string;
};

/** The known values of `FailurePolicyType`. */
export type FailurePolicyType = OpenEnum<"Fail" | "Ignore">;

/** The `spec.mutations[].jsonPatch` of a MutatingAdmissionPolicy. Since Kubernetes 1.36. */
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

/** A MutatingAdmissionPolicy of `admissionregistration.k8s.io/v1`. Since Kubernetes 1.36. */
export interface MutatingAdmissionPolicy extends KubeObject {
  /** The `spec` of a MutatingAdmissionPolicy. */
  spec?: MutatingAdmissionPolicySpec;
}

/** A MutatingAdmissionPolicyBinding of `admissionregistration.k8s.io/v1`. Since Kubernetes 1.36. */
export interface MutatingAdmissionPolicyBinding extends KubeObject {
  /** The `spec` of a MutatingAdmissionPolicyBinding. */
  spec?: MutatingAdmissionPolicyBindingSpec;
}

/** A list of MutatingAdmissionPolicyBindings. Since Kubernetes 1.36. */
export type MutatingAdmissionPolicyBindingList = KubeList<MutatingAdmissionPolicyBinding>;

/** The `spec` of a MutatingAdmissionPolicyBinding. Since Kubernetes 1.36. */
export type MutatingAdmissionPolicyBindingSpec = {
  policyName?: string;
  paramRef?: ParamRef;
  matchResources?: MatchResources;
};

/** A list of MutatingAdmissionPolicies. Since Kubernetes 1.36. */
export type MutatingAdmissionPolicyList = KubeList<MutatingAdmissionPolicy>;

/** The `spec` of a MutatingAdmissionPolicy. Since Kubernetes 1.36. */
export type MutatingAdmissionPolicySpec = {
  paramKind?: ParamKind;
  matchConstraints?: MatchResources;
  variables?: Variable[];
  mutations?: Mutation[];
  failurePolicy?: FailurePolicyType;
  matchConditions?: MatchCondition[];
  reinvocationPolicy?: ReinvocationPolicyType;
};

/** The `webhooks[]` of a MutatingWebhookConfiguration. */
export type MutatingWebhook = {
  name: string;
  clientConfig: WebhookClientConfig;
  rules?: RuleWithOperations[];
  failurePolicy?: FailurePolicyType;
  matchPolicy?: MatchPolicyType;
  namespaceSelector?: LabelSelector;
  objectSelector?: LabelSelector;
  sideEffects: SideEffectClass;
  timeoutSeconds?: number;
  admissionReviewVersions: string[];
  reinvocationPolicy?: ReinvocationPolicyType;
  matchConditions?: MatchCondition[];
};

/** A MutatingWebhookConfiguration of `admissionregistration.k8s.io/v1`. */
export interface MutatingWebhookConfiguration extends KubeObject {
  /** The `webhooks` of a MutatingWebhookConfiguration. */
  webhooks?: MutatingWebhook[];
}

/** A list of MutatingWebhookConfigurations. */
export type MutatingWebhookConfigurationList = KubeList<MutatingWebhookConfiguration>;

/** The `spec.mutations[]` of a MutatingAdmissionPolicy. Since Kubernetes 1.36. */
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

/** The known values of `OperationType`. */
export type OperationType = OpenEnum<"*" | "CONNECT" | "CREATE" | "DELETE" | "UPDATE">;

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

/** The `webhooks[].rules[]` of a MutatingWebhookConfiguration. */
export type RuleWithOperations = {
  operations?: OperationType[];
  apiGroups?: string[];
  apiVersions?: string[];
  resources?: string[];
  scope?: ScopeType;
};

/** The known values of `ScopeType`. */
export type ScopeType = OpenEnum<"*" | "Cluster" | "Namespaced">;

/** The `webhooks[].clientConfig.service` of a MutatingWebhookConfiguration. */
export type ServiceReference = {
  namespace: string;
  name: string;
  path?: string;
  port?: number;
};

/** The known values of `SideEffectClass`. */
export type SideEffectClass = OpenEnum<"None" | "NoneOnDryRun" | "Some" | "Unknown">;

/** The `status.typeChecking` of a ValidatingAdmissionPolicy. */
export type TypeChecking = {
  expressionWarnings?: ExpressionWarning[];
};

/** A ValidatingAdmissionPolicy of `admissionregistration.k8s.io/v1`. */
export interface ValidatingAdmissionPolicy extends KubeObject {
  /** The `spec` of a ValidatingAdmissionPolicy. */
  spec?: ValidatingAdmissionPolicySpec;
  /** The `status` of a ValidatingAdmissionPolicy. */
  status?: ValidatingAdmissionPolicyStatus;
}

/** A ValidatingAdmissionPolicyBinding of `admissionregistration.k8s.io/v1`. */
export interface ValidatingAdmissionPolicyBinding extends KubeObject {
  /** The `spec` of a ValidatingAdmissionPolicyBinding. */
  spec?: ValidatingAdmissionPolicyBindingSpec;
}

/** A list of ValidatingAdmissionPolicyBindings. */
export type ValidatingAdmissionPolicyBindingList = KubeList<ValidatingAdmissionPolicyBinding>;

/** The `spec` of a ValidatingAdmissionPolicyBinding. */
export type ValidatingAdmissionPolicyBindingSpec = {
  policyName?: string;
  paramRef?: ParamRef;
  matchResources?: MatchResources;
  validationActions?: ValidationAction[];
};

/** A list of ValidatingAdmissionPolicies. */
export type ValidatingAdmissionPolicyList = KubeList<ValidatingAdmissionPolicy>;

/** The `spec` of a ValidatingAdmissionPolicy. */
export type ValidatingAdmissionPolicySpec = {
  paramKind?: ParamKind;
  matchConstraints?: MatchResources;
  validations?: Validation[];
  failurePolicy?: FailurePolicyType;
  auditAnnotations?: AuditAnnotation[];
  matchConditions?: MatchCondition[];
  variables?: Variable[];
};

/** The `status` of a ValidatingAdmissionPolicy. */
export type ValidatingAdmissionPolicyStatus = {
  observedGeneration?: number;
  typeChecking?: TypeChecking;
  conditions?: Condition[];
};

/** The `webhooks[]` of a ValidatingWebhookConfiguration. */
export type ValidatingWebhook = {
  name: string;
  clientConfig: WebhookClientConfig;
  rules?: RuleWithOperations[];
  failurePolicy?: FailurePolicyType;
  matchPolicy?: MatchPolicyType;
  namespaceSelector?: LabelSelector;
  objectSelector?: LabelSelector;
  sideEffects: SideEffectClass;
  timeoutSeconds?: number;
  admissionReviewVersions: string[];
  matchConditions?: MatchCondition[];
};

/** A ValidatingWebhookConfiguration of `admissionregistration.k8s.io/v1`. */
export interface ValidatingWebhookConfiguration extends KubeObject {
  /** The `webhooks` of a ValidatingWebhookConfiguration. */
  webhooks?: ValidatingWebhook[];
}

/** A list of ValidatingWebhookConfigurations. */
export type ValidatingWebhookConfigurationList = KubeList<ValidatingWebhookConfiguration>;

/** The `spec.validations[]` of a ValidatingAdmissionPolicy. */
export type Validation = {
  expression: string;
  message?: string;
  reason?: StatusReason;
  messageExpression?: string;
};

/** The known values of `ValidationAction`. */
export type ValidationAction = OpenEnum<"Audit" | "Deny" | "Warn">;

/** The `spec.variables[]` of a MutatingAdmissionPolicy. */
export type Variable = {
  name: string;
  expression: string;
};

/** The `webhooks[].clientConfig` of a MutatingWebhookConfiguration. */
export type WebhookClientConfig = {
  url?: string;
  service?: ServiceReference;
  caBundle?: Base64;
};

/** The resource `mutatingadmissionpolicies.admissionregistration.k8s.io`, which is cluster-scoped. Since Kubernetes 1.36. */
export const MutatingAdmissionPolicies: Resource<MutatingAdmissionPolicy> =
  /* @__PURE__ */ builtinResource({
    group: "admissionregistration.k8s.io",
    version: "v1",
    plural: "mutatingadmissionpolicies",
    kind: "MutatingAdmissionPolicy",
    namespaced: false,
  });

/** The resource `mutatingadmissionpolicybindings.admissionregistration.k8s.io`, which is cluster-scoped. Since Kubernetes 1.36. */
export const MutatingAdmissionPolicyBindings: Resource<MutatingAdmissionPolicyBinding> =
  /* @__PURE__ */ builtinResource({
    group: "admissionregistration.k8s.io",
    version: "v1",
    plural: "mutatingadmissionpolicybindings",
    kind: "MutatingAdmissionPolicyBinding",
    namespaced: false,
  });

/** The resource `mutatingwebhookconfigurations.admissionregistration.k8s.io`, which is cluster-scoped. */
export const MutatingWebhookConfigurations: Resource<MutatingWebhookConfiguration> =
  /* @__PURE__ */ builtinResource({
    group: "admissionregistration.k8s.io",
    version: "v1",
    plural: "mutatingwebhookconfigurations",
    kind: "MutatingWebhookConfiguration",
    namespaced: false,
  });

/** The resource `validatingadmissionpolicies.admissionregistration.k8s.io`, which is cluster-scoped. */
export const ValidatingAdmissionPolicies: Resource<ValidatingAdmissionPolicy> =
  /* @__PURE__ */ builtinResource({
    group: "admissionregistration.k8s.io",
    version: "v1",
    plural: "validatingadmissionpolicies",
    kind: "ValidatingAdmissionPolicy",
    namespaced: false,
  });

/** The resource `validatingadmissionpolicybindings.admissionregistration.k8s.io`, which is cluster-scoped. */
export const ValidatingAdmissionPolicyBindings: Resource<ValidatingAdmissionPolicyBinding> =
  /* @__PURE__ */ builtinResource({
    group: "admissionregistration.k8s.io",
    version: "v1",
    plural: "validatingadmissionpolicybindings",
    kind: "ValidatingAdmissionPolicyBinding",
    namespaced: false,
  });

/** The resource `validatingwebhookconfigurations.admissionregistration.k8s.io`, which is cluster-scoped. */
export const ValidatingWebhookConfigurations: Resource<ValidatingWebhookConfiguration> =
  /* @__PURE__ */ builtinResource({
    group: "admissionregistration.k8s.io",
    version: "v1",
    plural: "validatingwebhookconfigurations",
    kind: "ValidatingWebhookConfiguration",
    namespaced: false,
  });
