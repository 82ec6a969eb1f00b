/**
 * Services: addresses, node ports, IP families and validation.
 *
 * @module
 */

export { SERVICE } from "./service.ts";
export { validateIngressPoint } from "./service_validation.ts";
