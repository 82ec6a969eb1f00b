// Written by `deno task schemas` from the Go types of the Kubernetes API. Do not edit.
import type { StructTable } from "../../../values/mod.ts";

/** The structs of `authorization`. */
export const AUTHORIZATION: StructTable = {
  "authorization.FieldSelectorAttributes": `
    rawSelector string; requirements []meta.FieldSelectorRequirement atomic
  `,
  "authorization.LabelSelectorAttributes": `
    rawSelector string; requirements []meta.LabelSelectorRequirement atomic
  `,
  "authorization.LocalSubjectAccessReview": `
    @object; metadata meta.ObjectMeta!; spec authorization.SubjectAccessReviewSpec!*;
    status authorization.SubjectAccessReviewStatus!
  `,
  "authorization.NonResourceAttributes": "path string; verb string",
  "authorization.NonResourceRule": "verbs []string!* atomic; nonResourceURLs []string atomic",
  "authorization.ResourceAttributes": `
    namespace string; verb string; group string; version string; resource string;
    subresource string; name string; fieldSelector authorization.FieldSelectorAttributes?;
    labelSelector authorization.LabelSelectorAttributes?
  `,
  "authorization.ResourceRule": `
    verbs []string!* atomic; apiGroups []string atomic; resources []string atomic;
    resourceNames []string atomic
  `,
  "authorization.SelfSubjectAccessReview": `
    @object; metadata meta.ObjectMeta!; spec authorization.SelfSubjectAccessReviewSpec!*;
    status authorization.SubjectAccessReviewStatus!
  `,
  "authorization.SelfSubjectAccessReviewSpec": `
    resourceAttributes authorization.ResourceAttributes?;
    nonResourceAttributes authorization.NonResourceAttributes?
  `,
  "authorization.SelfSubjectRulesReview": `
    @object; metadata meta.ObjectMeta!; spec authorization.SelfSubjectRulesReviewSpec!*;
    status authorization.SubjectRulesReviewStatus!
  `,
  "authorization.SelfSubjectRulesReviewSpec": "namespace string",
  "authorization.SubjectAccessReview": `
    @object; metadata meta.ObjectMeta!; spec authorization.SubjectAccessReviewSpec!*;
    status authorization.SubjectAccessReviewStatus!
  `,
  "authorization.SubjectAccessReviewSpec": `
    resourceAttributes authorization.ResourceAttributes?;
    nonResourceAttributes authorization.NonResourceAttributes?; user string; groups []string atomic;
    extra {}[]string go=map[string]v1.ExtraValue; uid string
  `,
  "authorization.SubjectAccessReviewStatus": `
    allowed bool!*; denied bool #4; reason string #2; evaluationError string
  `,
  "authorization.SubjectRulesReviewStatus": `
    resourceRules []authorization.ResourceRule!* atomic;
    nonResourceRules []authorization.NonResourceRule!* atomic; incomplete bool!*;
    evaluationError string
  `,
};
