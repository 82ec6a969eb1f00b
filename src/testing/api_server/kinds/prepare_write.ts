import type { KubeObject } from "@kubeloop/controller/types";
import type { KindInfo } from "../schema/mod.ts";
import type { Writer } from "./record/mod.ts";
import { asRead, prepareForCreate, prepareForUpdate } from "./strategy.ts";
import { validateCreate, validateUpdate } from "./validation.ts";
import { writeWarnings } from "./write_warnings.ts";

/** A valid object that is about to be stored. */
export interface PreparedWrite {
  /** The object, as validating webhooks see it. */
  readonly object: KubeObject;
  /** The warnings for the answer. */
  readonly warnings: readonly string[];
  /**
   * Returns the object for storage.
   *
   * @param again Whether to allocate addresses and ports again.
   */
  readonly stored: (again: boolean) => KubeObject;
}

/** The circumstances of a write. */
export interface WriteContext {
  readonly writer: Writer;
  /** The subresource that the request writes. Default: the object itself. */
  readonly subresource?: string;
  /** Allocates values that only one object can have, such as an IP address. Default: nothing is allocated. */
  readonly allocate?: (object: KubeObject) => KubeObject;
}

/**
 * Prepares a new object for storage, after mutating admission: sets the fields of the server, allocates, and validates.
 *
 * @param object The defaulted object with its managed fields, name and UID.
 * @throws {ApiError} 422, if the object is invalid.
 */
export function prepareCreate(
  kind: KindInfo,
  object: KubeObject,
  { writer, allocate = unchanged }: WriteContext,
): PreparedWrite {
  const prepared = prepareForCreate(kind, object, writer);
  const allocated = allocate(prepared);
  validateCreate(kind, allocated);
  return {
    object: allocated,
    warnings: writeWarnings(kind, allocated, undefined, ""),
    stored: (again) => asRead(kind, again ? allocate(prepared) : allocated),
  };
}

/**
 * Prepares an update for storage, after mutating admission: takes from `next` the fields that the request may write,
 * sets the fields of the server, allocates, and validates.
 *
 * @param next The defaulted object with its managed fields.
 * @throws {ApiError} 422, if the object is invalid.
 */
export function prepareUpdate(
  kind: KindInfo,
  next: KubeObject,
  old: KubeObject,
  { writer, subresource = "", allocate = unchanged }: WriteContext,
): PreparedWrite {
  const prepared = prepareForUpdate(kind, next, old, writer, subresource);
  const take = subresource === "" ? allocate : unchanged;
  const object = take(prepared);
  const warnings: string[] = [];
  validateUpdate(kind, object, old, subresource, (text) => warnings.push(text));
  warnings.push(...writeWarnings(kind, object, old, subresource));
  return { object, warnings, stored: (again) => again ? take(prepared) : object };
}

function unchanged(object: KubeObject): KubeObject {
  return object;
}
