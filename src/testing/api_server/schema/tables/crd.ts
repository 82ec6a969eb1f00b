import type { StructTable } from "../field_tables.ts";

/** CustomResourceDefinitions. */
export const CRD: StructTable = {
  CustomResourceDefinition: `
    kind string; apiVersion string; metadata ObjectMeta!; spec CustomResourceDefinitionSpec!;
    status CustomResourceDefinitionStatus!
  `,
  CustomResourceDefinitionSpec: `
    group string!; names CustomResourceDefinitionNames!; scope string!;
    versions []CustomResourceDefinitionVersion!; conversion CustomResourceConversion?;
    preserveUnknownFields bool
  `,
  CustomResourceDefinitionStatus: `
    conditions []CustomResourceDefinitionCondition! map=type;
    acceptedNames CustomResourceDefinitionNames!; storedVersions []string!; observedGeneration int64
  `,
  CustomResourceDefinitionNames: `
    plural string!; singular string; shortNames []string; kind string!; listKind string;
    categories []string
  `,
  CustomResourceDefinitionVersion: `
    name string!; served bool!; storage bool!; deprecated bool; deprecationWarning string?;
    schema CustomResourceValidation?; subresources CustomResourceSubresources?;
    additionalPrinterColumns []CustomResourceColumnDefinition; selectableFields []SelectableField
  `,
  CustomResourceConversion: "strategy string!; webhook WebhookConversion?",
  CustomResourceDefinitionCondition: `
    type string!; status string!; lastTransitionTime time!; reason string; message string;
    observedGeneration int64
  `,
  CustomResourceValidation: "openAPIV3Schema JSONSchemaProps?",
  CustomResourceSubresources: `
    status CustomResourceSubresourceStatus?; scale CustomResourceSubresourceScale?
  `,
  CustomResourceColumnDefinition: `
    name string!; type string!; format string; description string; priority int32; jsonPath string!
  `,
  SelectableField: "jsonPath string!",
  WebhookConversion: "clientConfig WebhookClientConfig?; conversionReviewVersions []string!",
  JSONSchemaProps: `
    id string; $schema string; $ref string?; description string; type string; format string;
    title string; default any?; maximum float?; exclusiveMaximum bool; minimum float?;
    exclusiveMinimum bool; maxLength int64?; minLength int64?; pattern string; maxItems int64?;
    minItems int64?; uniqueItems bool; multipleOf float?; enum []any; maxProperties int64?;
    minProperties int64?; required []string; items JSONSchemaProps?; allOf []JSONSchemaProps;
    oneOf []JSONSchemaProps; anyOf []JSONSchemaProps; not JSONSchemaProps?;
    properties {}JSONSchemaProps; additionalProperties JSONSchemaProps|bool?;
    patternProperties {}JSONSchemaProps; dependencies {}any; additionalItems JSONSchemaProps|bool?;
    definitions {}JSONSchemaProps; externalDocs ExternalDocumentation?; example any?; nullable bool;
    x-kubernetes-preserve-unknown-fields bool?; x-kubernetes-embedded-resource bool;
    x-kubernetes-int-or-string bool; x-kubernetes-list-map-keys []string;
    x-kubernetes-list-type string?; x-kubernetes-map-type string?;
    x-kubernetes-validations []ValidationRule key=rule
  `,
  CustomResourceSubresourceStatus: "",
  CustomResourceSubresourceScale: `
    specReplicasPath string!; statusReplicasPath string!; labelSelectorPath string?
  `,
  WebhookClientConfig: "url string?; service ServiceReference?; caBundle bytes",
  ExternalDocumentation: "description string; url string",
  ValidationRule: `
    rule string!; message string; messageExpression string; reason string?; fieldPath string;
    optionalOldSelf bool?
  `,
  ServiceReference: "namespace string!; name string!; path string?; port int32?",
};
