import { type JsonPath, showJson, splitPath } from "../base/mod.ts";
import type { CheckedPath, FieldOf } from "./field_path.ts";
import type { KubeObject, ObjectMeta, Resource, ResourceDescriptor } from "./minimal/mod.ts";
import type { ObjectOf } from "./resource_definition.ts";

/** The names of the metadata that a {@linkcode FieldsOf} always has. */
export type KeptMetadata =
  | "name"
  | "namespace"
  | "uid"
  | "resourceVersion"
  | "generation"
  | "deletionTimestamp"
  | "labels"
  | "ownerReferences"
  | "finalizers";

const KEPT_METADATA: Readonly<Record<KeptMetadata, true>> = {
  name: true,
  namespace: true,
  uid: true,
  resourceVersion: true,
  generation: true,
  deletionTimestamp: true,
  labels: true,
  ownerReferences: true,
  finalizers: true,
};

/**
 * The paths of the metadata that a {@linkcode FieldsOf} always has.
 *
 * @internal
 */
export const KEPT_PATHS: readonly (readonly string[])[] = Object.keys(KEPT_METADATA).map(
  (name) => ["metadata", name],
);

/**
 * The part of an object that a cache of {@linkcode fieldsOf} keeps: the type, the fields, and the metadata that caches and
 * controllers need, which are name, namespace, UID, resource version, generation, deletion timestamp, labels, owners and
 * finalizers. An element of a list is a field whose name is its index.
 *
 * @typeParam T The interface of the whole object.
 * @typeParam P The types of the paths.
 *
 * @example
 * ```ts
 * import type { FieldsOf, Secret } from "@kubeloop/controller/types";
 *
 * const secret: FieldsOf<Secret, ["type", "data.tls\\.crt"]> = {
 *   metadata: { name: "web" },
 *   type: "kubernetes.io/tls",
 *   data: { "tls.crt": "LS0t" },
 * };
 * secret.data?.["tls.crt"];
 * ```
 */
export type FieldsOf<T extends KubeObject, P extends readonly JsonPath[]> =
  & { apiVersion?: T["apiVersion"] & string; kind?: T["kind"] & string }
  & {
    metadata:
      & Pick<ObjectMeta, KeptMetadata>
      & { [K in Exclude<keyof ObjectMeta, KeptMetadata | NamesBelowMetadata<P[number]>>]?: never };
  }
  & AllFields<T, P>;

/**
 * The parts of an object on all paths.
 *
 * @typeParam T The interface of the whole object.
 * @typeParam P The types of the paths.
 */
export type AllFields<T, P extends readonly JsonPath[]> = P extends
  readonly [infer First extends JsonPath, ...infer Others extends readonly JsonPath[]]
  ? FieldAt<T, NamesOf<First>> & AllFields<T, Others>
  : unknown;

/**
 * The part of a value on a path. Optional fields stay optional.
 *
 * @typeParam V The type of the value.
 * @typeParam Names The names on the path.
 */
export type FieldAt<V, Names extends readonly string[]> = Names extends
  readonly [infer Name extends string, ...infer Below extends readonly string[]]
  ? unknown extends V ? { [K in Name]?: FieldAt<unknown, Below> }
  : V extends string | number | bigint | boolean | null | undefined ? V
  : V extends readonly unknown[] ? { [K in Name]?: FieldAt<FieldOf<V, Name>, Below> }
  : string extends keyof V ? { [K in Name]?: FieldAt<FieldOf<V, Name>, Below> }
  : Name extends keyof V ? { [K in keyof Pick<V, Name>]: FieldAt<V[K], Below> }
  : { [K in Name]?: FieldAt<FieldOf<V, Name>, Below> }
  : V;

/**
 * The names of the fields of the metadata that a path leads to.
 *
 * @typeParam P The type of the path.
 */
export type NamesBelowMetadata<P extends JsonPath> = P extends unknown
  ? NamesOf<P> extends readonly ["metadata", infer Name, ...unknown[]] ? Name
  : NamesOf<P> extends readonly ["metadata"] ? keyof ObjectMeta
  : never
  : never;

/**
 * The names of a path.
 *
 * @typeParam P The type of the path.
 */
export type NamesOf<P extends JsonPath> = P extends readonly string[] ? P
  : P extends string ? string extends P ? readonly string[] : NamesIn<`${P}.`>
  : never;

/**
 * The names in the text of a path.
 *
 * @typeParam Text The text, with a dot after each name.
 * @typeParam Start The start of a name with an escaped dot, without the backslash.
 */
export type NamesIn<Text extends string, Start extends string = ""> = Text extends
  `${infer Head}.${infer Below}`
  ? Head extends `${infer Escaping}\\` ? NamesIn<Below, `${Start}${Escaping}.`>
  : readonly [`${Start}${Head}`, ...NamesIn<Below>]
  : readonly [];

/**
 * Returns a descriptor of the same resource whose caches keep only a few fields of each object. An informer of it needs
 * a fraction of the memory: the rest of an object is dropped when it arrives. Use it for large objects that you read
 * little of, such as one key of many Secrets.
 *
 * The server sends whole objects all the same, which takes the same rights and traffic. If you read only metadata, use
 * {@linkcode metadataOf}, which saves the traffic too. The calls of a client return whole objects, in spite of their type.
 *
 * An object of such a cache cannot be written back, because an update would remove the fields that it lacks: `create`,
 * `update` and `apply` refuse the descriptor. Change the object with a patch.
 *
 * @typeParam R The type of the resource, which determines the type of the objects.
 * @typeParam P The types of the paths.
 * @param resource The resource.
 * @param fields The paths of the fields, such as `type` or `spec.nodeName`. A dot within a name is escaped as `\\.`. A
 * path may also be an array of names. Without a path, only metadata is kept.
 * @returns A descriptor for informers and controllers. The order of the paths does not matter: the same fields share a
 * cache.
 * @throws {TypeError} When a path is neither a text nor an array of names.
 * @throws {SyntaxError} When a path has an empty name.
 *
 * @example
 * ```ts
 * import { SharedInformerFactory } from "@kubeloop/controller/cache";
 * import { Client } from "@kubeloop/controller/client";
 * import { fieldsOf, Secrets } from "@kubeloop/controller/types";
 * import { ApiServer, VirtualClock } from "@kubeloop/testing";
 * import { assertEquals } from "@std/assert";
 *
 * const Certificates = fieldsOf(Secrets, "data.tls\\.crt");
 *
 * const clock = new VirtualClock();
 * await using server = new ApiServer({ clock });
 * await using client = new Client(server.clientOptions);
 * const data = { "tls.crt": "LS0t", "tls.key": "c2VjcmV0" };
 * await clock.run(client.create(Secrets, { metadata: { name: "web", namespace: "default" }, data }));
 *
 * await using informers = new SharedInformerFactory(client, { clock });
 * const secrets = informers.informer(Certificates);
 * informers.start();
 * await clock.run(informers.waitForCacheSync());
 * assertEquals(secrets.lister().get("default/web").data, { "tls.crt": "LS0t" });
 * ```
 */
export function fieldsOf<R extends Resource, const P extends readonly JsonPath[]>(
  resource: R,
  ...fields: { [I in keyof P]: CheckedPath<ObjectOf<R>, P[I]> }
): Resource<FieldsOf<ObjectOf<R>, P>> {
  return Object.freeze(descriptorOf({ ...resource, fields }));
}

/**
 * Returns a descriptor with nothing but its own members. Its `fields` may be paths of any form.
 *
 * @throws {TypeError | SyntaxError} When `fields` is not a list of paths.
 *
 * @internal
 */
export function descriptorOf(
  { group, version, plural, kind, namespaced, metadataOnly, fields }:
    & Omit<ResourceDescriptor, "fields">
    & { readonly fields?: unknown },
): ResourceDescriptor {
  return {
    group,
    version,
    plural,
    kind,
    namespaced,
    ...(metadataOnly === undefined ? {} : { metadataOnly }),
    ...(fields === undefined ? {} : { fields: canonicalFields(fields) }),
  };
}

/**
 * Returns a text that differs for resources of the same kind whose caches keep different parts of the objects.
 *
 * @internal
 */
export function keptPart({ metadataOnly = false, fields }: ResourceDescriptor): string {
  return fields === undefined ? String(metadataOnly) : JSON.stringify([metadataOnly, fields]);
}

/** Returns the names of each path once, in an order of their own. */
function canonicalFields(fields: unknown): readonly (readonly string[])[] {
  if (!Array.isArray(fields)) {
    throw new TypeError(`fields must be a list of paths: received ${showJson(fields)}`);
  }
  const byText = new Map(fields.map((path) => {
    const names = namesOf(path);
    return [JSON.stringify(names), names] as const;
  }));
  const texts = [...byText.keys()].toSorted();
  return Object.freeze(texts.map((text) => Object.freeze([...byText.get(text) ?? []])));
}

function namesOf(path: unknown): readonly string[] {
  const isPath = typeof path === "string" ||
    Array.isArray(path) && path.length > 0 && path.every((name) => typeof name === "string");
  const invalid = `Invalid field ${showJson(path)}: expected a path, as in "data.key"`;
  if (!isPath) throw new TypeError(invalid);
  const names = typeof path === "string" ? splitPath(path) : path as readonly string[];
  if (names.includes("")) throw new SyntaxError(invalid);
  return names;
}
