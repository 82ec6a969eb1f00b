import type { FieldError, JsonObject } from "../../../values/mod.ts";
import type { FieldLabels, FieldReader } from "./field_labels.ts";
import type { Conversion, ResourceDefinition } from "./resource_definition.ts";
import type { Column, FinalizerRule, NameRule, Row } from "../shared/mod.ts";
import type { QuotaRules } from "./quota_rules.ts";
import type { Release, Span } from "../../release/mod.ts";
import type { Review, ReviewedAccess, ReviewedUser } from "./review.ts";

/** The path of a field. */
export type FieldPath = readonly string[];

/** The view that admission has of the other objects of the server. */
export interface ClusterView {
  /** The release of Kubernetes. */
  readonly release: Release;
  /** The namespace of the request; empty if it has none. */
  readonly namespace: string;
  /** Returns an object by the full name of its resource, as in `priorityclasses.scheduling.k8s.io`. */
  get(resource: string, namespace: string, name: string): JsonObject | undefined;
  /** Returns all objects of a resource, in one namespace or, if it is empty, in all of them. */
  list(resource: string, namespace: string): JsonObject[];
}

/** The circumstances in which admission confirms an object. */
export interface Confirmation {
  readonly cluster: ClusterView;
  /** The subresource that the request writes; empty for the object itself. */
  readonly subresource: string;
  readonly writer: Writer;
  /** Adds a warning to the answer. */
  readonly warn: (text: string) => void;
  /** Reports whether the user of the request has another access, too. */
  readonly isAllowed: (access: ReviewedAccess) => boolean;
}

/** The circumstances of an allocation. */
export interface Allocation {
  /** Reports whether another object of the kind, in any namespace, has that value. */
  readonly isTaken: (value: string | number) => boolean;
  /** Whether nothing is stored. */
  readonly dryRun: boolean;
}

/** Gives objects the values that only one object of the kind can have. */
export interface Allocator {
  /** Returns the values that an object has. */
  readonly valuesOf: (object: JsonObject) => readonly (string | number)[];
  /**
   * Returns an object with the values that it needs.
   *
   * @throws {ApiError} 422, if the object asks for something that it cannot have.
   */
  readonly allocate: (
    object: JsonObject,
    old: JsonObject | undefined,
    allocation: Allocation,
  ) => JsonObject;
}

/** How objects of a kind are deleted. */
export interface DeletionRules {
  /**
   * The special treatment: `graceful` gives the object time to end, as a Pod; `namespace` keeps it until its content is
   * gone; `definition` keeps it until its custom resources are gone. Default: it is removed once it has no finalizers.
   */
  readonly mode?: "graceful" | "namespace" | "definition";
  /** The objects that cannot be deleted, and the reason. */
  readonly undeletable?: {
    readonly names: readonly string[];
    readonly why: string;
    /** Whether a deletion of the whole collection deletes them all the same. */
    readonly onlyByName: boolean;
  };
  /**
   * Returns the grace period, in seconds, of an object that is not yet marked for deletion.
   *
   * @param asked The seconds that the request names.
   */
  readonly gracePeriod?: (object: JsonObject, asked: number | undefined) => number;
  /** Whether a completed deletion is answered with the object instead of a Status. */
  readonly returnsObject?: boolean;
  /** Whether the propagation policy adds no finalizers. */
  readonly ignoresPropagation?: boolean;
  /** The warning for a deletion without a propagation policy, which orphans dependents; absent for other kinds. */
  readonly orphansByDefault?: string;
}

/** The user and the time of a write. */
export interface Writer {
  readonly user: ReviewedUser;
  /** The current time, in the format of object metadata. */
  readonly now: string;
  /** Adds a warning to the answer, also if the write is refused later. */
  readonly warn: (text: string) => void;
}

/** A part of an object that has a subresource of its own, apart from the status. */
export interface KindPart {
  /** Returns `old` with the fields of `next` that the subresource may write. */
  readonly prepare: (next: JsonObject, old: JsonObject, writer: Writer) => JsonObject;
  /** Returns the errors of a write apart from its metadata. */
  readonly validate?: (next: JsonObject, old: JsonObject, release: Release) => FieldError[];
}

/** The process that a real server calls to answer a connection. */
export type Connection =
  /** The kubelet of a Pod, which opens a stream to a container. */
  | "container"
  /** The kubelet of a Pod, which opens streams to ports. */
  | "ports"
  /** A proxy to the object. Throws the error of a real server, or 501, because nothing runs here that could answer. */
  | ((asked: ProxyRequest) => never);

/** A request for the proxy of an object. */
export interface ProxyRequest {
  /** The name of the object. */
  readonly name: string;
  /** The port; empty if the request names none. */
  readonly port: string;
  readonly cluster: ClusterView;
  /**
   * Returns the object.
   *
   * @throws {ApiError} 404
   */
  readonly target: () => JsonObject;
}

/** The fields that the scale subresource shows. */
export interface ScaledFields {
  /** The path of the desired number of replicas. */
  readonly spec: FieldPath;
  /** The path of the current number of replicas. */
  readonly status: FieldPath;
  /** Returns the selector of the Pods as text. */
  readonly selector: (object: JsonObject) => string;
}

/**
 * The description of a kind: its resource, and the data and hooks by which its objects differ from others. Each built-
 * in kind has one in a file of its own.
 */
export interface KindRecord {
  /** The releases that serve the kind. */
  readonly served: Span;
  /** Returns the record in a release, with the changes that it has. */
  readonly in: (release: Release) => KindRecord;
  /** The resource, as discovery reports it. */
  readonly definition: ResourceDefinition;
  /** The storage version and the conversion, if objects are not stored in the version of the definition. */
  readonly stored?: {
    readonly group: string;
    readonly version: string;
    readonly conversion: Conversion;
  };
  /** The version in which a real server stores the objects, if it is not that of `stored` or of the definition. */
  readonly storedVersion?: string;
  /** Whether the real server stores the objects as JSON and not in protobuf, which has no empty lists. */
  readonly storedAsJson: boolean;

  /** Whether the kind has a status, which only writes of the subresource change. */
  readonly hasStatus: boolean;
  /** The fields whose change increases `metadata.generation`; absent if the kind does not count. */
  readonly counts?: readonly FieldPath[];
  /** The path of the objects in etcd, which a few errors name. Default: the plural. */
  readonly storagePath?: string;
  /** Whether an update of an object that does not exist creates the object. */
  readonly allowCreateOnUpdate: boolean;
  /** Whether an update may omit the resource version. */
  readonly allowUnconditionalUpdate: boolean;
  /** The metadata fields that a write to the status does not change; `*` for all. */
  readonly statusKeeps: readonly string[];
  /**
   * The fields that a write does not change, by subresource; the empty name is the object itself. Default: the status
   * for the object, the spec for the status.
   */
  readonly resets?: Readonly<Record<string, readonly FieldPath[]>>;
  /** The fields that the server drops unless the release has them. Fields with gates in the Go types need no entry. */
  readonly gated: readonly (Span & { readonly path: FieldPath })[];
  /** Sets the defaults of an object in place. */
  readonly defaults?: (object: JsonObject, release: Release, now?: string) => void;
  /**
   * Returns a new object with the fields that the server sets itself. Its name and UID are set, its status is reset.
   *
   * @param asked The object before the reset.
   */
  readonly prepareCreate?: (object: JsonObject, writer: Writer, asked: JsonObject) => JsonObject;
  /**
   * Returns a new, valid object with the defaults that depend on fields of {@linkcode KindRecord.prepareCreate}.
   */
  readonly asRead?: (object: JsonObject) => JsonObject;
  /** Returns an updated object with the fields that the server sets itself. */
  readonly prepareUpdate?: (next: JsonObject, old: JsonObject, writer: Writer) => JsonObject;
  /** Returns an object after a write of its status with the fields that the server sets itself. */
  readonly prepareStatus?: (next: JsonObject, old: JsonObject, writer: Writer) => JsonObject;
  /** The subresources of the same kind, apart from the status. */
  readonly parts: Readonly<Record<string, KindPart>>;
  /**
   * Applies the admission plugins that are on by default. `old` is absent on a create.
   *
   * @throws {ApiError} 403, if they refuse it.
   */
  readonly admit?: (
    object: JsonObject,
    old: JsonObject | undefined,
    cluster: ClusterView,
  ) => JsonObject;
  /** Whether {@linkcode KindRecord.admit} also applies to writes of the status. */
  readonly admitsStatus: boolean;
  /**
   * Applies the validating admission plugins that are on by default: throws or warns. `old` is absent on a create.
   *
   * @throws {ApiError} 403
   */
  readonly confirm?: (
    object: JsonObject,
    old: JsonObject | undefined,
    confirmation: Confirmation,
  ) => void;
  /** The values that only one object of the kind can have, such as an IP address. */
  readonly allocator?: Allocator;
  /** Returns the warnings for a write. */
  readonly warnings?: (
    object: JsonObject,
    old: JsonObject | undefined,
    release: Release,
  ) => string[];
  /** Returns the warnings for a write of the status. */
  readonly statusWarnings?: (object: JsonObject) => string[];

  /** The format of names. Absent if the kind has no metadata validation besides that of all kinds. */
  readonly names?: NameRule;
  /** The rule for finalizers. */
  readonly finalizers: FinalizerRule;
  /** Returns the errors of an object apart from its metadata. */
  readonly validate?: (object: JsonObject, release: Release) => FieldError[];
  /** Returns further errors of a new object, which updates do not check. */
  readonly validateCreate?: (object: JsonObject, release: Release) => FieldError[];
  /** Whether an update validates the whole object again, as a create does. */
  readonly validatesAgain: boolean;
  /**
   * Whether the kind validates changes of the metadata again, so that their errors are listed twice.
   */
  readonly validatesMetaChange: boolean;
  /** Whether an update lists the errors of the whole object before the errors of the change. */
  readonly wholeFirst: boolean;
  /** Returns the errors of an update. */
  readonly validateChange?: (next: JsonObject, old: JsonObject, release: Release) => FieldError[];
  /** Returns the errors of an update to the status. */
  readonly validateStatus?: (next: JsonObject, old: JsonObject, release: Release) => FieldError[];
  /**
   * Replaces the functions above, for a kind that validates its metadata in another order. `old` is absent on a create.
   */
  readonly validateWhole?: (
    next: JsonObject,
    old: JsonObject | undefined,
    subresource: string,
    release: Release,
  ) => FieldError[];
  /**
   * Whether a real server of Kubernetes 1.37 or later also checks the rules in the comments of the Go types. It then lists
   * equal errors once.
   */
  readonly declarative: boolean;
  /** The API group that validation errors name. Default: that of the kind. */
  readonly errorGroup?: string;

  /** The answer to a create, if objects are not stored. */
  readonly review?: Review;
  /** The subresource that a create writes instead of storing an object, as a Binding. */
  readonly actsOn?: { readonly plural: string; readonly subresource: string };
  /** The objects, in the order of a list, if the server computes them for each request instead of storing them. */
  readonly computed?: {
    readonly list: () => JsonObject[];
    /** The name of the resource in the error for an object that does not exist. */
    readonly errorName: string;
  };
  /** The subresources that are connections, by name. */
  readonly connections?: Readonly<Record<string, Connection>>;
  /** Whether the objects are namespaces. */
  readonly isNamespace: boolean;
  /** Whether webhooks are never asked about the objects, because they decide about webhooks. */
  readonly isExempt: boolean;
  /** Whether the objects grant rights, so that a user needs these rights to write them. */
  readonly grants?: "role" | "binding";
  /** Whether the conditions of FlowSchemas depend on the objects. */
  readonly directsFlow: boolean;

  /** How the objects count against ResourceQuotas. */
  readonly quota: QuotaRules;
  /** The columns of a Table; absent for the name and the time of creation. */
  readonly table?: {
    readonly columns: readonly Column[];
    readonly row: Row;
    /** Returns the conditions of a row. */
    readonly conditions?: (object: JsonObject) => JsonObject[] | undefined;
    /** Compares two objects for the order of the rows; absent for the order of the list. */
    readonly order?: (a: JsonObject, b: JsonObject) => number;
    /** Whether a Table of an empty list has `null` for its rows. */
    readonly hasNullRows?: boolean;
    /** Whether each event of a watch as a Table has the columns, and not only the first. */
    readonly repeatsColumns?: boolean;
  };
  /** The annotations that the internal type has as fields, so that an object's metadata alone lacks them. */
  readonly fieldAnnotations?: readonly string[];
  /**
   * Returns a bookmark of a watch with the fields that the real server adds to an empty object.
   */
  readonly inBookmark?: (object: JsonObject) => JsonObject;
  /** The field labels: the fields that a field selector can name. */
  readonly fieldLabels: FieldLabels;
  /** The fields of the scale subresource. */
  readonly scale?: ScaledFields;

  /** How objects are deleted. */
  readonly deletion: DeletionRules;
}

/** Options of a kind that differ in some releases. */
export interface KindChange extends Span, Omit<KindOptions, "served"> {}

/** Options of {@linkcode defineKind}; omitted fields get defaults. */
export type KindOptions =
  & Partial<
    Omit<KindRecord, "definition" | "in" | "fieldLabels" | "hasStatus">
  >
  & Pick<
    ResourceDefinition,
    "shortNames" | "categories" | "verbs" | "subresources" | "uncached" | "deprecation"
  >
  & {
    /** Whether the objects are namespaced. Default: true. */
    readonly namespaced?: boolean;
    /** The singular name. Default: the kind in lower case. */
    readonly singular?: string;
    /** Whether a field selector can name the namespace, if `fields` are given. Default: if the kind is namespaced. */
    readonly namespaceField?: boolean;
    /** The field labels besides the name and namespace. */
    readonly fields?: Readonly<Record<string, FieldReader>>;
    /** Returns the error for an unknown field label. Default: the error of most kinds. */
    readonly unknownField?: (label: string) => string;
  };
