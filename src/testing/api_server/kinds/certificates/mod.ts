/**
 * Requests for certificates, and bundles of the certificates of authorities.
 *
 * @module
 */

export { CERTIFICATE_SIGNING_REQUEST } from "./certificate_signing_request.ts";
export { CLUSTER_TRUST_BUNDLE } from "./cluster_trust_bundle.ts";
export { POD_CERTIFICATE_REQUEST } from "./pod_certificate_request.ts";
