// Written by `deno task schemas` from the Go types of the Kubernetes API. Do not edit.
/**
 * The types of `authorization/v1`, and the descriptors of its resources.
 *
 * @module
 */

import {
  builtinResource,
  type KubeObject,
  type LabelSelectorRequirement,
  type Resource,
} from "../../types/minimal/mod.ts";
import type { FieldSelectorRequirement } from "../meta/v1.ts";

/** The `spec.resourceAttributes.fieldSelector` of a LocalSubjectAccessReview. */
export type FieldSelectorAttributes = {
  rawSelector?: string;
  requirements?: FieldSelectorRequirement[];
};

/** The `spec.resourceAttributes.labelSelector` of a LocalSubjectAccessReview. */
export type LabelSelectorAttributes = {
  rawSelector?: string;
  requirements?: LabelSelectorRequirement[];
};

/** A LocalSubjectAccessReview of `authorization.k8s.io/v1`. */
export interface LocalSubjectAccessReview extends KubeObject {
  /** The `spec` of a LocalSubjectAccessReview. */
  spec: SubjectAccessReviewSpec;
  /** The `status` of a LocalSubjectAccessReview. */
  status?: SubjectAccessReviewStatus;
}

/** The `spec.nonResourceAttributes` of a LocalSubjectAccessReview. */
export type NonResourceAttributes = {
  path?: string;
  verb?: string;
};

/** The `status.nonResourceRules[]` of a SelfSubjectRulesReview. */
export type NonResourceRule = {
  verbs: string[];
  nonResourceURLs?: string[];
};

/** The `spec.resourceAttributes` of a LocalSubjectAccessReview. */
export type ResourceAttributes = {
  namespace?: string;
  verb?: string;
  group?: string;
  version?: string;
  resource?: string;
  subresource?: string;
  name?: string;
  fieldSelector?: FieldSelectorAttributes;
  labelSelector?: LabelSelectorAttributes;
};

/** The `status.resourceRules[]` of a SelfSubjectRulesReview. */
export type ResourceRule = {
  verbs: string[];
  apiGroups?: string[];
  resources?: string[];
  resourceNames?: string[];
};

/** A SelfSubjectAccessReview of `authorization.k8s.io/v1`. */
export interface SelfSubjectAccessReview extends KubeObject {
  /** The `spec` of a SelfSubjectAccessReview. */
  spec: SelfSubjectAccessReviewSpec;
  /** The `status` of a SelfSubjectAccessReview. */
  status?: SubjectAccessReviewStatus;
}

/** The `spec` of a SelfSubjectAccessReview. */
export type SelfSubjectAccessReviewSpec = {
  resourceAttributes?: ResourceAttributes;
  nonResourceAttributes?: NonResourceAttributes;
};

/** A SelfSubjectRulesReview of `authorization.k8s.io/v1`. */
export interface SelfSubjectRulesReview extends KubeObject {
  /** The `spec` of a SelfSubjectRulesReview. */
  spec: SelfSubjectRulesReviewSpec;
  /** The `status` of a SelfSubjectRulesReview. */
  status?: SubjectRulesReviewStatus;
}

/** The `spec` of a SelfSubjectRulesReview. */
export type SelfSubjectRulesReviewSpec = {
  namespace?: string;
};

/** A SubjectAccessReview of `authorization.k8s.io/v1`. */
export interface SubjectAccessReview extends KubeObject {
  /** The `spec` of a SubjectAccessReview. */
  spec: SubjectAccessReviewSpec;
  /** The `status` of a SubjectAccessReview. */
  status?: SubjectAccessReviewStatus;
}

/** The `spec` of a LocalSubjectAccessReview. */
export type SubjectAccessReviewSpec = {
  resourceAttributes?: ResourceAttributes;
  nonResourceAttributes?: NonResourceAttributes;
  user?: string;
  groups?: string[];
  extra?: Record<string, string[]>;
  uid?: string;
};

/** The `status` of a LocalSubjectAccessReview. */
export type SubjectAccessReviewStatus = {
  allowed: boolean;
  denied?: boolean;
  reason?: string;
  evaluationError?: string;
};

/** The `status` of a SelfSubjectRulesReview. */
export type SubjectRulesReviewStatus = {
  resourceRules: ResourceRule[];
  nonResourceRules: NonResourceRule[];
  incomplete: boolean;
  evaluationError?: string;
};

/** The resource `localsubjectaccessreviews.authorization.k8s.io`. */
export const LocalSubjectAccessReviews: Resource<LocalSubjectAccessReview> =
  /* @__PURE__ */ builtinResource({
    group: "authorization.k8s.io",
    version: "v1",
    plural: "localsubjectaccessreviews",
    kind: "LocalSubjectAccessReview",
    namespaced: true,
  });

/** The resource `selfsubjectaccessreviews.authorization.k8s.io`, which is cluster-scoped. */
export const SelfSubjectAccessReviews: Resource<SelfSubjectAccessReview> =
  /* @__PURE__ */ builtinResource({
    group: "authorization.k8s.io",
    version: "v1",
    plural: "selfsubjectaccessreviews",
    kind: "SelfSubjectAccessReview",
    namespaced: false,
  });

/** The resource `selfsubjectrulesreviews.authorization.k8s.io`, which is cluster-scoped. */
export const SelfSubjectRulesReviews: Resource<SelfSubjectRulesReview> =
  /* @__PURE__ */ builtinResource({
    group: "authorization.k8s.io",
    version: "v1",
    plural: "selfsubjectrulesreviews",
    kind: "SelfSubjectRulesReview",
    namespaced: false,
  });

/** The resource `subjectaccessreviews.authorization.k8s.io`, which is cluster-scoped. */
export const SubjectAccessReviews: Resource<SubjectAccessReview> = /* @__PURE__ */ builtinResource({
  group: "authorization.k8s.io",
  version: "v1",
  plural: "subjectaccessreviews",
  kind: "SubjectAccessReview",
  namespaced: false,
});
