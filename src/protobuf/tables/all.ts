// Written by `deno task schemas` from the Go types of the Kubernetes API. Do not edit.

import * as admissionregistration from "./admissionregistration.ts";
import * as admissionregistration_v1alpha1 from "./admissionregistration_v1alpha1.ts";
import * as admissionregistration_v1beta1 from "./admissionregistration_v1beta1.ts";
import * as apiextensions from "./apiextensions.ts";
import * as apiregistration from "./apiregistration.ts";
import * as apiserverinternal_v1alpha1 from "./apiserverinternal_v1alpha1.ts";
import * as apps from "./apps.ts";
import * as authentication from "./authentication.ts";
import * as authorization from "./authorization.ts";
import * as autoscaling from "./autoscaling.ts";
import * as autoscaling_v2 from "./autoscaling_v2.ts";
import * as batch from "./batch.ts";
import * as certificates from "./certificates.ts";
import * as certificates_v1alpha1 from "./certificates_v1alpha1.ts";
import * as certificates_v1beta1 from "./certificates_v1beta1.ts";
import * as coordination from "./coordination.ts";
import * as coordination_v1alpha2 from "./coordination_v1alpha2.ts";
import * as coordination_v1beta1 from "./coordination_v1beta1.ts";
import * as core from "./core.ts";
import * as discovery from "./discovery.ts";
import * as events from "./events.ts";
import * as flowcontrol from "./flowcontrol.ts";
import * as lifecycle_v1alpha1 from "./lifecycle_v1alpha1.ts";
import * as networking from "./networking.ts";
import * as node from "./node.ts";
import * as policy from "./policy.ts";
import * as rbac from "./rbac.ts";
import * as resource from "./resource.ts";
import * as resource_v1alpha3 from "./resource_v1alpha3.ts";
import * as resource_v1beta2 from "./resource_v1beta2.ts";
import * as scheduling from "./scheduling.ts";
import * as scheduling_v1alpha1 from "./scheduling_v1alpha1.ts";
import * as scheduling_v1alpha2 from "./scheduling_v1alpha2.ts";
import * as scheduling_v1alpha3 from "./scheduling_v1alpha3.ts";
import * as scheduling_v1beta1 from "./scheduling_v1beta1.ts";
import * as storage from "./storage.ts";
import * as storagemigration from "./storagemigration.ts";
import * as storagemigration_v1beta1 from "./storagemigration_v1beta1.ts";
import type { MessageTable } from "./index.ts";

/** All tables but `meta`, by their names. */
export const ALL_TABLES: Readonly<Record<string, MessageTable>> = {
  admissionregistration,
  admissionregistration_v1alpha1,
  admissionregistration_v1beta1,
  apiextensions,
  apiregistration,
  apiserverinternal_v1alpha1,
  apps,
  authentication,
  authorization,
  autoscaling,
  autoscaling_v2,
  batch,
  certificates,
  certificates_v1alpha1,
  certificates_v1beta1,
  coordination,
  coordination_v1alpha2,
  coordination_v1beta1,
  core,
  discovery,
  events,
  flowcontrol,
  lifecycle_v1alpha1,
  networking,
  node,
  policy,
  rbac,
  resource,
  resource_v1alpha3,
  resource_v1beta2,
  scheduling,
  scheduling_v1alpha1,
  scheduling_v1alpha2,
  scheduling_v1alpha3,
  scheduling_v1beta1,
  storage,
  storagemigration,
  storagemigration_v1beta1,
};
