/**
 * Ingresses, IngressClasses, NetworkPolicies, IPAddresses and ServiceCIDRs.
 *
 * @module
 */

export { INGRESS } from "./ingress.ts";
export { INGRESS_CLASS } from "./ingress_class.ts";
export { IP_ADDRESS } from "./ip_address.ts";
export { NETWORK_POLICY } from "./network_policy.ts";
export { SERVICE_CIDR } from "./service_cidr.ts";
