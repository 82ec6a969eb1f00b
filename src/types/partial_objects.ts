import type { KubeObject, ObjectMeta } from "./meta.ts";

/**
 * `T` with every field optional, at any depth, in the elements of arrays too: a part of an {@linkcode ApplyConfiguration}.
 *
 * @typeParam T What it is a part of.
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
  : T extends readonly (infer E)[] ? readonly DeepPartial<E>[]
  : T extends object ? { readonly [K in keyof T]?: DeepPartial<T[K]> | undefined }
  : T;

/**
 * What server-side apply sends: the fields that its field manager wants to own, and the object's name.
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
  : T extends readonly (infer E)[] ? readonly E[]
  : T extends object ? { readonly [K in keyof T]?: MergePatch<T[K]> | null | undefined }
  : T;

/**
 * A strategic merge patch, which built-in kinds take: the fields to change, where lists are merged by their keys. Null
 * removes a field; directives such as `$patch: "delete"` and `$setElementOrder/containers` are allowed everywhere.
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
  : T extends readonly (infer E)[] ? readonly StrategicMergePatch<E>[]
  : T extends object ?
      & { readonly [K in keyof T]?: StrategicMergePatch<T[K]> | null | undefined }
      & { readonly [directive: `$${string}`]: unknown }
  : T;
