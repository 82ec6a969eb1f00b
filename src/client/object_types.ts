import type { Cached, DeepReadonly, KubeObject, Stored } from "../types/mod.ts";
import type { OfSubresource } from "./request/mod.ts";

/**
 * An object that a client writes: one that was made for it, or a read-only one from a cache.
 *
 * @typeParam T The interface of the object.
 */
export type ObjectInput<T extends KubeObject> = T | DeepReadonly<T> | Cached<T>;

/**
 * The interface of what a call is about: of the subresource `S` if a call names it, else of the object.
 *
 * @typeParam S The interface of the subresource; `never` for the object itself.
 * @typeParam T The interface of the object.
 */
export type SubjectOf<S extends KubeObject, T extends KubeObject> = [S] extends [never] ? T : S;

/**
 * An option that calls about a subresource of another kind must give: which one.
 *
 * @typeParam S The interface of the subresource; `never` for the object itself.
 */
export type SubresourceFor<S extends KubeObject> = [S] extends [never] ? unknown : OfSubresource;

/**
 * What a call returns: the object as it is stored, or the subresource `S`.
 *
 * @typeParam S The interface of the subresource; `never` for the object itself.
 * @typeParam T The interface of the object.
 */
export type Returned<S extends KubeObject, T extends KubeObject> = [S] extends [never] ? Stored<T>
  : S;
