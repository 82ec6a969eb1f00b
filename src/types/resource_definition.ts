import type { Condition, KubeObject, Resource } from "./minimal/mod.ts";
import type { Schema, SchemaInput, SchemaOutput } from "./schema.ts";

/** A CEL rule that the API server checks at each write. */
export interface ValidationRule {
  /** The CEL expression, which must be true. `self` is the spec, `oldSelf` the spec before an update. */
  readonly rule: string;
  /** The error message if the rule is violated. */
  readonly message?: string | undefined;
  /** A CEL expression that returns the error message. */
  readonly messageExpression?: string | undefined;
  /** The reason in the error. Default: `FieldValueInvalid`. */
  readonly reason?:
    | "FieldValueInvalid"
    | "FieldValueForbidden"
    | "FieldValueRequired"
    | "FieldValueDuplicate"
    | undefined;
  /** The field in the error, relative to the spec, as in `.size`. */
  readonly fieldPath?: string | undefined;
  /** Whether a rule with `oldSelf` is also checked at the creation, where `oldSelf` is an empty optional. */
  readonly optionalOldSelf?: boolean | undefined;
}

/** A column that `kubectl get` prints. */
export interface PrinterColumn {
  /** The heading of the column. */
  readonly name: string;
  /** The type of the values. */
  readonly type: "boolean" | "date" | "integer" | "number" | "string";
  /** The JSON path to the value, as in `.spec.size`. */
  readonly jsonPath: string;
  /** The OpenAPI format of the values, such as `int32`. */
  readonly format?: string | undefined;
  /** The description of the column, for people. */
  readonly description?: string | undefined;
  /** Columns with a priority above 0 are only in the wide output. Default 0. */
  readonly priority?: number | undefined;
}

/** The `/scale` subresource: the JSON paths that it reads and writes. */
export interface ScaleDefinition {
  /** The path to the desired number of replicas, as in `.spec.replicas`. */
  readonly specReplicasPath: string;
  /** The path to the observed number of replicas, as in `.status.replicas`. */
  readonly statusReplicasPath: string;
  /** The path to the label selector, as text, which a HorizontalPodAutoscaler needs. */
  readonly labelSelectorPath?: string | undefined;
}

/** The schemas and columns of one version of a custom resource. */
export interface VersionSchema<Spec extends Schema = Schema, Status extends Schema = Schema> {
  /** The schema of the spec. */
  readonly spec?: Spec | undefined;
  /**
   * The schema of the status. With it, the resource has the `/status` subresource. The fields `conditions` and
   * `observedGeneration` are added if the schema does not have them.
   */
  readonly status?: Status | undefined;
  /** The CEL rules of the spec. */
  readonly rules?: readonly ValidationRule[] | undefined;
  /** The columns of `kubectl get`. Default: the age. */
  readonly columns?: readonly PrinterColumn[] | undefined;
  /** The `/scale` subresource. */
  readonly scale?: ScaleDefinition | undefined;
  /** Whether the version is deprecated. The server then warns its users. */
  readonly deprecated?: boolean | undefined;
  /** The warning to the users of a deprecated version. Default: one of the server. */
  readonly deprecationWarning?: string | undefined;
}

/** A further version of a custom resource, in addition to the version that the program works with. */
export interface OtherVersion extends VersionSchema {
  /** The name of the version, as in `v1beta1`. */
  readonly name: string;
  /** Whether the API serves the version. Default true. */
  readonly served?: boolean | undefined;
  /** Whether objects are stored in this version, instead of the main one. Default false. */
  readonly storage?: boolean | undefined;
}

/**
 * The definition of a custom resource: its names, and the schemas of its versions.
 *
 * @typeParam Spec The schema of the spec.
 * @typeParam Status The schema of the status.
 * @typeParam Versions The other versions.
 */
export interface ResourceDefinition<
  Spec extends Schema = Schema,
  Status extends Schema = Schema,
  Versions extends readonly OtherVersion[] = readonly OtherVersion[],
> extends VersionSchema<Spec, Status> {
  /** The API group: a domain, as in `acme.io`. */
  readonly group: string;
  /** The version that the program works with, as in `v1`. Objects are stored in it unless another has `storage`. */
  readonly version: string;
  /** The kind, as in `Widget`. */
  readonly kind: string;
  /**
   * The name of the resource in URLs. Default: the plural of the kind as apimachinery guesses it, so `widgets` for
   * `Widget`. It knows no exceptions: for `Gateway` it guesses `gatewaies`.
   */
  readonly plural?: string | undefined;
  /** Whether the objects are in namespaces. Default true. */
  readonly namespaced?: boolean | undefined;
  /** The name of one object on the command line. Default: the kind in lower case. */
  readonly singular?: string | undefined;
  /** The abbreviations on the command line. */
  readonly shortNames?: readonly string[] | undefined;
  /** The groups of resources to which it belongs on the command line, such as `all`. */
  readonly categories?: readonly string[] | undefined;
  /**
   * Annotations of the CustomResourceDefinition. A group that ends in `.k8s.io` needs `api-approved.kubernetes.io`, as in
   * `{ "api-approved.kubernetes.io": "unapproved, experimental-only" }`.
   */
  readonly annotations?: Readonly<Record<string, string>> | undefined;
  /** The other versions. If their schemas differ, they need a conversion. */
  readonly versions?: GivenVersions<Versions> | undefined;
  /**
   * `None`: the API server changes only the `apiVersion` of objects, and drops the fields that the other version does not
   * have. Say so only if each version has all fields of the others, with the same meaning. Default: a conversion webhook, as
   * `installDefinitions` is given it.
   */
  readonly conversion?: "None" | undefined;
}

/**
 * `Versions`, in a form that TypeScript infers them from and in which it still refuses unknown fields.
 *
 * @typeParam Versions The types of the versions.
 */
export type GivenVersions<Versions extends readonly unknown[]> = {
  readonly [I in keyof Versions]: Versions[I] extends OtherVersion ? OtherVersion : Versions[I];
};

/** The fields that each status has. */
export interface StandardStatus {
  /** The conditions of the object, one of each type. */
  conditions?: Condition[];
  /** The `metadata.generation` that the status is based on. */
  observedGeneration?: number;
}

/**
 * A {@linkcode Resource} with its definition, as `defineResource` returns it for a definition with schemas.
 *
 * @typeParam T The interface of the objects as the server returns them: with defaults.
 * @typeParam I The interface of the objects that the server accepts: fields with a default are optional.
 * @typeParam V The interfaces of the objects of the other versions, by the name of the version.
 */
export interface DefinedResource<
  T extends KubeObject = KubeObject,
  I extends KubeObject = T,
  V extends object = object,
> extends Resource<T> {
  /** Never set: the field exists so that the type depends on `I`. */
  readonly inputType?: I;
  /** Never set: the field exists so that the type depends on `V`. */
  readonly versionTypes?: V;
  /** The definition, with the schemas as they were given. */
  readonly definition: ResourceDefinition;
}

/**
 * The interface of the objects of a resource.
 *
 * @typeParam R The type of the resource: `ObjectOf<typeof Widgets>`.
 *
 * @example
 * ```ts
 * import { type ObjectOf, Pods } from "@kubeloop/controller/types";
 *
 * const pod: ObjectOf<typeof Pods> = { metadata: { name: "web" } };
 * pod.spec?.containers;
 * ```
 */
export type ObjectOf<R extends Resource> = R extends Resource<infer T> ? T : never;

/**
 * The interface of the objects of a custom resource.
 *
 * @typeParam Spec The type of the spec; `never` if there is none.
 * @typeParam Status The type of the status; `never` if there is none.
 */
export type CustomObject<Spec, Status> =
  & KubeObject
  & ([Spec] extends [never] ? unknown : { spec: Spec })
  & ([Status] extends [never] ? unknown : { status?: WithStandard<Status> });

/**
 * The interface of the objects of a definition, as the server returns them.
 *
 * @typeParam Spec The schema of the spec; `never` if there is none.
 * @typeParam Status The schema of the status; `never` if there is none.
 */
export type DefinedObject<Spec extends Schema, Status extends Schema> = CustomObject<
  SchemaOutput<Spec>,
  SchemaOutput<Status>
>;

/**
 * The interface of the objects of a definition, as the server accepts them.
 *
 * @typeParam Spec The schema of the spec; `never` if there is none.
 * @typeParam Status The schema of the status; `never` if there is none.
 */
export type DefinedInput<Spec extends Schema, Status extends Schema> = CustomObject<
  SchemaInput<Spec>,
  SchemaInput<Status>
>;

/**
 * The interfaces of the objects of other versions, by the name of the version.
 *
 * @typeParam Versions The versions of the definition.
 */
export type VersionObjects<Versions extends readonly OtherVersion[]> = {
  readonly [V in Versions[number] as V["name"]]: CustomObject<
    V extends { readonly spec: infer Spec extends Schema } ? SchemaOutput<Spec> : never,
    V extends { readonly status: infer Status extends Schema } ? SchemaOutput<Status> : never
  >;
};

/**
 * A status with the fields that each status has, unless its schema has them.
 *
 * @typeParam Status The type of the status.
 */
export type WithStandard<Status> = Status & Omit<StandardStatus, keyof Status>;
