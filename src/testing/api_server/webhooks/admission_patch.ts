import type { KubeObject } from "@kubeloop/controller/types";
import { applyDefaults } from "../kinds/mod.ts";
import { jsonPatch, JsonPatchError, type JsonPatchOperation } from "../patch/mod.ts";
import { DecodeError, type KindInfo, readObject } from "../schema/mod.ts";
import { internalFailure, type Json } from "../../values/mod.ts";

/**
 * Applies the patch of a mutating webhook, and sets the defaults of the kind again.
 *
 * @throws {ApiError} 500, if the patch cannot be applied, or the result is not an object of the kind.
 */
export function applyAdmissionPatch(
  kind: KindInfo,
  object: KubeObject,
  patch: readonly JsonPatchOperation[],
): KubeObject {
  try {
    const patched = jsonPatch(object as unknown as Json, patch);
    return applyDefaults(kind, readObject(patched, kind).object);
  } catch (error) {
    if (error instanceof JsonPatchError || error instanceof DecodeError) {
      throw internalFailure(error.message);
    }
    throw error;
  }
}
