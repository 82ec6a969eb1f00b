/**
 * Admission and conversion webhooks as fetch handlers, their configurations, and their certificates.
 *
 * {@linkcode admission} and {@linkcode conversion} make a handler `(Request) => Promise<Response>` of functions.
 * {@linkcode WebhookServer} serves handlers on a cluster: it keeps the certificates in a Secret and writes the
 * configurations.
 *
 * @module
 */

export {
  admission,
  type AdmissionHandler,
  type AdmissionMode,
  type AdmissionOptions,
  admissionPath,
  type AdmissionWebhook,
} from "./admission.ts";
export type {
  AdmissionFunctions,
  AdmissionOperation,
  AdmissionRequest,
  AdmissionUser,
  AdmissionVerdict,
  FieldProblem,
} from "./admission_request.ts";
export {
  type AdmissionConfigurationOptions,
  type AdmissionConfigurations,
  admissionConfigurations,
  type ConfiguredWebhook,
  type ConversionStanza,
  conversionStanza,
  MutatingWebhookConfigurations,
  ValidatingWebhookConfigurations,
  type WebhookClientConfig,
  type WebhookConfiguration,
  type WebhookService,
  type WebhookTarget,
} from "./configurations.ts";
export {
  conversion,
  type ConversionHandler,
  conversionPath,
  type VersionConversion,
  type VersionConversions,
} from "./conversion.ts";
export { jsonPatchOf } from "./json_patch.ts";
export type { ReviewOptions } from "./review.ts";
export {
  type ServingCertificates,
  WebhookCertificates,
  type WebhookCertificatesOptions,
} from "./webhook_certificates.ts";
export {
  type ConversionState,
  type WebhookPermission,
  WebhookServer,
  type WebhookServerOptions,
} from "./webhook_server.ts";
