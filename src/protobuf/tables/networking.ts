// Written by `deno task schemas` from the Go types of the Kubernetes API. Do not edit.

/** The messages of `networking`. */
export const MESSAGES: string = `
HTTPIngressPath path:s,3pathType:s~,2backend:IngressBackend!
HTTPIngressRuleValue paths:[HTTPIngressPath!
+IPAddress metadata:meta.ObjectMeta!,spec:IPAddressSpec!
IPAddressSpec parentRef:ParentReference?
IPBlock cidr:s!,except:[s
+Ingress metadata:meta.ObjectMeta!,spec:IngressSpec!,status:IngressStatus!
IngressBackend 4service:IngressServiceBackend?,3resource:core.TypedLocalObjectReference?
+IngressClass metadata:meta.ObjectMeta!,spec:IngressClassSpec!
IngressClassParametersReference apiGroup:s?,kind:s!,name:s!,scope:s~,namespace:s?
IngressClassSpec controller:s,parameters:IngressClassParametersReference?
IngressLoadBalancerIngress ip:s,hostname:s,4ports:[IngressPortStatus
IngressLoadBalancerStatus ingress:[IngressLoadBalancerIngress
IngressPortStatus port:i!,protocol:s!,error:s?
IngressRule host:s,(http:HTTPIngressRuleValue?)
IngressServiceBackend name:s!,port:ServiceBackendPort!
IngressSpec 4ingressClassName:s?,1defaultBackend:IngressBackend?,tls:[IngressTLS,rules:[IngressRule
IngressStatus loadBalancer:IngressLoadBalancerStatus!
IngressTLS hosts:[s,secretName:s
+NetworkPolicy metadata:meta.ObjectMeta!,spec:NetworkPolicySpec!
NetworkPolicyEgressRule ports:[NetworkPolicyPort,to:[NetworkPolicyPeer
NetworkPolicyIngressRule ports:[NetworkPolicyPort,from:[NetworkPolicyPeer
NetworkPolicyPeer podSelector:meta.LabelSelector?,namespaceSelector:meta.LabelSelector?,ipBlock:IPBlock?
NetworkPolicyPort protocol:s?,port:o?,endPort:i?
NetworkPolicySpec podSelector:meta.LabelSelector!,ingress:[NetworkPolicyIngressRule,egress:[NetworkPolicyEgressRule,policyTypes:[s
ParentReference group:s,resource:s,namespace:s,name:s
ServiceBackendPort name:s,number:i
+ServiceCIDR metadata:meta.ObjectMeta!,spec:ServiceCIDRSpec!,status:ServiceCIDRStatus!
ServiceCIDRSpec cidrs:[s
ServiceCIDRStatus conditions:[meta.Condition
`;

/** The tables that they refer to. */
export const USES: readonly string[] = ["core", "meta"];
