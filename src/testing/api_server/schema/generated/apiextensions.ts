// Written by `deno task schemas` from the Go types of the Kubernetes API. Do not edit.
import type { StructTable } from "../../../values/mod.ts";

/** The structs of `apiextensions`. */
export const APIEXTENSIONS: StructTable = {
  "apiextensions.ConversionRequest": `
    uid string!* go=types.UID; desiredAPIVersion string!*; objects []any!* atomic
  `,
  "apiextensions.ConversionResponse": `
    uid string!* go=types.UID; convertedObjects []any!* atomic; result meta.Status!*
  `,
  "apiextensions.ConversionReview": `
    @object; request apiextensions.ConversionRequest?; response apiextensions.ConversionResponse?
  `,
  "apiextensions.CustomResourceColumnDefinition": `
    name string!*; type string!*; format string; description string; priority int32;
    jsonPath string!*
  `,
  "apiextensions.CustomResourceConversion": `
    strategy string!* go=v1.ConversionStrategyType; webhook apiextensions.WebhookConversion?
  `,
  "apiextensions.CustomResourceDefinition": `
    @object; metadata meta.ObjectMeta!; spec apiextensions.CustomResourceDefinitionSpec!*;
    status apiextensions.CustomResourceDefinitionStatus!
  `,
  "apiextensions.CustomResourceDefinitionCondition": `
    type string!* go=v1.CustomResourceDefinitionConditionType;
    status string!* go=v1.ConditionStatus; lastTransitionTime time!; reason string; message string;
    observedGeneration int64
  `,
  "apiextensions.CustomResourceDefinitionList": `
    @object; metadata meta.ListMeta!; items []apiextensions.CustomResourceDefinition!*
  `,
  "apiextensions.CustomResourceDefinitionNames": `
    plural string!*; singular string; shortNames []string atomic; kind string!*; listKind string;
    categories []string atomic
  `,
  "apiextensions.CustomResourceDefinitionSpec": `
    group string!*; names apiextensions.CustomResourceDefinitionNames!* #3;
    scope string!* go=v1.ResourceScope;
    versions []apiextensions.CustomResourceDefinitionVersion!* atomic #7;
    conversion apiextensions.CustomResourceConversion? #9; preserveUnknownFields bool
  `,
  "apiextensions.CustomResourceDefinitionStatus": `
    conditions []apiextensions.CustomResourceDefinitionCondition! map=type;
    acceptedNames apiextensions.CustomResourceDefinitionNames!; storedVersions []string! atomic;
    observedGeneration int64
  `,
  "apiextensions.CustomResourceDefinitionVersion": `
    name string!*; served bool!*; storage bool!*; deprecated bool #7; deprecationWarning string?;
    schema apiextensions.CustomResourceValidation? #4;
    subresources apiextensions.CustomResourceSubresources?;
    additionalPrinterColumns []apiextensions.CustomResourceColumnDefinition atomic;
    selectableFields []apiextensions.SelectableField atomic #9
  `,
  "apiextensions.CustomResourceSubresourceScale": `
    specReplicasPath string!*; statusReplicasPath string!*; labelSelectorPath string?
  `,
  "apiextensions.CustomResourceSubresourceStatus": "",
  "apiextensions.CustomResourceSubresources": `
    status apiextensions.CustomResourceSubresourceStatus?;
    scale apiextensions.CustomResourceSubresourceScale?
  `,
  "apiextensions.CustomResourceValidation": "openAPIV3Schema apiextensions.JSONSchemaProps?",
  "apiextensions.ExternalDocumentation": "description string; url string",
  "apiextensions.FieldValueErrorReason": `
    enum FieldValueDuplicate | FieldValueForbidden | FieldValueInvalid | FieldValueRequired
  `,
  "apiextensions.JSONSchemaProps": `
    id string; $schema string go=v1.JSONSchemaURL; $ref string?; description string; type string;
    format string; title string; default any?; maximum float?; exclusiveMaximum bool;
    minimum float?; exclusiveMinimum bool; maxLength int64?; minLength int64?; pattern string;
    maxItems int64?; minItems int64?; uniqueItems bool; multipleOf float?; enum []any atomic;
    maxProperties int64?; minProperties int64?; required []string atomic;
    items apiextensions.JSONSchemaProps|list? #24.1;
    allOf []apiextensions.JSONSchemaProps atomic #25; oneOf []apiextensions.JSONSchemaProps atomic;
    anyOf []apiextensions.JSONSchemaProps atomic; not apiextensions.JSONSchemaProps?;
    properties {}apiextensions.JSONSchemaProps;
    additionalProperties apiextensions.JSONSchemaProps|bool?;
    patternProperties {}apiextensions.JSONSchemaProps;
    dependencies {}any go=v1.JSONSchemaDependencies;
    additionalItems apiextensions.JSONSchemaProps|bool?;
    definitions {}apiextensions.JSONSchemaProps go=v1.JSONSchemaDefinitions;
    externalDocs apiextensions.ExternalDocumentation?; example any?; nullable bool;
    x-kubernetes-preserve-unknown-fields bool?; x-kubernetes-embedded-resource bool;
    x-kubernetes-int-or-string bool; x-kubernetes-list-map-keys []string atomic;
    x-kubernetes-list-type string?; x-kubernetes-map-type string?;
    x-kubernetes-validations []apiextensions.ValidationRule key=rule go=v1.ValidationRules
  `,
  "apiextensions.SelectableField": "jsonPath string!*",
  "apiextensions.ServiceReference": "namespace string!*; name string!*; path string?; port int32?",
  "apiextensions.ValidationRule": `
    rule string!*; message string; messageExpression string;
    reason apiextensions.FieldValueErrorReason? go=v1.FieldValueErrorReason; fieldPath string;
    optionalOldSelf bool?
  `,
  "apiextensions.WebhookClientConfig": `
    url string? #3; service apiextensions.ServiceReference? #1; caBundle bytes
  `,
  "apiextensions.WebhookConversion": `
    clientConfig apiextensions.WebhookClientConfig? #2; conversionReviewVersions []string!* atomic
  `,
};
