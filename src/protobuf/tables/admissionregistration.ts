// Written by `deno task schemas` from the Go types of the Kubernetes API. Do not edit.

/** The messages of `admissionregistration`. */
export const MESSAGES: string = `
ApplyConfiguration expression:s
AuditAnnotation key:s!,valueExpression:s!
ExpressionWarning 2fieldRef:s!,warning:s!
JSONPatch expression:s
MatchCondition name:s!,expression:s!
MatchResources namespaceSelector:meta.LabelSelector?,objectSelector:meta.LabelSelector?,resourceRules:[NamedRuleWithOperations,excludeResourceRules:[NamedRuleWithOperations,7matchPolicy:s?
+MutatingAdmissionPolicy metadata:meta.ObjectMeta!,spec:MutatingAdmissionPolicySpec!
+MutatingAdmissionPolicyBinding metadata:meta.ObjectMeta!,spec:MutatingAdmissionPolicyBindingSpec!
MutatingAdmissionPolicyBindingSpec policyName:s,paramRef:ParamRef?,matchResources:MatchResources?
MutatingAdmissionPolicySpec paramKind:ParamKind?,matchConstraints:MatchResources?,variables:[Variable,mutations:[Mutation,failurePolicy:s?,matchConditions:[MatchCondition,reinvocationPolicy:s
MutatingWebhook name:s!,clientConfig:WebhookClientConfig!,rules:[RuleWithOperations,failurePolicy:s?,9matchPolicy:s?,5namespaceSelector:meta.LabelSelector?,11objectSelector:meta.LabelSelector?,6sideEffects:s~,timeoutSeconds:i?,admissionReviewVersions:[s!,10reinvocationPolicy:s?,12matchConditions:[MatchCondition
+MutatingWebhookConfiguration metadata:meta.ObjectMeta!,webhooks:[MutatingWebhook
Mutation 2patchType:s!,applyConfiguration:ApplyConfiguration?,jsonPatch:JSONPatch?
NamedRuleWithOperations resourceNames:[s,(operations:[s,(apiGroups:[s,apiVersions:[s,resources:[s,scope:s?))
ParamKind apiVersion:s,kind:s
ParamRef name:s,namespace:s,selector:meta.LabelSelector?,parameterNotFoundAction:s?
RuleWithOperations operations:[s,(apiGroups:[s,apiVersions:[s,resources:[s,scope:s?)
ServiceReference namespace:s!,name:s!,path:s?,port:i?
TypeChecking expressionWarnings:[ExpressionWarning
+ValidatingAdmissionPolicy metadata:meta.ObjectMeta!,spec:ValidatingAdmissionPolicySpec!,status:ValidatingAdmissionPolicyStatus!
+ValidatingAdmissionPolicyBinding metadata:meta.ObjectMeta!,spec:ValidatingAdmissionPolicyBindingSpec!
ValidatingAdmissionPolicyBindingSpec policyName:s,paramRef:ParamRef?,matchResources:MatchResources?,validationActions:[s
ValidatingAdmissionPolicySpec paramKind:ParamKind?,matchConstraints:MatchResources?,validations:[Validation,failurePolicy:s?,auditAnnotations:[AuditAnnotation,matchConditions:[MatchCondition,variables:[Variable
ValidatingAdmissionPolicyStatus observedGeneration:l,typeChecking:TypeChecking?,conditions:[meta.Condition
ValidatingWebhook name:s!,clientConfig:WebhookClientConfig!,rules:[RuleWithOperations,failurePolicy:s?,9matchPolicy:s?,5namespaceSelector:meta.LabelSelector?,10objectSelector:meta.LabelSelector?,6sideEffects:s~,timeoutSeconds:i?,admissionReviewVersions:[s!,11matchConditions:[MatchCondition
+ValidatingWebhookConfiguration metadata:meta.ObjectMeta!,webhooks:[ValidatingWebhook
Validation expression:s!,message:s,reason:s?,messageExpression:s
Variable name:s!,expression:s!
WebhookClientConfig 3url:s?,1service:ServiceReference?,caBundle:y
`;

/** The tables that they refer to. */
export const USES: readonly string[] = ["meta"];
