// Written by `deno task schemas` from the Go types of the Kubernetes API. Do not edit.
/**
 * The types of `resource/v1beta2`, and the descriptors of its resources.
 *
 * @module
 */

import {
  builtinResource,
  type Condition,
  type KubeList,
  type KubeObject,
  type Resource,
} from "../../types/minimal/mod.ts";
import type { OpenEnum, Time } from "../scalars.ts";

/** The `spec.taint` of a DeviceTaintRule. Since Kubernetes 1.36. */
export type DeviceTaint = {
  key: string;
  value?: string;
  effect: DeviceTaintEffect;
  timeAdded?: Time;
};

/** The known values of `DeviceTaintEffect`. */
export type DeviceTaintEffect = OpenEnum<"NoExecute" | "NoSchedule" | "None">;

/** A DeviceTaintRule of `resource.k8s.io/v1beta2`. Since Kubernetes 1.36. */
export interface DeviceTaintRule extends KubeObject {
  /** The `spec` of a DeviceTaintRule. */
  spec: DeviceTaintRuleSpec;
  /** The `status` of a DeviceTaintRule. */
  status?: DeviceTaintRuleStatus;
}

/** A list of DeviceTaintRules. Since Kubernetes 1.36. */
export type DeviceTaintRuleList = KubeList<DeviceTaintRule>;

/** The `spec` of a DeviceTaintRule. Since Kubernetes 1.36. */
export type DeviceTaintRuleSpec = {
  deviceSelector?: DeviceTaintSelector;
  taint: DeviceTaint;
};

/** The `status` of a DeviceTaintRule. Since Kubernetes 1.36. */
export type DeviceTaintRuleStatus = {
  conditions?: Condition[];
};

/** The `spec.deviceSelector` of a DeviceTaintRule. Since Kubernetes 1.36. */
export type DeviceTaintSelector = {
  driver?: string;
  pool?: string;
  device?: string;
};

/** The resource `devicetaintrules.resource.k8s.io`, which is cluster-scoped. Since Kubernetes 1.36. */
export const DeviceTaintRules: Resource<DeviceTaintRule> = /* @__PURE__ */ builtinResource({
  group: "resource.k8s.io",
  version: "v1beta2",
  plural: "devicetaintrules",
  kind: "DeviceTaintRule",
  namespaced: false,
});
