// Written by `deno task schemas` from the Go types of the Kubernetes API. Do not edit.

/** The messages of `admissionregistration/v1alpha1`. */
export const MESSAGES: string = `
ApplyConfiguration expression:s
JSONPatch expression:s
MatchResources namespaceSelector:meta.LabelSelector?,objectSelector:meta.LabelSelector?,resourceRules:[NamedRuleWithOperations,excludeResourceRules:[NamedRuleWithOperations,7matchPolicy:s?
+MutatingAdmissionPolicy metadata:meta.ObjectMeta!,spec:MutatingAdmissionPolicySpec!
+MutatingAdmissionPolicyBinding metadata:meta.ObjectMeta!,spec:MutatingAdmissionPolicyBindingSpec!
MutatingAdmissionPolicyBindingSpec policyName:s,paramRef:ParamRef?,matchResources:MatchResources?
MutatingAdmissionPolicySpec paramKind:ParamKind?,matchConstraints:MatchResources?,variables:[Variable,mutations:[Mutation,failurePolicy:s?,matchConditions:[admissionregistration.MatchCondition,reinvocationPolicy:s
Mutation 2patchType:s!,applyConfiguration:ApplyConfiguration?,jsonPatch:JSONPatch?
NamedRuleWithOperations resourceNames:[s,(operations:[s,(apiGroups:[s,apiVersions:[s,resources:[s,scope:s?))
ParamKind apiVersion:s,kind:s
ParamRef name:s,namespace:s,selector:meta.LabelSelector?,parameterNotFoundAction:s?
Variable name:s!,expression:s!
`;

/** The tables that they refer to. */
export const USES: readonly string[] = ["admissionregistration", "meta"];
