// Written by `deno task schemas` from the Go types of the Kubernetes API. Do not edit.
/**
 * The types of `apiregistration/v1`, and the descriptors of its resources.
 *
 * @module
 */

import {
  builtinResource,
  type KubeList,
  type KubeObject,
  type Resource,
} from "../../types/minimal/mod.ts";
import type { Base64, OpenEnum, Time } from "../scalars.ts";

/** An APIService of `apiregistration.k8s.io/v1`. */
export interface APIService extends KubeObject {
  /** The `spec` of an APIService. */
  spec?: APIServiceSpec;
  /** The `status` of an APIService. */
  status?: APIServiceStatus;
}

/** The `status.conditions[]` of an APIService. */
export type APIServiceCondition = {
  type: APIServiceConditionType;
  status: ConditionStatus;
  lastTransitionTime?: Time;
  reason?: string;
  message?: string;
};

/** The known values of `APIServiceConditionType`. */
export type APIServiceConditionType = OpenEnum<"Available">;

/** A list of APIServices. */
export type APIServiceList = KubeList<APIService>;

/** The `spec` of an APIService. */
export type APIServiceSpec = {
  service?: ServiceReference;
  group?: string;
  version?: string;
  insecureSkipTLSVerify?: boolean;
  caBundle?: Base64;
  groupPriorityMinimum: number;
  versionPriority: number;
};

/** The `status` of an APIService. */
export type APIServiceStatus = {
  conditions?: APIServiceCondition[];
};

/** All values of `ConditionStatus`. */
export type ConditionStatus = "False" | "True" | "Unknown";

/** The `spec.service` of an APIService. */
export type ServiceReference = {
  namespace?: string;
  name?: string;
  port?: number;
};

/** The resource `apiservices.apiregistration.k8s.io`, which is cluster-scoped. */
export const APIServices: Resource<APIService> = /* @__PURE__ */ builtinResource({
  group: "apiregistration.k8s.io",
  version: "v1",
  plural: "apiservices",
  kind: "APIService",
  namespaced: false,
});
