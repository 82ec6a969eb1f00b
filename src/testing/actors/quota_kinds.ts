import { defineResource, type KubeObject, type Resource } from "@kubeloop/controller/types";

/** A ResourceQuota, with the fields that its controller reads or writes. */
export interface ResourceQuota extends KubeObject {
  spec?: { hard?: Record<string, string> };
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
