import type { KubeObject } from "@kubeloop/controller/types";
import type { JsonObject } from "../../values/mod.ts";
import { ConfigurationError, mergeConfiguration } from "../apply/mod.ts";
import { apiVersionOf, type KindInfo, readObject } from "../schema/mod.ts";
import type { ResourceInfo } from "./resource_info.ts";

/**
 * Returns an object with a configuration that a policy applies to it, without defaults.
 *
 * @param kind The kind of the object.
 * @param resource The resource of the request, in whose API group and version a policy finds the schema of the kind.
 * @throws {ConfigurationError} If the configuration does not fit the kind.
 * @throws {DecodeError} If the result is not an object of the kind.
 */
export function applyConfiguration(
  object: KubeObject,
  configuration: JsonObject,
  { kind, resource }: { readonly kind: KindInfo; readonly resource: ResourceInfo },
): KubeObject {
  const apiVersion = apiVersionOf(kind);
  if (apiVersion !== resource.apiVersion) {
    throw new ConfigurationError(
      `failed to convert patch object to typed object: no corresponding type for ${apiVersion}, Kind=${kind.kind}`,
    );
  }
  const merged = mergeConfiguration(
    object as unknown as JsonObject,
    configuration,
    kind.schema,
  );
  return readObject(merged, kind).object;
}
