// Written by `deno task schemas` from the Go types of the Kubernetes API. Do not edit.
/**
 * The descriptors of the kinds that controllers use most often.
 *
 * @module
 */

import { builtinResource, type Resource } from "../types/minimal/mod.ts";
import type { CustomResourceDefinition } from "./apiextensions/types.ts";
import type { Deployment, ReplicaSet } from "./apps/types.ts";
import type { Job } from "./batch/types.ts";
import type { Lease } from "./coordination/types.ts";
import type {
  ConfigMap,
  Event,
  Namespace,
  Node,
  Pod,
  Secret,
  Service,
  ServiceAccount,
} from "./core/types.ts";

/** The resource `customresourcedefinitions.apiextensions.k8s.io`, which is cluster-scoped. */
export const CustomResourceDefinitions: Resource<CustomResourceDefinition> =
  /* @__PURE__ */ builtinResource({
    group: "apiextensions.k8s.io",
    version: "v1",
    plural: "customresourcedefinitions",
    kind: "CustomResourceDefinition",
    namespaced: false,
  });

/** The resource `deployments.apps`. */
export const Deployments: Resource<Deployment> = /* @__PURE__ */ builtinResource({
  group: "apps",
  version: "v1",
  plural: "deployments",
  kind: "Deployment",
  namespaced: true,
});

/** The resource `replicasets.apps`. */
export const ReplicaSets: Resource<ReplicaSet> = /* @__PURE__ */ builtinResource({
  group: "apps",
  version: "v1",
  plural: "replicasets",
  kind: "ReplicaSet",
  namespaced: true,
});

/** The resource `jobs.batch`. */
export const Jobs: Resource<Job> = /* @__PURE__ */ builtinResource({
  group: "batch",
  version: "v1",
  plural: "jobs",
  kind: "Job",
  namespaced: true,
});

/** The resource `leases.coordination.k8s.io`. */
export const Leases: Resource<Lease> = /* @__PURE__ */ builtinResource({
  group: "coordination.k8s.io",
  version: "v1",
  plural: "leases",
  kind: "Lease",
  namespaced: true,
});

/** The resource `configmaps` of the core group. */
export const ConfigMaps: Resource<ConfigMap> = /* @__PURE__ */ builtinResource({
  group: "",
  version: "v1",
  plural: "configmaps",
  kind: "ConfigMap",
  namespaced: true,
});

/** The resource `events` of the core group. */
export const Events: Resource<Event> = /* @__PURE__ */ builtinResource({
  group: "",
  version: "v1",
  plural: "events",
  kind: "Event",
  namespaced: true,
});

/** The resource `namespaces` of the core group, which is cluster-scoped. */
export const Namespaces: Resource<Namespace> = /* @__PURE__ */ builtinResource({
  group: "",
  version: "v1",
  plural: "namespaces",
  kind: "Namespace",
  namespaced: false,
});

/** The resource `nodes` of the core group, which is cluster-scoped. */
export const Nodes: Resource<Node> = /* @__PURE__ */ builtinResource({
  group: "",
  version: "v1",
  plural: "nodes",
  kind: "Node",
  namespaced: false,
});

/** The resource `pods` of the core group. */
export const Pods: Resource<Pod> = /* @__PURE__ */ builtinResource({
  group: "",
  version: "v1",
  plural: "pods",
  kind: "Pod",
  namespaced: true,
});

/** The resource `secrets` of the core group. */
export const Secrets: Resource<Secret> = /* @__PURE__ */ builtinResource({
  group: "",
  version: "v1",
  plural: "secrets",
  kind: "Secret",
  namespaced: true,
});

/** The resource `services` of the core group. */
export const Services: Resource<Service> = /* @__PURE__ */ builtinResource({
  group: "",
  version: "v1",
  plural: "services",
  kind: "Service",
  namespaced: true,
});

/** The resource `serviceaccounts` of the core group. */
export const ServiceAccounts: Resource<ServiceAccount> = /* @__PURE__ */ builtinResource({
  group: "",
  version: "v1",
  plural: "serviceaccounts",
  kind: "ServiceAccount",
  namespaced: true,
});
