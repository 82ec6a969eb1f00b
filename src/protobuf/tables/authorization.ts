// Written by `deno task schemas` from the Go types of the Kubernetes API. Do not edit.

/** The messages of `authorization`. */
export const MESSAGES: string = `
FieldSelectorAttributes rawSelector:s,requirements:[meta.FieldSelectorRequirement
LabelSelectorAttributes rawSelector:s,requirements:[meta.LabelSelectorRequirement
+LocalSubjectAccessReview metadata:meta.ObjectMeta!,spec:SubjectAccessReviewSpec!,status:SubjectAccessReviewStatus!
NonResourceAttributes path:s,verb:s
NonResourceRule verbs:[s!,nonResourceURLs:[s
ResourceAttributes namespace:s,verb:s,group:s,version:s,resource:s,subresource:s,name:s,fieldSelector:FieldSelectorAttributes?,labelSelector:LabelSelectorAttributes?
ResourceRule verbs:[s!,apiGroups:[s,resources:[s,resourceNames:[s
+SelfSubjectAccessReview metadata:meta.ObjectMeta!,spec:SelfSubjectAccessReviewSpec!,status:SubjectAccessReviewStatus!
SelfSubjectAccessReviewSpec resourceAttributes:ResourceAttributes?,nonResourceAttributes:NonResourceAttributes?
+SelfSubjectRulesReview metadata:meta.ObjectMeta!,spec:SelfSubjectRulesReviewSpec!,status:SubjectRulesReviewStatus!
SelfSubjectRulesReviewSpec namespace:s
+SubjectAccessReview metadata:meta.ObjectMeta!,spec:SubjectAccessReviewSpec!,status:SubjectAccessReviewStatus!
SubjectAccessReviewSpec resourceAttributes:ResourceAttributes?,nonResourceAttributes:NonResourceAttributes?,user:s,groups:[s,extra:{[s,uid:s
SubjectAccessReviewStatus allowed:b!,4denied:b,2reason:s,evaluationError:s
SubjectRulesReviewStatus resourceRules:[ResourceRule!,nonResourceRules:[NonResourceRule!,incomplete:b!,evaluationError:s
`;

/** The tables that they refer to. */
export const USES: readonly string[] = ["meta"];
