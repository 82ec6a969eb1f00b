import type { StructType } from "../../values/mod.ts";
import type { CustomVersion } from "./custom_version.ts";
import type { Release } from "../release/mod.ts";

/** One version of one kind, with its resource and its schema. */
export interface KindInfo {
  /** The API group; empty for the core group. */
  readonly group: string;
  /** The version, such as `v1`. */
  readonly version: string;
  /** The kind, such as `Pod`. */
  readonly kind: string;
  /** The plural name of the resource, such as `pods`. */
  readonly plural: string;
  /** Whether the objects are namespaced. */
  readonly namespaced: boolean;
  /** The fields of the kind: from `Schemas` or, for a custom resource, from `compileCrdVersion()`. */
  readonly schema: StructType;
  /** The release of Kubernetes that serves the kind. */
  readonly release: Release;
  /** The compiled version of the CRD; only for custom resources. */
  readonly custom?: CustomVersion;
  /**
   * The fields of all versions of a custom resource, by API version, if a conversion between them changes only the
   * version.
   */
  readonly versions?: ReadonlyMap<string, StructType>;
}

/** Returns the API version of a kind, such as `v1` or `apps/v1`. */
export function apiVersionOf(kind: { readonly group: string; readonly version: string }): string {
  return kind.group === "" ? kind.version : `${kind.group}/${kind.version}`;
}
