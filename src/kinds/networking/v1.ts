// Written by `deno task schemas` from the Go types of the Kubernetes API. Do not edit.
/**
 * The types of `networking/v1`, and the descriptors of its resources.
 *
 * @module
 */

import {
  builtinResource,
  type Condition,
  type KubeList,
  type KubeObject,
  type LabelSelector,
  type Resource,
} from "../../types/minimal/mod.ts";
import type { Protocol, TypedLocalObjectReference } from "../core/types.ts";
import type { IntOrString, OpenEnum } from "../scalars.ts";

/** The `spec.rules[].http.paths[]` of an Ingress. */
export type HTTPIngressPath = {
  path?: string;
  pathType: PathType;
  backend: IngressBackend;
};

/** The `spec.rules[].http` of an Ingress. */
export type HTTPIngressRuleValue = {
  paths: HTTPIngressPath[];
};

/** An IPAddress of `networking.k8s.io/v1`. */
export interface IPAddress extends KubeObject {
  /** The `spec` of an IPAddress. */
  spec?: IPAddressSpec;
}

/** A list of IPAddresses. */
export type IPAddressList = KubeList<IPAddress>;

/** The `spec` of an IPAddress. */
export type IPAddressSpec = {
  parentRef: ParentReference;
};

/** The `spec.ingress[].from[].ipBlock` of a NetworkPolicy. */
export type IPBlock = {
  cidr: string;
  except?: string[];
};

/** An Ingress of `networking.k8s.io/v1`. */
export interface Ingress extends KubeObject {
  /** The `spec` of an Ingress. */
  spec?: IngressSpec;
  /** The `status` of an Ingress. */
  status?: IngressStatus;
}

/** The `spec.defaultBackend` of an Ingress. */
export type IngressBackend = {
  service?: IngressServiceBackend;
  resource?: TypedLocalObjectReference;
};

/** An IngressClass of `networking.k8s.io/v1`. */
export interface IngressClass extends KubeObject {
  /** The `spec` of an IngressClass. */
  spec?: IngressClassSpec;
}

/** A list of IngressClasses. */
export type IngressClassList = KubeList<IngressClass>;

/** The `spec.parameters` of an IngressClass. */
export type IngressClassParametersReference = {
  apiGroup?: string;
  kind: string;
  name: string;
  scope?: string | null;
  namespace?: string;
};

/** The `spec` of an IngressClass. */
export type IngressClassSpec = {
  controller?: string;
  parameters?: IngressClassParametersReference;
};

/** A list of Ingresses. */
export type IngressList = KubeList<Ingress>;

/** The `status.loadBalancer.ingress[]` of an Ingress. */
export type IngressLoadBalancerIngress = {
  ip?: string;
  hostname?: string;
  ports?: IngressPortStatus[];
};

/** The `status.loadBalancer` of an Ingress. */
export type IngressLoadBalancerStatus = {
  ingress?: IngressLoadBalancerIngress[];
};

/** The `status.loadBalancer.ingress[].ports[]` of an Ingress. */
export type IngressPortStatus = {
  port: number;
  protocol: Protocol;
  error?: string;
};

/** The `spec.rules[]` of an Ingress. */
export type IngressRule = {
  host?: string;
  http?: HTTPIngressRuleValue;
};

/** The `spec.defaultBackend.service` of an Ingress. */
export type IngressServiceBackend = {
  name: string;
  port?: ServiceBackendPort;
};

/** The `spec` of an Ingress. */
export type IngressSpec = {
  ingressClassName?: string;
  defaultBackend?: IngressBackend;
  tls?: IngressTLS[];
  rules?: IngressRule[];
};

/** The `status` of an Ingress. */
export type IngressStatus = {
  loadBalancer?: IngressLoadBalancerStatus;
};

/** The `spec.tls[]` of an Ingress. */
export type IngressTLS = {
  hosts?: string[];
  secretName?: string;
};

/** A NetworkPolicy of `networking.k8s.io/v1`. */
export interface NetworkPolicy extends KubeObject {
  /** The `spec` of a NetworkPolicy. */
  spec?: NetworkPolicySpec;
}

/** The `spec.egress[]` of a NetworkPolicy. */
export type NetworkPolicyEgressRule = {
  ports?: NetworkPolicyPort[];
  to?: NetworkPolicyPeer[];
};

/** The `spec.ingress[]` of a NetworkPolicy. */
export type NetworkPolicyIngressRule = {
  ports?: NetworkPolicyPort[];
  from?: NetworkPolicyPeer[];
};

/** A list of NetworkPolicies. */
export type NetworkPolicyList = KubeList<NetworkPolicy>;

/** The `spec.ingress[].from[]` of a NetworkPolicy. */
export type NetworkPolicyPeer = {
  podSelector?: LabelSelector;
  namespaceSelector?: LabelSelector;
  ipBlock?: IPBlock;
};

/** The `spec.ingress[].ports[]` of a NetworkPolicy. */
export type NetworkPolicyPort = {
  protocol?: Protocol;
  port?: IntOrString;
  endPort?: number;
};

/** The `spec` of a NetworkPolicy. */
export type NetworkPolicySpec = {
  podSelector?: LabelSelector;
  ingress?: NetworkPolicyIngressRule[];
  egress?: NetworkPolicyEgressRule[];
  policyTypes?: PolicyType[];
};

/** The `spec.parentRef` of an IPAddress. */
export type ParentReference = {
  group?: string;
  resource: string;
  namespace?: string;
  name: string;
};

/** The known values of `PathType`. */
export type PathType = OpenEnum<"Exact" | "ImplementationSpecific" | "Prefix">;

/** The known values of `PolicyType`. */
export type PolicyType = OpenEnum<"Egress" | "Ingress">;

/** The `spec.defaultBackend.service.port` of an Ingress. */
export type ServiceBackendPort = {
  name?: string;
  number?: number;
};

/** A ServiceCIDR of `networking.k8s.io/v1`. */
export interface ServiceCIDR extends KubeObject {
  /** The `spec` of a ServiceCIDR. */
  spec?: ServiceCIDRSpec;
  /** The `status` of a ServiceCIDR. */
  status?: ServiceCIDRStatus;
}

/** A list of ServiceCIDRs. */
export type ServiceCIDRList = KubeList<ServiceCIDR>;

/** The `spec` of a ServiceCIDR. */
export type ServiceCIDRSpec = {
  cidrs?: string[];
};

/** The `status` of a ServiceCIDR. */
export type ServiceCIDRStatus = {
  conditions?: Condition[];
};

/** The resource `ipaddresses.networking.k8s.io`, which is cluster-scoped. */
export const IPAddresses: Resource<IPAddress> = /* @__PURE__ */ builtinResource({
  group: "networking.k8s.io",
  version: "v1",
  plural: "ipaddresses",
  kind: "IPAddress",
  namespaced: false,
});

/** The resource `ingresses.networking.k8s.io`. */
export const Ingresses: Resource<Ingress> = /* @__PURE__ */ builtinResource({
  group: "networking.k8s.io",
  version: "v1",
  plural: "ingresses",
  kind: "Ingress",
  namespaced: true,
});

/** The resource `ingressclasses.networking.k8s.io`, which is cluster-scoped. */
export const IngressClasses: Resource<IngressClass> = /* @__PURE__ */ builtinResource({
  group: "networking.k8s.io",
  version: "v1",
  plural: "ingressclasses",
  kind: "IngressClass",
  namespaced: false,
});

/** The resource `networkpolicies.networking.k8s.io`. */
export const NetworkPolicies: Resource<NetworkPolicy> = /* @__PURE__ */ builtinResource({
  group: "networking.k8s.io",
  version: "v1",
  plural: "networkpolicies",
  kind: "NetworkPolicy",
  namespaced: true,
});

/** The resource `servicecidrs.networking.k8s.io`, which is cluster-scoped. */
export const ServiceCIDRs: Resource<ServiceCIDR> = /* @__PURE__ */ builtinResource({
  group: "networking.k8s.io",
  version: "v1",
  plural: "servicecidrs",
  kind: "ServiceCIDR",
  namespaced: false,
});
