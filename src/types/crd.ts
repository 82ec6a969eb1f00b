import type { Condition, KubeObject } from "./meta.ts";
import { defineResource } from "./define_resource.ts";
import type { Resource } from "./resource.ts";

/** The part of a structural OpenAPI v3 schema that custom resources use. */
export interface JSONSchemaProps {
  /** The JSON type of the value. */
  type?: string;
  /** The format of the value, such as `int32` or `date-time`. */
  format?: string;
  /** The description of the value, for people. */
  description?: string;
  /** The default: the value that the server sets if the field is missing. */
  default?: unknown;
  /** The allowed values. */
  enum?: unknown[];
  /** The schemas of the fields of an object. */
  properties?: Record<string, JSONSchemaProps>;
  /** The schema of the fields of an object that `properties` does not list. */
  additionalProperties?: JSONSchemaProps | boolean;
  /** The required fields of an object. */
  required?: string[];
  /** The schema of the items of an array. */
  items?: JSONSchemaProps;
  /** Whether null is allowed. */
  nullable?: boolean;
  /** The minimum of a number. */
  minimum?: number;
  /** The maximum of a number. */
  maximum?: number;
  /** The minimum length of a string, in characters. */
  minLength?: number;
  /** The maximum length of a string, in characters. */
  maxLength?: number;
  /** The regular expression that a string must match. */
  pattern?: string;
  /** The minimum number of items of an array. */
  minItems?: number;
  /** The maximum number of items of an array. */
  maxItems?: number;
  /** Whether unknown fields are preserved rather than pruned. */
  "x-kubernetes-preserve-unknown-fields"?: boolean;
  /** Whether the value is an integer or a string. */
  "x-kubernetes-int-or-string"?: boolean;
  /** The list type of an array, which decides how server-side apply merges the array. */
  "x-kubernetes-list-type"?: "atomic" | "set" | "map";
  /** The fields that identify an item of an array with the list type `map`. */
  "x-kubernetes-list-map-keys"?: string[];
  /** Any other keyword of the schema. */
  [keyword: string]: unknown;
}

/** A version of a custom resource. */
export interface CustomResourceDefinitionVersion {
  /** The name of the version, such as `v1`. */
  name: string;
  /** Whether the API serves this version. */
  served: boolean;
  /** Whether objects are stored in this version. Exactly one version is the storage version. */
  storage: boolean;
  /** Whether the version is deprecated. The server then warns its users. */
  deprecated?: boolean;
  /** The warning to the users of a deprecated version. */
  deprecationWarning?: string;
  /** The schema that validates, prunes and defaults the custom resource. */
  schema?: { openAPIV3Schema?: JSONSchemaProps };
  /** The subresources that the custom resource has: `/status` and `/scale`. */
  subresources?: {
    status?: Record<string, never>;
    scale?: { specReplicasPath: string; statusReplicasPath: string; labelSelectorPath?: string };
  };
  /** The columns that `kubectl get` prints. */
  additionalPrinterColumns?: {
    name: string;
    type: string;
    jsonPath: string;
    format?: string;
    description?: string;
    priority?: number;
  }[];
}

/** How the API server converts objects between the versions of a custom resource. */
export interface CustomResourceConversion {
  /** `None` changes only the apiVersion; `Webhook` calls a webhook. */
  strategy: string;
  /** The webhook. */
  webhook?: {
    clientConfig?: {
      url?: string;
      service?: { namespace: string; name: string; path?: string; port?: number };
      caBundle?: string;
    };
    conversionReviewVersions: string[];
  };
}

/** A CustomResourceDefinition: adds a resource to the API. */
export interface CustomResourceDefinition extends KubeObject {
  /** The desired state: group, scope, names and versions of the custom resource. */
  spec: {
    group: string;
    scope: "Namespaced" | "Cluster";
    names: {
      plural: string;
      kind: string;
      singular?: string;
      listKind?: string;
      shortNames?: string[];
      categories?: string[];
    };
    versions: CustomResourceDefinitionVersion[];
    /** How the server converts objects between the versions. Default: it changes only the apiVersion. */
    conversion?: CustomResourceConversion;
    preserveUnknownFields?: boolean;
  };
  /** The observed state: whether the names are accepted and the API serves the resource. */
  status?: {
    conditions?: Condition[];
    acceptedNames?: Record<string, unknown>;
    storedVersions?: string[];
  };
}

/** The resource `customresourcedefinitions.apiextensions.k8s.io`, which is cluster-scoped. */
export const CustomResourceDefinitions: Resource<CustomResourceDefinition> = defineResource<
  CustomResourceDefinition
>({
  group: "apiextensions.k8s.io",
  version: "v1",
  plural: "customresourcedefinitions",
  kind: "CustomResourceDefinition",
  namespaced: false,
});
