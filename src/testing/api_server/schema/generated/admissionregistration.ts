// Written by `deno task schemas` from the Go types of the Kubernetes API. Do not edit.
import type { StructTable } from "../../../values/mod.ts";

/** The structs of `admissionregistration`. */
export const ADMISSIONREGISTRATION: StructTable = {
  "admissionregistration.ApplyConfiguration": "expression string",
  "admissionregistration.AuditAnnotation": "key string!*; valueExpression string!*",
  "admissionregistration.ExpressionWarning": "fieldRef string!* #2; warning string!*",
  "admissionregistration.FailurePolicyType": "enum Fail | Ignore",
  "admissionregistration.JSONPatch": "expression string",
  "admissionregistration.MatchCondition": "name string!*; expression string!*",
  "admissionregistration.MatchPolicyType": "enum Equivalent | Exact",
  "admissionregistration.MatchResources": `
    @atomic; namespaceSelector meta.LabelSelector?; objectSelector meta.LabelSelector?;
    resourceRules []admissionregistration.NamedRuleWithOperations atomic;
    excludeResourceRules []admissionregistration.NamedRuleWithOperations atomic;
    matchPolicy admissionregistration.MatchPolicyType? go=v1.MatchPolicyType #7
  `,
  "admissionregistration.MutatingAdmissionPolicy": `
    @object; metadata meta.ObjectMeta!; spec admissionregistration.MutatingAdmissionPolicySpec!
  `,
  "admissionregistration.MutatingAdmissionPolicyBinding": `
    @object; metadata meta.ObjectMeta!;
    spec admissionregistration.MutatingAdmissionPolicyBindingSpec!
  `,
  "admissionregistration.MutatingAdmissionPolicyBindingList": `
    @object; metadata meta.ListMeta!;
    items []admissionregistration.MutatingAdmissionPolicyBinding!*
  `,
  "admissionregistration.MutatingAdmissionPolicyBindingSpec": `
    policyName string; paramRef admissionregistration.ParamRef?;
    matchResources admissionregistration.MatchResources?
  `,
  "admissionregistration.MutatingAdmissionPolicyList": `
    @object; metadata meta.ListMeta!; items []admissionregistration.MutatingAdmissionPolicy!*
  `,
  "admissionregistration.MutatingAdmissionPolicySpec": `
    paramKind admissionregistration.ParamKind?;
    matchConstraints admissionregistration.MatchResources?;
    variables []admissionregistration.Variable atomic;
    mutations []admissionregistration.Mutation atomic;
    failurePolicy admissionregistration.FailurePolicyType? go=v1.FailurePolicyType;
    matchConditions []admissionregistration.MatchCondition key=name;
    reinvocationPolicy admissionregistration.ReinvocationPolicyType go=v1.ReinvocationPolicyType
  `,
  "admissionregistration.MutatingWebhook": `
    name string!*; clientConfig admissionregistration.WebhookClientConfig!*;
    rules []admissionregistration.RuleWithOperations atomic;
    failurePolicy admissionregistration.FailurePolicyType? go=v1.FailurePolicyType;
    matchPolicy admissionregistration.MatchPolicyType? go=v1.MatchPolicyType #9;
    namespaceSelector meta.LabelSelector? #5; objectSelector meta.LabelSelector? #11;
    sideEffects admissionregistration.SideEffectClass!?* go=v1.SideEffectClass #6;
    timeoutSeconds int32?; admissionReviewVersions []string!* atomic; reinvocationPolicy
    admissionregistration.ReinvocationPolicyType? go=v1.ReinvocationPolicyType #10;
    matchConditions []admissionregistration.MatchCondition key=name #12
  `,
  "admissionregistration.MutatingWebhookConfiguration": `
    @object; metadata meta.ObjectMeta!; webhooks []admissionregistration.MutatingWebhook key=name
  `,
  "admissionregistration.MutatingWebhookConfigurationList": `
    @object; metadata meta.ListMeta!; items []admissionregistration.MutatingWebhookConfiguration!*
  `,
  "admissionregistration.Mutation": `
    patchType admissionregistration.PatchType!* go=v1.PatchType #2;
    applyConfiguration admissionregistration.ApplyConfiguration?;
    jsonPatch admissionregistration.JSONPatch?
  `,
  "admissionregistration.NamedRuleWithOperations": `
    @atomic; resourceNames []string atomic; operations []admissionregistration.OperationType atomic
    go=[]v1.OperationType in=RuleWithOperations #2.1;
    apiGroups []string atomic in=RuleWithOperations.Rule #2.2.1;
    apiVersions []string atomic in=RuleWithOperations.Rule;
    resources []string atomic in=RuleWithOperations.Rule;
    scope admissionregistration.ScopeType? go=v1.ScopeType in=RuleWithOperations.Rule
  `,
  "admissionregistration.OperationType": "enum * | CONNECT | CREATE | DELETE | UPDATE",
  "admissionregistration.ParamKind": "@atomic; apiVersion string; kind string",
  "admissionregistration.ParamRef": `
    @atomic; name string; namespace string; selector meta.LabelSelector?;
    parameterNotFoundAction string? go=v1.ParameterNotFoundActionType
  `,
  "admissionregistration.PatchType": "enum ApplyConfiguration | JSONPatch",
  "admissionregistration.ReinvocationPolicyType": "enum IfNeeded | Never",
  "admissionregistration.RuleWithOperations": `
    operations []admissionregistration.OperationType atomic go=[]v1.OperationType;
    apiGroups []string atomic in=Rule #2.1; apiVersions []string atomic in=Rule;
    resources []string atomic in=Rule;
    scope admissionregistration.ScopeType? go=v1.ScopeType in=Rule
  `,
  "admissionregistration.ScopeType": "enum * | Cluster | Namespaced",
  "admissionregistration.ServiceReference": `
    namespace string!*; name string!*; path string?; port int32?
  `,
  "admissionregistration.SideEffectClass": "enum None | NoneOnDryRun | Some | Unknown",
  "admissionregistration.TypeChecking": `
    expressionWarnings []admissionregistration.ExpressionWarning atomic
  `,
  "admissionregistration.ValidatingAdmissionPolicy": `
    @object; metadata meta.ObjectMeta!; spec admissionregistration.ValidatingAdmissionPolicySpec!;
    status admissionregistration.ValidatingAdmissionPolicyStatus!
  `,
  "admissionregistration.ValidatingAdmissionPolicyBinding": `
    @object; metadata meta.ObjectMeta!;
    spec admissionregistration.ValidatingAdmissionPolicyBindingSpec!*
  `,
  "admissionregistration.ValidatingAdmissionPolicyBindingList": `
    @object; metadata meta.ListMeta!;
    items []admissionregistration.ValidatingAdmissionPolicyBinding!*
  `,
  "admissionregistration.ValidatingAdmissionPolicyBindingSpec": `
    policyName string*; paramRef admissionregistration.ParamRef?;
    matchResources admissionregistration.MatchResources?;
    validationActions []admissionregistration.ValidationAction* set go=[]v1.ValidationAction
  `,
  "admissionregistration.ValidatingAdmissionPolicyList": `
    @object; metadata meta.ListMeta!; items []admissionregistration.ValidatingAdmissionPolicy!*
  `,
  "admissionregistration.ValidatingAdmissionPolicySpec": `
    paramKind admissionregistration.ParamKind?;
    matchConstraints admissionregistration.MatchResources?;
    validations []admissionregistration.Validation atomic;
    failurePolicy admissionregistration.FailurePolicyType? go=v1.FailurePolicyType;
    auditAnnotations []admissionregistration.AuditAnnotation atomic;
    matchConditions []admissionregistration.MatchCondition key=name;
    variables []admissionregistration.Variable key=name
  `,
  "admissionregistration.ValidatingAdmissionPolicyStatus": `
    observedGeneration int64; typeChecking admissionregistration.TypeChecking?;
    conditions []meta.Condition map=type
  `,
  "admissionregistration.ValidatingWebhook": `
    name string!*; clientConfig admissionregistration.WebhookClientConfig!*;
    rules []admissionregistration.RuleWithOperations atomic;
    failurePolicy admissionregistration.FailurePolicyType? go=v1.FailurePolicyType;
    matchPolicy admissionregistration.MatchPolicyType? go=v1.MatchPolicyType #9;
    namespaceSelector meta.LabelSelector? #5; objectSelector meta.LabelSelector? #10;
    sideEffects admissionregistration.SideEffectClass!?* go=v1.SideEffectClass #6;
    timeoutSeconds int32?; admissionReviewVersions []string!* atomic;
    matchConditions []admissionregistration.MatchCondition key=name #11
  `,
  "admissionregistration.ValidatingWebhookConfiguration": `
    @object; metadata meta.ObjectMeta!; webhooks []admissionregistration.ValidatingWebhook key=name
  `,
  "admissionregistration.ValidatingWebhookConfigurationList": `
    @object; metadata meta.ListMeta!;
    items []admissionregistration.ValidatingWebhookConfiguration!*
  `,
  "admissionregistration.Validation": `
    expression string!*; message string; reason string? go=v1.StatusReason;
    messageExpression string
  `,
  "admissionregistration.ValidationAction": "enum Audit | Deny | Warn",
  "admissionregistration.Variable": "@atomic; name string!*; expression string!*",
  "admissionregistration.WebhookClientConfig": `
    url string? #3; service admissionregistration.ServiceReference? #1; caBundle bytes
  `,
};
