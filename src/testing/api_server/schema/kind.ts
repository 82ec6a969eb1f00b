import type { StructType } from "../values/mod.ts";
import type { CustomVersion } from "./custom_version.ts";

/** What a request is about: one version of one kind. */
export interface KindInfo {
  /** The API group; empty for the core group. */
  readonly group: string;
  /** The version, as in `v1`. */
  readonly version: string;
  /** The kind, as in `Pod`. */
  readonly kind: string;
  /** The resource, as in `pods`. */
  readonly plural: string;
  /** Whether its objects live in namespaces. */
  readonly namespaced: boolean;
  /** Its fields: from `builtinSchema()`, or for a custom resource from `compileCrdVersion()`. */
  readonly schema: StructType;
  /** What the CRD says; only for custom resources. */
  readonly custom?: CustomVersion;
}

/** `v1`, `apps/v1`. */
export function apiVersionOf(kind: { readonly group: string; readonly version: string }): string {
  return kind.group === "" ? kind.version : `${kind.group}/${kind.version}`;
}
