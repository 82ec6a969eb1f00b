import {
  describeValue,
  isRecord,
  type Logger,
  parseJson,
  requireMethods,
  requireOptions,
  stringifyJson,
} from "../base/mod.ts";
import {
  type KubeObject,
  type Resource,
  type ResourceDescriptor,
  resourceName,
} from "../types/mod.ts";
import { pathOf } from "./admission.ts";
import {
  callUser,
  REVIEW_CHECKS,
  reviewHandler,
  type ReviewOptions,
  type ReviewRequest,
  shown,
} from "./review.ts";

/**
 * Converts objects of one version to the hub version and back. Labels and annotations may change. The kind and the rest of
 * the metadata are kept.
 *
 * @typeParam V The interface of the objects of this version.
 * @typeParam T The interface of the objects of the hub.
 */
export interface VersionConversion<V extends KubeObject, T extends KubeObject> {
  /** Converts an object of this version to the hub. The object is a copy, which may be changed. */
  readonly toHub: (object: V) => T | Promise<T>;
  /** Converts an object of the hub to this version. The object is a copy, which may be changed. */
  readonly fromHub: (object: T) => V | Promise<V>;
}

/**
 * The conversions of the other versions, by version. If the definition of the resource has schemas of other versions, they
 * determine the types of the objects. Otherwise the parameters of the functions do.
 *
 * @typeParam T The interface of the objects of the hub.
 * @typeParam S The interfaces in the parameters of the functions.
 * @typeParam V The interfaces of the versions in the definition.
 */
export type VersionConversions<T extends KubeObject, S extends Record<string, KubeObject>, V> =
  [keyof V] extends [never] ? { readonly [Name in keyof S]: VersionConversion<S[Name], T> }
    : {
      readonly [Name in keyof V]: V[Name] extends KubeObject ? VersionConversion<V[Name], T>
        : never;
    };

/** A conversion webhook: a fetch handler and its resource. */
export interface ConversionHandler {
  /** Answers a ConversionReview. Never rejects. */
  (request: Request): Promise<Response>;
  /** The resource, and the conversion of one object without a request, for tests. */
  readonly conversion: {
    /** The resource, in the hub version. */
    readonly resource: ResourceDescriptor;
    /** The names of the other versions. */
    readonly versions: readonly string[];
    /**
     * Converts an object as the handler does, without a time limit. Rejects with the error of the function that converts it,
     * or with a RangeError if a version is unknown.
     */
    readonly convert: (object: KubeObject, version: string) => Promise<KubeObject>;
  };
}

type AnyConversion = VersionConversion<KubeObject, KubeObject>;

/** An object that cannot be converted. The message is for the user whose request needs the object. */
class ConversionFailure extends Error {}

/**
 * Makes a conversion webhook: a handler that answers ConversionReviews of `apiextensions.k8s.io/v1`. The version of
 * `resource` is the hub: two other versions are converted through it.
 *
 * An object that cannot be converted fails the whole review, with a message that names the object. If a function throws
 * a new `StatusError`, the message has its text. Any other error is only logged.
 *
 * @typeParam T The interface of the objects of the hub.
 * @typeParam S The interfaces of the objects of the other versions, by version.
 * @typeParam V The interfaces of the versions in the definition of the resource. Each of them needs a conversion.
 * @param resource The resource, in the hub version.
 * @param versions The conversions of the other versions.
 * @param options The logger and the clock.
 * @throws {TypeError} If there is no other version, a version lacks a function, or an option is unknown.
 *
 * @example
 * ```ts
 * import { conversion } from "@kubeloop/controller/webhooks";
 * import { defineResource, type KubeObject } from "@kubeloop/controller/types";
 * import { assertEquals } from "@std/assert";
 *
 * interface Widget extends KubeObject {
 *   spec: { size: number };
 * }
 * interface OldWidget extends KubeObject {
 *   spec: { length: number };
 * }
 * const Widgets = defineResource<Widget>({
 *   group: "acme.io",
 *   version: "v1",
 *   plural: "widgets",
 *   kind: "Widget",
 *   namespaced: true,
 * });
 * const handler = conversion(Widgets, {
 *   v1beta1: {
 *     toHub: (old: OldWidget) => ({ ...old, spec: { size: old.spec.length } }),
 *     fromHub: (widget) => ({ ...widget, spec: { length: widget.spec.size } }),
 *   },
 * });
 *
 * const objects = [
 *   { apiVersion: "acme.io/v1beta1", kind: "Widget", metadata: { name: "a" }, spec: { length: 3 } },
 * ];
 * const request = { uid: "1", desiredAPIVersion: "acme.io/v1", objects };
 * const review = { apiVersion: "apiextensions.k8s.io/v1", kind: "ConversionReview", request };
 * const response = await handler(
 *   new Request("https://webhooks/", {
 *     method: "POST",
 *     headers: { "content-type": "application/json" },
 *     body: JSON.stringify(review),
 *   }),
 * );
 * const { response: { convertedObjects } } = await response.json();
 * assertEquals(convertedObjects[0].spec, { size: 3 });
 * ```
 */
export function conversion<
  T extends KubeObject,
  S extends Record<string, KubeObject>,
  V extends object = object,
>(
  resource: Resource<T> & { readonly versionTypes?: V },
  versions: VersionConversions<NoInfer<T>, S, NoInfer<V>>,
  options: ReviewOptions = {},
): ConversionHandler {
  requireOptions("conversion()", options, REVIEW_CHECKS);
  const conversions = new Map<string, AnyConversion>();
  for (const [version, pair] of Object.entries(versions ?? {})) {
    const what = `the conversion of ${resourceName(resource)} ${version}`;
    requireMethods(what, pair, "toHub", "fromHub");
    if (version === resource.version) {
      throw new TypeError(`${version} is the hub of ${resourceName(resource)}: leave it out`);
    }
    conversions.set(version, pair as unknown as AnyConversion);
  }
  if (conversions.size === 0) {
    throw new TypeError(`conversion() of ${resourceName(resource)} needs another version`);
  }
  const handler = reviewHandler(
    { apiVersion: "apiextensions.k8s.io/v1", kind: "ConversionReview" },
    options,
    (logger) => {
      const converter = new Converter(resource, conversions, logger);
      return (review, signal) => converter.answer(review, signal);
    },
  );
  const convert = async (object: KubeObject, version: string) => {
    if (!isRecord(object) || !isRecord(object.metadata)) {
      throw new TypeError(
        `convert() takes an object with metadata: received ${describeValue(object)}`,
      );
    }
    const from = versionOf(object.apiVersion, resource, conversions);
    const to = versionOf(`${resource.group}/${version}`, resource, conversions);
    if (from === undefined || to === undefined) {
      throw new RangeError(
        `Cannot convert ${shown(object.apiVersion)} to ${version}: expected ${
          apiVersions(resource, conversions)
        }`,
      );
    }
    if (from === to) return object;
    const result = await throughHub(object, conversions, from, to);
    return restored(result, object as never, `${resource.group}/${to}`) as KubeObject;
  };
  const versionNames = [...conversions.keys()];
  return Object.assign(handler, { conversion: { resource, versions: versionNames, convert } });
}

/**
 * Returns the path of a conversion webhook: `/convert-acme-io-v1-widget`.
 *
 * @param resource The resource, in the hub version.
 */
export function conversionPath(resource: ResourceDescriptor): string {
  return `/convert-${pathOf(resource)}`;
}

class Converter {
  readonly #resource: ResourceDescriptor;
  readonly #conversions: ReadonlyMap<string, AnyConversion>;
  readonly #logger: Logger;

  constructor(
    resource: ResourceDescriptor,
    conversions: ReadonlyMap<string, AnyConversion>,
    logger: Logger,
  ) {
    this.#resource = resource;
    this.#conversions = conversions;
    this.#logger = logger;
  }

  /** Returns the `response` of the review. */
  async answer(request: ReviewRequest, signal: AbortSignal): Promise<object> {
    const { desiredAPIVersion, objects } = request;
    try {
      const desired = this.#versionOf(desiredAPIVersion, "desiredAPIVersion");
      if (!Array.isArray(objects)) {
        throw new ConversionFailure("the request has no list of objects");
      }
      const convertedObjects: unknown[] = [];
      for (const object of objects) {
        convertedObjects.push(await this.#convert(object, desired, signal));
      }
      return { convertedObjects, result: { status: "Success" } };
    } catch (error) {
      if (!(error instanceof ConversionFailure)) throw error;
      const { message } = error;
      this.#logger.warn(`A ConversionReview failed: ${message}`);
      return { convertedObjects: [], result: { status: "Failure", message } };
    }
  }

  async #convert(object: unknown, desired: string, signal: AbortSignal): Promise<unknown> {
    if (!isRecord(object) || !isRecord(object.metadata)) {
      throw new ConversionFailure("the request has something that is no object");
    }
    const version = this.#versionOf(object.apiVersion, "apiVersion");
    if (version === desired) return object;
    const { namespace, name } = object.metadata;
    const full = namespace ? `${namespace}/${name}` : String(name);
    const what = `${this.#resource.kind} ${shown(full)} from ${version} to ${desired}`;
    const call = () => throughHub(object, this.#conversions, version, desired);
    const called = await callUser(`The conversion of ${what}`, call, {
      signal,
      logger: this.#logger,
    });
    if ("failure" in called) {
      throw new ConversionFailure(`Cannot convert ${what}: ${called.failure.message}`);
    }
    return restored(called.result, object, `${this.#resource.group}/${desired}`);
  }

  /** Returns the version in an apiVersion of this resource. */
  #versionOf(apiVersion: unknown, what: string): string {
    const version = versionOf(apiVersion, this.#resource, this.#conversions);
    if (version !== undefined) return version;
    throw new ConversionFailure(
      `${what} is ${shown(apiVersion)}: this webhook converts ${this.#resource.kind} between ${
        apiVersions(this.#resource, this.#conversions)
      }`,
    );
  }
}

type Conversions = ReadonlyMap<string, AnyConversion>;

/** Returns the version in an apiVersion of a resource; undefined if it is not one of its versions. */
function versionOf(
  apiVersion: unknown,
  { group, version: hub }: ResourceDescriptor,
  conversions: Conversions,
): string | undefined {
  const prefix = `${group}/`;
  if (typeof apiVersion !== "string" || !apiVersion.startsWith(prefix)) return undefined;
  const version = apiVersion.slice(prefix.length);
  return version === hub || conversions.has(version) ? version : undefined;
}

function apiVersions({ group, version }: ResourceDescriptor, conversions: Conversions): string {
  return [version, ...conversions.keys()].map((one) => `${group}/${one}`).join(", ");
}

/** Converts a copy of an object to the hub, and from there to a version. */
async function throughHub(
  object: unknown,
  conversions: Conversions,
  from: string,
  to: string,
): Promise<unknown> {
  const copy = parseJson(stringifyJson(object)) as KubeObject;
  const hub = await conversions.get(from)?.toHub(copy) ?? copy;
  const conversion = conversions.get(to);
  const converted: unknown = conversion === undefined ? hub : await conversion.fromHub(hub);
  if (isRecord(converted)) return parseJson(stringifyJson(converted));
  throw new TypeError(`The function must return an object: received ${typeof converted}`);
}

/** Restores the metadata that the API server does not allow a webhook to change. */
function restored(
  converted: unknown,
  { kind, metadata }: Record<string, unknown>,
  apiVersion: string,
): object {
  const { metadata: changed, ...rest } = converted as Record<string, unknown>;
  const { labels: _, annotations: __, ...kept } = metadata as Record<string, unknown>;
  const { labels, annotations } = isRecord(changed) ? changed : {};
  return {
    ...rest,
    apiVersion,
    kind,
    metadata: {
      ...kept,
      ...(labels === undefined ? {} : { labels }),
      ...(annotations === undefined ? {} : { annotations }),
    },
  };
}
