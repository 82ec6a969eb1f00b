import { compareApiVersions } from "@kubeloop/controller/internal/base";
import type { CustomResourceDefinition, KubeObject } from "@kubeloop/controller/types";
import {
  asStored,
  type Conversion,
  type ConversionWebhook,
  type ResourceDefinition,
  ResourceInfo,
  type SubresourceDefinition,
} from "../kinds/mod.ts";
import { apiVersionOf, compileCrdVersion, type KindInfo, prune } from "../schema/mod.ts";
import type { Release } from "../release/mod.ts";
import {
  getArray,
  getObject,
  getString,
  isObject,
  type Json,
  type JsonObject,
} from "../../values/mod.ts";

function deprecationOf(crd: CustomResourceDefinition, name: string): { deprecation?: string } {
  const { group, versions } = crd.spec;
  const names = acceptedNames(crd);
  const version = versions.find((one) => one.name === name) as {
    deprecated?: boolean;
    deprecationWarning?: string;
  };
  if (version.deprecated !== true) return {};
  if (version.deprecationWarning !== undefined) return { deprecation: version.deprecationWarning };
  const [newest] = versions.filter((one) =>
    one.served && one.deprecated !== true && compareApiVersions(one.name, name) < 0
  ).map((one) => one.name).sort(compareApiVersions);
  const use = newest === undefined ? "" : `; use ${group}/${newest} ${names.kind}`;
  return { deprecation: `${group}/${name} ${names.kind} is deprecated${use}` };
}

/**
 * Returns the accepted names of an established definition. A hand-written state may lack them; the names of the spec are
 * used then.
 */
function acceptedNames({ spec, status }: CustomResourceDefinition) {
  return status?.acceptedNames as typeof spec.names | undefined ?? spec.names;
}

/**
 * Returns the served versions of a definition.
 *
 * @param release The release of Kubernetes that serves them.
 * @param until The revision up to which objects may have been stored under an earlier schema; 0 if there are none.
 */
export function resourcesOf(
  crd: CustomResourceDefinition,
  release: Release,
  until: number,
): ResourceInfo[] {
  const { group, scope, versions } = crd.spec;
  const names = acceptedNames(crd);
  const storageVersion = versions.find((version) => version.storage)!;
  const kindOf = (version: string): KindInfo => {
    const custom = compileCrdVersion(crd, version)!;
    const namespaced = scope === "Namespaced";
    const { kind, plural } = names;
    return { group, version, kind, plural, namespaced, schema: custom.type, custom, release };
  };
  const webhook = conversionWebhookOf(crd);
  const kinds = new Map(versions.map(({ name }) => [name, kindOf(name)]));
  const types = new Map([...kinds.values()].map((kind) => [apiVersionOf(kind), kind.schema]));
  const several = webhook === undefined && types.size > 1;
  const kindIn = (version: string): KindInfo => {
    const kind = kinds.get(version)!;
    return several ? { ...kind, versions: types } : kind;
  };
  const storage = kindIn(storageVersion.name);
  const coercion = until === 0 ? undefined : { until, coerce: coerceTo(kinds) };
  return versions.filter((version) => version.served).map((version) => {
    const definition: ResourceDefinition = {
      group,
      version: version.name,
      plural: names.plural,
      kind: names.kind,
      namespaced: scope === "Namespaced",
      singular: names.singular ?? names.kind.toLowerCase(),
      listKind: names.listKind ?? `${names.kind}List`,
      verbs: ["delete", "deletecollection", "get", "list", "patch", "create", "update", "watch"],
      subresources: subresourcesOf(version.subresources),
      ...deprecationOf(crd, version.name),
      ...(names.shortNames === undefined ? {} : { shortNames: names.shortNames }),
      ...(names.categories === undefined ? {} : { categories: names.categories }),
    };
    const name = `${names.plural}.${group}`;
    const kind = version.storage ? storage : kindIn(version.name);
    if (webhook !== undefined) {
      return new ResourceInfo(definition, kind, { name, kind: storage, webhook, coercion });
    }
    // Objects may still be stored in a version that was the storage version before.
    const stored = (crd.status?.storedVersions ?? []) as readonly string[];
    if (version.storage && stored.every((one) => one === version.name)) {
      return new ResourceInfo(definition, storage, { name, kind: storage, coercion });
    }
    return new ResourceInfo(definition, kind, {
      name,
      kind: storage,
      conversion: noConversion(storage, kind),
      coercion,
    });
  });
}

/** Returns the webhook for the strategy `Webhook`; undefined for `None`. */
function conversionWebhookOf(crd: CustomResourceDefinition): ConversionWebhook | undefined {
  const conversion = getObject(crd as unknown as Json, "spec", "conversion");
  if (getString(conversion, "strategy") !== "Webhook") return undefined;
  const config = getObject(conversion, "webhook");
  const versions = getArray(config, "conversionReviewVersions").map(String);
  return { config, reviewVersion: versions.find((one) => one === "v1" || one === "v1beta1")! };
}

/**
 * Returns the conversion for the strategy `None`: the apiVersion changes, and fields that the schema of the other version
 * does not have are lost.
 */
function noConversion(stored: KindInfo, served: KindInfo): Conversion {
  return {
    fromStorage: (object) => inVersion(object, served),
    // Fields that the schema of the storage version lacks are dropped when any object is stored.
    toStorage: (object) => ({ ...object, apiVersion: apiVersionOf(stored) }),
  };
}

/** Returns what makes of an object what the schema of its version wants; a version that is gone has no schema. */
function coerceTo(kinds: ReadonlyMap<string, KindInfo>): (object: KubeObject) => KubeObject {
  return (object) => {
    const kind = kinds.get(object.apiVersion?.split("/")[1] ?? "");
    return kind === undefined ? object : asStored(kind, object);
  };
}

function inVersion(object: KubeObject, kind: KindInfo): KubeObject {
  const { object: pruned } = prune(object as unknown as JsonObject, kind.custom!.schema);
  return { ...pruned, apiVersion: apiVersionOf(kind) } as unknown as KubeObject;
}

function subresourcesOf(subresources: unknown): readonly SubresourceDefinition[] {
  if (!isObject(subresources)) return [];
  const verbs = ["get", "patch", "update"];
  const out = [];
  if (subresources["status"] !== undefined) out.push({ name: "status", verbs });
  if (subresources["scale"] !== undefined) {
    out.push({ name: "scale", group: "autoscaling", version: "v1", kind: "Scale", verbs });
  }
  return out;
}
