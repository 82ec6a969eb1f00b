import { defineResource, type KubeObject, type Resource } from "@kubeloop/controller/types";

/** An expression that selects the objects of a quota. */
export interface QuotaScope {
  readonly scopeName: string;
  readonly operator: string;
  readonly values?: readonly string[];
}

/** A ResourceQuota, with the fields that its controller reads or writes. */
export interface ResourceQuota extends KubeObject {
  spec?: {
    hard?: Record<string, string>;
    scopes?: string[];
    scopeSelector?: { matchExpressions?: QuotaScope[] };
  };
  status?: { hard?: Record<string, string>; used?: Record<string, string> };
}

/** The resource `resourcequotas` of the core group. */
export const ResourceQuotas: Resource<ResourceQuota> = defineResource<ResourceQuota>({
  group: "",
  version: "v1",
  plural: "resourcequotas",
  kind: "ResourceQuota",
  namespaced: true,
});
