// Written by `deno task schemas` from the Go types of the Kubernetes API. Do not edit.
import type { StructTable } from "../../../values/mod.ts";

/** The structs of `networking`. */
export const NETWORKING: StructTable = {
  "networking.HTTPIngressPath": `
    path string; pathType networking.PathType!?* go=v1.PathType #3;
    backend networking.IngressBackend!* #2
  `,
  "networking.HTTPIngressRuleValue": "paths []networking.HTTPIngressPath!* atomic",
  "networking.IPAddress": "@object; metadata meta.ObjectMeta!; spec networking.IPAddressSpec!*",
  "networking.IPAddressList": "@object; metadata meta.ListMeta!; items []networking.IPAddress!*",
  "networking.IPAddressSpec": "parentRef networking.ParentReference?*",
  "networking.IPBlock": "cidr string!*; except []string atomic",
  "networking.Ingress": `
    @object; metadata meta.ObjectMeta!; spec networking.IngressSpec!;
    status networking.IngressStatus!
  `,
  "networking.IngressBackend": `
    service networking.IngressServiceBackend? #4; resource core.TypedLocalObjectReference? #3
  `,
  "networking.IngressClass": `
    @object; metadata meta.ObjectMeta!; spec networking.IngressClassSpec!
  `,
  "networking.IngressClassList": `
    @object; metadata meta.ListMeta!; items []networking.IngressClass!*
  `,
  "networking.IngressClassParametersReference": `
    apiGroup string?; kind string!*; name string!*; scope string!?; namespace string?
  `,
  "networking.IngressClassSpec": `
    controller string; parameters networking.IngressClassParametersReference?
  `,
  "networking.IngressList": "@object; metadata meta.ListMeta!; items []networking.Ingress!*",
  "networking.IngressLoadBalancerIngress": `
    ip string; hostname string; ports []networking.IngressPortStatus atomic #4
  `,
  "networking.IngressLoadBalancerStatus": "ingress []networking.IngressLoadBalancerIngress atomic",
  "networking.IngressPortStatus": `
    port int32!*; protocol core.Protocol!* go=v1.Protocol; error string?
  `,
  "networking.IngressRule": `
    host string; http networking.HTTPIngressRuleValue? in=IngressRuleValue #2.1
  `,
  "networking.IngressServiceBackend": "name string!*; port networking.ServiceBackendPort!",
  "networking.IngressSpec": `
    ingressClassName string? #4; defaultBackend networking.IngressBackend? #1;
    tls []networking.IngressTLS atomic; rules []networking.IngressRule atomic
  `,
  "networking.IngressStatus": "loadBalancer networking.IngressLoadBalancerStatus!",
  "networking.IngressTLS": "hosts []string atomic; secretName string",
  "networking.NetworkPolicy": `
    @object; metadata meta.ObjectMeta!; spec networking.NetworkPolicySpec!
  `,
  "networking.NetworkPolicyEgressRule": `
    ports []networking.NetworkPolicyPort atomic; to []networking.NetworkPolicyPeer atomic
  `,
  "networking.NetworkPolicyIngressRule": `
    ports []networking.NetworkPolicyPort atomic; from []networking.NetworkPolicyPeer atomic
  `,
  "networking.NetworkPolicyList": `
    @object; metadata meta.ListMeta!; items []networking.NetworkPolicy!*
  `,
  "networking.NetworkPolicyPeer": `
    podSelector meta.LabelSelector?; namespaceSelector meta.LabelSelector?;
    ipBlock networking.IPBlock?
  `,
  "networking.NetworkPolicyPort": `
    protocol core.Protocol? go=v1.Protocol; port intOrString?; endPort int32?
  `,
  "networking.NetworkPolicySpec": `
    podSelector meta.LabelSelector!; ingress []networking.NetworkPolicyIngressRule atomic;
    egress []networking.NetworkPolicyEgressRule atomic;
    policyTypes []networking.PolicyType atomic go=[]v1.PolicyType
  `,
  "networking.ParentReference": "group string; resource string*; namespace string; name string*",
  "networking.PathType": "enum Exact | ImplementationSpecific | Prefix",
  "networking.PolicyType": "enum Egress | Ingress",
  "networking.ServiceBackendPort": "@atomic; name string; number int32",
  "networking.ServiceCIDR": `
    @object; metadata meta.ObjectMeta!; spec networking.ServiceCIDRSpec!;
    status networking.ServiceCIDRStatus!
  `,
  "networking.ServiceCIDRList": `
    @object; metadata meta.ListMeta!; items []networking.ServiceCIDR!*
  `,
  "networking.ServiceCIDRSpec": "cidrs []string atomic",
  "networking.ServiceCIDRStatus": "conditions []meta.Condition key=type",
};
