import type { KubeObject } from "@kubeloop/controller/types";
import { type ResourceInfo, TrackingError, type VersionViews } from "../kinds/mod.ts";
import { ApiError, getString, jsonKey, type JsonObject } from "../../values/mod.ts";
import type { ResourceExchange } from "./exchange.ts";

/** The maximum number of conversions for one write. */
const MAX_CONVERSIONS = 100;

/** Interrupts a computation that needs the form of an object in another version. */
class ConversionNeeded extends Error {
  readonly key: string;
  readonly object: JsonObject;
  readonly to: ResourceInfo;

  constructor(key: string, object: JsonObject, to: ResourceInfo) {
    super(`The object must be converted to ${to.apiVersion}`);
    this.key = key;
    this.object = object;
    this.to = to;
  }
}

/**
 * Computes the managed fields of a custom resource. The fields of other managers are compared in the versions of these
 * managers. If a webhook has to convert an object for that, `compute` is called again after the conversion.
 *
 * @param compute Receives the other versions of the resource; undefined without a conversion webhook. It must have no side
 * effects.
 */
export function withVersionViews<T>(
  exchange: ResourceExchange,
  compute: (views: VersionViews | undefined) => T,
): T | Promise<T> {
  if (exchange.resource.conversionWebhook === undefined) return compute(undefined);
  return computeConverted(exchange, compute);
}

async function computeConverted<T>(
  { request, resource, server }: ResourceExchange,
  compute: (views: VersionViews | undefined) => T,
): Promise<T> {
  const { group, plural } = resource.definition;
  const versions = new Map(
    server.registry.versions(group).flatMap((version) => {
      const other = server.registry.find(group, version, plural);
      return other === undefined ? [] : [[other.apiVersion, other] as const];
    }),
  );
  const converted = new Map<string, JsonObject | TrackingError>();
  const views: VersionViews = (apiVersion) => {
    const to = versions.get(apiVersion);
    if (to === undefined) return undefined;
    const convert = (object: JsonObject) => {
      if (getString(object, "apiVersion") === apiVersion) return object;
      // As in a real server, an object without fields needs no webhook.
      if (Object.keys(object).length <= 2) return { ...object, apiVersion };
      const key = `${apiVersion} ${jsonKey(object)}`;
      const known = converted.get(key);
      if (known === undefined) throw new ConversionNeeded(key, object, to);
      if (known instanceof TrackingError) throw known;
      return known;
    };
    return { schema: to.kind.schema, convert };
  };
  for (;;) {
    try {
      return compute(views);
    } catch (error) {
      if (!(error instanceof ConversionNeeded) || converted.size >= MAX_CONVERSIONS) throw error;
      const { key, object, to } = error;
      const from = versions.get(getString(object, "apiVersion")) ?? resource;
      const direction = { from, to, signal: request.signal };
      try {
        const result = await server.converter.between(object as unknown as KubeObject, direction);
        converted.set(key, result as unknown as JsonObject);
      } catch (failed) {
        if (!ApiError.is(failed)) throw failed;
        converted.set(key, new TrackingError(failed.message));
      }
    }
  }
}
