import type { Cached, DeepReadonly, KubeObject, Stored } from "../types/mod.ts";
import type { OfSubresource } from "./request/mod.ts";

/**
 * An object that a client writes. It may be a read-only object from a cache.
 *
 * @typeParam T The interface of the object.
 */
export type ObjectInput<T extends KubeObject> = T | DeepReadonly<T> | Cached<T>;

/**
 * The interface of the object that a call sends: the subresource `S`, or the object `T` if `S` is `never`.
 *
 * @typeParam S The interface of the subresource; `never` for the object itself.
 * @typeParam T The interface of the object.
 */
export type SubjectOf<S extends KubeObject, T extends KubeObject> = [S] extends [never] ? T : S;

/**
 * The `subresource` option, which is required if a call has the type argument `S`.
 *
 * @typeParam S The interface of the subresource; `never` for the object itself.
 */
export type SubresourceFor<S extends KubeObject> = [S] extends [never] ? unknown : OfSubresource;

/**
 * The result of a call: the subresource `S`, or the stored object if `S` is `never`.
 *
 * @typeParam S The interface of the subresource; `never` for the object itself.
 * @typeParam T The interface of the object.
 */
export type Returned<S extends KubeObject, T extends KubeObject> = [S] extends [never] ? Stored<T>
  : S;
