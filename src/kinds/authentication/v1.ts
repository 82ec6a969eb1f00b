// Written by `deno task schemas` from the Go types of the Kubernetes API. Do not edit.
/**
 * The types of `authentication/v1`, and the descriptors of its resources.
 *
 * @module
 */

import { builtinResource, type KubeObject, type Resource } from "../../types/minimal/mod.ts";
import type { Time } from "../scalars.ts";

/** The `spec.boundObjectRef` of a TokenRequest. */
export type BoundObjectReference = {
  kind?: string;
  apiVersion?: string;
  name?: string;
  uid?: string;
};

/** A SelfSubjectReview of `authentication.k8s.io/v1`. */
export interface SelfSubjectReview extends KubeObject {
  /** The `status` of a SelfSubjectReview. */
  status?: SelfSubjectReviewStatus;
}

/** The `status` of a SelfSubjectReview. */
export type SelfSubjectReviewStatus = {
  userInfo?: UserInfo;
};

/** A TokenRequest of `authentication.k8s.io/v1`. */
export interface TokenRequest extends KubeObject {
  /** The `spec` of a TokenRequest. */
  spec: TokenRequestSpec;
  /** The `status` of a TokenRequest. */
  status?: TokenRequestStatus;
}

/** The `spec` of a TokenRequest. */
export type TokenRequestSpec = {
  audiences: string[] | null;
  expirationSeconds?: number | null;
  boundObjectRef?: BoundObjectReference | null;
  /** Since Kubernetes 1.37. */
  attestations?: Record<string, string[]>;
};

/** The `status` of a TokenRequest. */
export type TokenRequestStatus = {
  token: string;
  expirationTimestamp: Time;
};

/** A TokenReview of `authentication.k8s.io/v1`. */
export interface TokenReview extends KubeObject {
  /** The `spec` of a TokenReview. */
  spec: TokenReviewSpec;
  /** The `status` of a TokenReview. */
  status?: TokenReviewStatus;
}

/** The `spec` of a TokenReview. */
export type TokenReviewSpec = {
  token?: string;
  audiences?: string[];
};

/** The `status` of a TokenReview. */
export type TokenReviewStatus = {
  authenticated?: boolean;
  user?: UserInfo;
  audiences?: string[];
  error?: string;
};

/** The `status.userInfo` of a SelfSubjectReview. */
export type UserInfo = {
  username?: string;
  uid?: string;
  groups?: string[];
  extra?: Record<string, string[]>;
};

/** The resource `selfsubjectreviews.authentication.k8s.io`, which is cluster-scoped. */
export const SelfSubjectReviews: Resource<SelfSubjectReview> = /* @__PURE__ */ builtinResource({
  group: "authentication.k8s.io",
  version: "v1",
  plural: "selfsubjectreviews",
  kind: "SelfSubjectReview",
  namespaced: false,
});

/** The resource `tokenreviews.authentication.k8s.io`, which is cluster-scoped. */
export const TokenReviews: Resource<TokenReview> = /* @__PURE__ */ builtinResource({
  group: "authentication.k8s.io",
  version: "v1",
  plural: "tokenreviews",
  kind: "TokenReview",
  namespaced: false,
});
