import type { DeepReadonly } from "./deep_readonly.ts";
import type { KubeObject, ObjectMeta } from "./minimal/mod.ts";

/**
 * `T` with every field optional, at any depth, including the elements of arrays. Use it for a part of an
 * {@linkcode ApplyConfiguration}.
 *
 * @typeParam T The type of the whole value.
 *
 * @example
 * ```ts
 * import type { DeepPartial, PodSpec } from "@kubeloop/controller/types";
 *
 * const image: DeepPartial<PodSpec> = { containers: [{ name: "main", image: "nginx:1.29" }] };
 * image.containers;
 * ```
 */
export type DeepPartial<T> = 0 extends 1 & T ? T
  : T extends string ? T
  : T extends readonly (infer E)[] ? readonly DeepPartial<E>[]
  : T extends object ? { readonly [K in keyof T]?: DeepPartial<T[K]> | undefined }
  : T;

/**
 * The body of a server-side apply: the name of the object, and the fields that the field manager wants to own.
 *
 * @typeParam T The interface of the object.
 *
 * @example
 * ```ts
 * import type { ApplyConfiguration, Deployment } from "@kubeloop/controller/types";
 *
 * const scaled: ApplyConfiguration<Deployment> = {
 *   metadata: { name: "web" },
 *   spec: { replicas: 3 },
 * };
 * scaled.spec?.replicas;
 * ```
 */
export type ApplyConfiguration<T extends KubeObject> =
  & { readonly [K in keyof T]?: DeepPartial<T[K]> | undefined }
  & { readonly metadata: DeepPartial<ObjectMeta> & { readonly name: string } };

/**
 * A JSON merge patch (RFC 7386): the fields to change. Null removes a field; an array replaces the whole array.
 *
 * @typeParam T The interface of the object, or of a part of it.
 *
 * @example
 * ```ts
 * import type { Deployment, MergePatch } from "@kubeloop/controller/types";
 *
 * const patch: MergePatch<Deployment> = {
 *   metadata: { annotations: { "example.com/paused": null } },
 *   spec: { replicas: 3 },
 * };
 * patch.spec?.replicas;
 * ```
 */
export type MergePatch<T> = 0 extends 1 & T ? T
  : T extends string ? T
  : T extends readonly (infer E)[] ? readonly DeepReadonly<E>[]
  : T extends object ? { readonly [K in keyof T]?: MergePatch<T[K]> | null | undefined }
  : T;

/**
 * A strategic merge patch, which only built-in kinds accept: the fields to change, with lists merged by their keys.
 * Null removes a field. Directives such as `$patch: "delete"` and `$setElementOrder/containers` are allowed everywhere.
 *
 * @typeParam T The interface of the object, or of a part of it.
 *
 * @example
 * ```ts
 * import type { Deployment, StrategicMergePatch } from "@kubeloop/controller/types";
 *
 * const patch: StrategicMergePatch<Deployment> = {
 *   spec: { template: { spec: { containers: [{ name: "main", image: "nginx:1.29" }] } } },
 * };
 * patch.spec;
 * ```
 */
export type StrategicMergePatch<T> = 0 extends 1 & T ? T
  : T extends string ? T
  : T extends readonly (infer E)[] ? readonly StrategicMergePatch<E>[]
  : T extends object // What has the type of an interface, such as `PodStatus`, cannot have directives.
    ?
      | MergePatch<T>
      | (
        & { readonly [K in keyof T]?: StrategicMergePatch<T[K]> | null | undefined }
        & { readonly [directive: `$${string}`]: unknown }
      )
  : T;
