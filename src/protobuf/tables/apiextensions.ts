// Written by `deno task schemas` from the Go types of the Kubernetes API. Do not edit.

/** The messages of `apiextensions`. */
export const MESSAGES: string = `
ConversionRequest uid:s!,desiredAPIVersion:s!,objects:[r!
ConversionResponse uid:s!,convertedObjects:[r!,result:meta.Status!
+ConversionReview request:ConversionRequest?,response:ConversionResponse?
CustomResourceColumnDefinition name:s!,type:s!,format:s,description:s,priority:i,jsonPath:s!
CustomResourceConversion strategy:s!,webhook:WebhookConversion?
+CustomResourceDefinition metadata:meta.ObjectMeta!,spec:CustomResourceDefinitionSpec!,status:CustomResourceDefinitionStatus!
CustomResourceDefinitionCondition type:s!,status:s!,lastTransitionTime:t!,reason:s,message:s,observedGeneration:l
CustomResourceDefinitionNames plural:s!,singular:s,shortNames:[s,kind:s!,listKind:s,categories:[s
CustomResourceDefinitionSpec group:s!,3names:CustomResourceDefinitionNames!,scope:s!,7versions:[CustomResourceDefinitionVersion!,9conversion:CustomResourceConversion?,preserveUnknownFields:b
CustomResourceDefinitionStatus conditions:[CustomResourceDefinitionCondition!,acceptedNames:CustomResourceDefinitionNames!,storedVersions:[s!,observedGeneration:l
CustomResourceDefinitionVersion name:s!,served:b!,storage:b!,7deprecated:b,deprecationWarning:s?,4schema:CustomResourceValidation?,subresources:CustomResourceSubresources?,additionalPrinterColumns:[CustomResourceColumnDefinition,9selectableFields:[SelectableField
CustomResourceSubresourceScale specReplicasPath:s!,statusReplicasPath:s!,labelSelectorPath:s?
CustomResourceSubresourceStatus 
CustomResourceSubresources status:CustomResourceSubresourceStatus?,scale:CustomResourceSubresourceScale?
CustomResourceValidation openAPIV3Schema:JSONSchemaProps?
ExternalDocumentation description:s,url:s
JSONSchemaProps id:s,$schema:s,$ref:s?,description:s,type:s,format:s,title:s,default:r?,maximum:f?,exclusiveMaximum:b,minimum:f?,exclusiveMinimum:b,maxLength:l?,minLength:l?,pattern:s,maxItems:l?,minItems:l?,uniqueItems:b,multipleOf:f?,enum:[r,maxProperties:l?,minProperties:l?,required:[s,items:&JSONSchemaProps?,allOf:[JSONSchemaProps,oneOf:[JSONSchemaProps,anyOf:[JSONSchemaProps,not:JSONSchemaProps?,properties:{JSONSchemaProps,additionalProperties:|JSONSchemaProps?,patternProperties:{JSONSchemaProps,dependencies:{^JSONSchemaProps,additionalItems:|JSONSchemaProps?,definitions:{JSONSchemaProps,externalDocs:ExternalDocumentation?,example:r?,nullable:b,x-kubernetes-preserve-unknown-fields:b?,x-kubernetes-embedded-resource:b,x-kubernetes-int-or-string:b,x-kubernetes-list-map-keys:[s,x-kubernetes-list-type:s?,x-kubernetes-map-type:s?,x-kubernetes-validations:[ValidationRule
SelectableField jsonPath:s!
ServiceReference namespace:s!,name:s!,path:s?,port:i?
ValidationRule rule:s!,message:s,messageExpression:s,reason:s?,fieldPath:s,optionalOldSelf:b?
WebhookClientConfig 3url:s?,1service:ServiceReference?,caBundle:y
WebhookConversion 2clientConfig:WebhookClientConfig?,conversionReviewVersions:[s!
`;

/** The tables that they refer to. */
export const USES: readonly string[] = ["meta"];
