// Written by `deno task schemas` from the Go types of the Kubernetes API. Do not edit.
/**
 * The types of `apiextensions/v1`, and the descriptors of its resources, except the descriptors of `often.ts`.
 *
 * @module
 */

import type { KubeList, KubeObject, Status } from "../../types/minimal/mod.ts";
import type { Base64, OpenEnum, Time } from "../scalars.ts";

/** All values of `ConditionStatus`. */
export type ConditionStatus = "False" | "True" | "Unknown";

/** The `request` of a ConversionReview. */
export type ConversionRequest = {
  uid: string;
  desiredAPIVersion: string;
  objects: unknown[];
};

/** The `response` of a ConversionReview. */
export type ConversionResponse = {
  uid: string;
  convertedObjects: unknown[];
  result: Status;
};

/** A ConversionReview of `apiextensions.k8s.io/v1`. */
export type ConversionReview = {
  apiVersion?: string;
  kind?: string;
  request?: ConversionRequest;
  response?: ConversionResponse;
};

/** The known values of `ConversionStrategyType`. */
export type ConversionStrategyType = OpenEnum<"None" | "Webhook">;

/** The `spec.versions[].additionalPrinterColumns[]` of a CustomResourceDefinition. */
export type CustomResourceColumnDefinition = {
  name: string;
  type: string;
  format?: string;
  description?: string;
  priority?: number;
  jsonPath: string;
};

/** The `spec.conversion` of a CustomResourceDefinition. */
export type CustomResourceConversion = {
  strategy: ConversionStrategyType;
  webhook?: WebhookConversion;
};

/** A CustomResourceDefinition of `apiextensions.k8s.io/v1`. */
export interface CustomResourceDefinition extends KubeObject {
  /** The `spec` of a CustomResourceDefinition. */
  spec: CustomResourceDefinitionSpec;
  /** The `status` of a CustomResourceDefinition. */
  status?: CustomResourceDefinitionStatus;
}

/** The `status.conditions[]` of a CustomResourceDefinition. */
export type CustomResourceDefinitionCondition = {
  type: CustomResourceDefinitionConditionType;
  status: ConditionStatus;
  lastTransitionTime?: Time;
  reason?: string;
  message?: string;
  observedGeneration?: number;
};

/** The known values of `CustomResourceDefinitionConditionType`. */
export type CustomResourceDefinitionConditionType = OpenEnum<
  | "Established"
  | "KubernetesAPIApprovalPolicyConformant"
  | "NamesAccepted"
  | "NonStructuralSchema"
  | "StorageMigrating"
  | "Terminating"
>;

/** A list of CustomResourceDefinitions. */
export type CustomResourceDefinitionList = KubeList<CustomResourceDefinition>;

/** The `spec.names` of a CustomResourceDefinition. */
export type CustomResourceDefinitionNames = {
  plural: string;
  singular?: string;
  shortNames?: string[];
  kind: string;
  listKind?: string;
  categories?: string[];
};

/** The `spec` of a CustomResourceDefinition. */
export type CustomResourceDefinitionSpec = {
  group: string;
  names: CustomResourceDefinitionNames;
  scope: ResourceScope;
  versions: CustomResourceDefinitionVersion[];
  conversion?: CustomResourceConversion;
  preserveUnknownFields?: boolean;
};

/** The `status` of a CustomResourceDefinition. */
export type CustomResourceDefinitionStatus = {
  conditions?: CustomResourceDefinitionCondition[];
  acceptedNames?: Partial<CustomResourceDefinitionNames>;
  storedVersions?: string[];
  observedGeneration?: number;
};

/** The `spec.versions[]` of a CustomResourceDefinition. */
export type CustomResourceDefinitionVersion = {
  name: string;
  served: boolean;
  storage: boolean;
  deprecated?: boolean;
  deprecationWarning?: string;
  schema?: CustomResourceValidation;
  subresources?: CustomResourceSubresources;
  additionalPrinterColumns?: CustomResourceColumnDefinition[];
  selectableFields?: SelectableField[];
};

/** The `spec.versions[].subresources.scale` of a CustomResourceDefinition. */
export type CustomResourceSubresourceScale = {
  specReplicasPath: string;
  statusReplicasPath: string;
  labelSelectorPath?: string;
};

/** The `spec.versions[].subresources.status` of a CustomResourceDefinition. */
export type CustomResourceSubresourceStatus = Record<never, never>;

/** The `spec.versions[].subresources` of a CustomResourceDefinition. */
export type CustomResourceSubresources = {
  status?: CustomResourceSubresourceStatus;
  scale?: CustomResourceSubresourceScale;
};

/** The `spec.versions[].schema` of a CustomResourceDefinition. */
export type CustomResourceValidation = {
  openAPIV3Schema?: JSONSchemaProps;
};

/** The `spec.versions[].schema.openAPIV3Schema.externalDocs` of a CustomResourceDefinition. */
export type ExternalDocumentation = {
  description?: string;
  url?: string;
};

/** The known values of `FieldValueErrorReason`. */
export type FieldValueErrorReason = OpenEnum<
  | "FieldValueDuplicate"
  | "FieldValueForbidden"
  | "FieldValueInvalid"
  | "FieldValueRequired"
>;

/** The `spec.versions[].schema.openAPIV3Schema` of a CustomResourceDefinition. */
export type JSONSchemaProps = {
  id?: string;
  $schema?: string;
  $ref?: string;
  description?: string;
  type?: string;
  format?: string;
  title?: string;
  default?: unknown;
  maximum?: number;
  exclusiveMaximum?: boolean;
  minimum?: number;
  exclusiveMinimum?: boolean;
  maxLength?: number;
  minLength?: number;
  pattern?: string;
  maxItems?: number;
  minItems?: number;
  uniqueItems?: boolean;
  multipleOf?: number;
  enum?: unknown[];
  maxProperties?: number;
  minProperties?: number;
  required?: string[];
  items?: JSONSchemaProps;
  allOf?: JSONSchemaProps[];
  oneOf?: JSONSchemaProps[];
  anyOf?: JSONSchemaProps[];
  not?: JSONSchemaProps;
  properties?: Record<string, JSONSchemaProps>;
  additionalProperties?: JSONSchemaProps | boolean;
  patternProperties?: Record<string, JSONSchemaProps>;
  dependencies?: Record<string, unknown>;
  additionalItems?: JSONSchemaProps | boolean;
  definitions?: Record<string, JSONSchemaProps>;
  externalDocs?: ExternalDocumentation;
  example?: unknown;
  nullable?: boolean;
  "x-kubernetes-preserve-unknown-fields"?: boolean;
  "x-kubernetes-embedded-resource"?: boolean;
  "x-kubernetes-int-or-string"?: boolean;
  "x-kubernetes-list-map-keys"?: string[];
  "x-kubernetes-list-type"?: "atomic" | "set" | "map";
  "x-kubernetes-map-type"?: string;
  "x-kubernetes-validations"?: ValidationRule[];
};

/** All values of `ResourceScope`. */
export type ResourceScope = "Cluster" | "Namespaced";

/** The `spec.versions[].selectableFields[]` of a CustomResourceDefinition. */
export type SelectableField = {
  jsonPath: string;
};

/** The `spec.conversion.webhook.clientConfig.service` of a CustomResourceDefinition. */
export type ServiceReference = {
  namespace: string;
  name: string;
  path?: string;
  port?: number;
};

/** The `spec.versions[].schema.openAPIV3Schema.x-kubernetes-validations[]` of a CustomResourceDefinition. */
export type ValidationRule = {
  rule: string;
  message?: string;
  messageExpression?: string;
  reason?: FieldValueErrorReason;
  fieldPath?: string;
  optionalOldSelf?: boolean;
};

/** The `spec.conversion.webhook.clientConfig` of a CustomResourceDefinition. */
export type WebhookClientConfig = {
  url?: string;
  service?: ServiceReference;
  caBundle?: Base64;
};

/** The `spec.conversion.webhook` of a CustomResourceDefinition. */
export type WebhookConversion = {
  clientConfig?: WebhookClientConfig;
  conversionReviewVersions: string[];
};
