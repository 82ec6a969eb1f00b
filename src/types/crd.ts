import type { Condition, KubeObject } from "./meta.ts";
import { defineResource, type Resource } from "./resource.ts";

/** The part of a structural OpenAPI v3 schema that custom resources use. */
export interface JSONSchemaProps {
  /** The JSON type. */
  type?: string;
  /** A narrower form of the type, as in `int32` or `date-time`. */
  format?: string;
  /** What it is, for people. */
  description?: string;
  /** What is put where nothing is. */
  default?: unknown;
  /** The values allowed. */
  enum?: unknown[];
  /** The fields of an object. */
  properties?: Record<string, JSONSchemaProps>;
  /** The schema of fields that `properties` does not name. */
  additionalProperties?: JSONSchemaProps | boolean;
  /** The fields that must be there. */
  required?: string[];
  /** The schema of an array's items. */
  items?: JSONSchemaProps;
  /** Whether null is allowed. */
  nullable?: boolean;
  /** The smallest number. */
  minimum?: number;
  /** The largest number. */
  maximum?: number;
  /** The shortest text, in characters. */
  minLength?: number;
  /** The longest text, in characters. */
  maxLength?: number;
  /** A regular expression for text. */
  pattern?: string;
  /** The fewest items. */
  minItems?: number;
  /** The most items. */
  maxItems?: number;
  /** Whether unknown fields are kept. */
  "x-kubernetes-preserve-unknown-fields"?: boolean;
  /** Whether it is a number or a text. */
  "x-kubernetes-int-or-string"?: boolean;
  /** How an array is merged. */
  "x-kubernetes-list-type"?: "atomic" | "set" | "map";
  /** The keys of a `map` array. */
  "x-kubernetes-list-map-keys"?: string[];
  /** Anything else the schema says. */
  [keyword: string]: unknown;
}

/** One version of a custom resource. */
export interface CustomResourceDefinitionVersion {
  /** The version, as in `v1`. */
  name: string;
  /** Whether the API serves it. */
  served: boolean;
  /** Whether objects are stored in it; one version is. */
  storage: boolean;
  /** What its objects look like. */
  schema?: { openAPIV3Schema?: JSONSchemaProps };
  /** Whether it has `/status` and `/scale`. */
  subresources?: {
    status?: Record<string, never>;
    scale?: { specReplicasPath: string; statusReplicasPath: string; labelSelectorPath?: string };
  };
  /** What `kubectl get` shows. */
  additionalPrinterColumns?: {
    name: string;
    type: string;
    jsonPath: string;
    format?: string;
    description?: string;
    priority?: number;
  }[];
}

/** Adds a kind to the API. */
export interface CustomResourceDefinition extends KubeObject {
  /** The kind. */
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
    preserveUnknownFields?: boolean;
  };
  /** Whether the API serves it yet. */
  status?: {
    conditions?: Condition[];
    acceptedNames?: Record<string, unknown>;
    storedVersions?: string[];
  };
}

/** `customresourcedefinitions.apiextensions.k8s.io` */
export const CustomResourceDefinitions: Resource<CustomResourceDefinition> = defineResource<
  CustomResourceDefinition
>({
  group: "apiextensions.k8s.io",
  version: "v1",
  plural: "customresourcedefinitions",
  kind: "CustomResourceDefinition",
  namespaced: false,
});
