import type { KubeObject } from "@kubeloop/controller/types";
import { getString, jsonKey, type JsonObject } from "../../values/mod.ts";
import type { ResourceInfo, VersionViews } from "../kinds/mod.ts";
import type { ResourceExchange } from "./exchange.ts";

/** A conversion that tracking the field managers needs and does not have. */
class MissingConversion {
  readonly object: JsonObject;
  readonly to: ResourceInfo;
  readonly key: string;

  constructor(object: JsonObject, to: ResourceInfo, key: string) {
    this.object = object;
    this.to = to;
    this.key = key;
  }
}

/**
 * Tracks the field managers of a custom resource whose versions a webhook converts: what a manager owns is compared in
 * the version in which it wrote. `track` is called again after each conversion that it lacked.
 *
 * @param track Gets the other versions; undefined if no webhook converts them.
 */
export function withOwnerVersions<T>(
  exchange: ResourceExchange,
  track: (versions: VersionViews | undefined) => T,
): T | Promise<T> {
  if (exchange.resource.conversionWebhook === undefined) return track(undefined);
  return trackConverted(exchange, track);
}

async function trackConverted<T>(
  { resource, server, request }: ResourceExchange,
  track: (versions: VersionViews) => T,
): Promise<T> {
  const { definition: { group, plural } } = resource;
  const known = new Map<string, JsonObject>();
  const find = (apiVersion: string) =>
    apiVersion.startsWith(`${group}/`)
      ? server.registry.find(group, apiVersion.slice(group.length + 1), plural)
      : undefined;
  const versions: VersionViews = (apiVersion) => {
    const to = find(apiVersion);
    if (to === undefined) return undefined;
    const convert = (object: JsonObject) => {
      if (getString(object, "apiVersion") === apiVersion) return object;
      const key = `${apiVersion} ${jsonKey(object)}`;
      const converted = known.get(key);
      if (converted === undefined) throw new MissingConversion(object, to, key);
      return converted;
    };
    return { schema: to.kind.schema, convert };
  };
  for (;;) {
    try {
      return track(versions);
    } catch (error) {
      if (!(error instanceof MissingConversion)) throw error;
      const from = find(getString(error.object, "apiVersion")) ?? resource;
      const converted = await server.converter.between(
        error.object as unknown as KubeObject,
        { from, to: error.to, signal: request.signal },
      );
      known.set(error.key, converted as unknown as JsonObject);
    }
  }
}
