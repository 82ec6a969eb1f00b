/**
 * CertificateSigningRequests.
 *
 * @module
 */

export { CERTIFICATE_SIGNING_REQUEST } from "./certificate_signing_request.ts";
