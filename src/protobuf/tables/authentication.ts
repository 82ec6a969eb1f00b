// Written by `deno task schemas` from the Go types of the Kubernetes API. Do not edit.

/** The messages of `authentication`. */
export const MESSAGES: string = `
BoundObjectReference kind:s,apiVersion:s,name:s,uid:s
+SelfSubjectReview metadata:meta.ObjectMeta!,status:SelfSubjectReviewStatus!
SelfSubjectReviewStatus userInfo:UserInfo!
+TokenRequest metadata:meta.ObjectMeta!,spec:TokenRequestSpec!,status:TokenRequestStatus!
TokenRequestSpec audiences:[s!,4expirationSeconds:l~,3boundObjectRef:BoundObjectReference~,5attestations:{[s
TokenRequestStatus token:s!,expirationTimestamp:t!
+TokenReview metadata:meta.ObjectMeta!,spec:TokenReviewSpec!,status:TokenReviewStatus!
TokenReviewSpec token:s,audiences:[s
TokenReviewStatus authenticated:b,user:UserInfo!,4audiences:[s,3error:s
UserInfo username:s,uid:s,groups:[s,extra:{[s
`;

/** The tables that they refer to. */
export const USES: readonly string[] = ["meta"];
