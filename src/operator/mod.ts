/**
 * The operator toolkit: what controller-runtime adds to client-go.
 *
 * @module
 */

export {
  AppliedMemory,
  type AppliedMemoryOptions,
  type ApplyCallOptions,
  type ApplyOwner,
  ApplyPass,
  type ApplyPassOptions,
  describeDiff,
} from "./apply/mod.ts";
export {
  type DropReason,
  type EventClient,
  EventRecorder,
  type EventRecorderOptions,
  type EventRecorderSnapshot,
  type EventReport,
  type EventSeries,
  EventsV1,
  type EventV1,
} from "./events/mod.ts";
export { ensureFinalizer, type FinalizerOptions, removeFinalizer } from "./finalizer/mod.ts";
export {
  type Clock,
  combineMetrics,
  type Counter,
  type Gauge,
  type Histogram,
  type HotLoopLabels,
  type InstrumentOptions,
  KNOWN_METRICS,
  type KnownMetric,
  type Logger,
  type MeterLike,
  meterMetrics,
  type MetricLabels,
  metricsHandler,
  type MetricsProvider,
  OperatorMetrics,
  PrometheusRegistry,
  type PrometheusRegistryOptions,
  type SkippedWrite,
  type Timer,
} from "./metrics/mod.ts";
export {
  type DenoNeeds,
  denoPermissions,
  MissingRightsError,
  type RbacOptions,
  rbacYaml,
  requireRights,
  type RequireRightsOptions,
  type Right,
} from "./rights/mod.ts";
export {
  crd,
  type FieldError,
  installDefinitions,
  type InstallOptions,
  validate,
} from "./schema/mod.ts";
export {
  type SetStatus,
  type StatusConditions,
  StatusDraft,
  type StatusDraftOptions,
  type StatusFields,
  type StatusOf,
} from "./status/mod.ts";
export {
  admission,
  type AdmissionConfigurationOptions,
  type AdmissionConfigurations,
  admissionConfigurations,
  type AdmissionFunctions,
  type AdmissionHandler,
  type AdmissionMode,
  type AdmissionOperation,
  type AdmissionOptions,
  admissionPath,
  type AdmissionRequest,
  type AdmissionUser,
  type AdmissionVerdict,
  type AdmissionWebhook,
  type ConfiguredWebhook,
  conversion,
  type ConversionHandler,
  conversionPath,
  type ConversionStanza,
  conversionStanza,
  type FieldProblem,
  jsonPatchOf,
  MutatingWebhookConfigurations,
  type ReviewOptions,
  ValidatingWebhookConfigurations,
  type VersionConversion,
  type WebhookClientConfig,
  type WebhookConfiguration,
  type WebhookService,
  type WebhookTarget,
} from "./webhooks/mod.ts";
