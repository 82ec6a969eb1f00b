/**
 * Webhooks as fetch handlers: admission and conversion, the objects that configure them, and their certificates.
 *
 * Functions that decide, change or convert objects enter; handlers `(Request) => Promise<Response>` leave, and a server
 * that keeps certificates in a Secret and puts them into the configurations.
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
