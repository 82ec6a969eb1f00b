import { randomUuid } from "@kubeloop/controller/internal/base";
import type { KubeObject } from "@kubeloop/controller/types";
import { applyDefaults, type ConversionWebhook, type ResourceInfo } from "../kinds/mod.ts";
import { apiVersionOf, DecodeError, type KindInfo, readObject } from "../schema/mod.ts";
import { type Draws, objectKey, type StoredObject } from "../storage/mod.ts";
import { ApiError, internalError, type Json, type JsonObject } from "../../values/mod.ts";
import { conversionReview, readConversion } from "./conversion_review.ts";
import { showKind } from "./decode_review.ts";
import { type WebhookAnswer, WebhookCallError } from "./webhook_answer.ts";
import type { WebhookCaller } from "./webhook_caller.ts";
import { targetOf } from "./webhook_target.ts";

/** How long a conversion webhook may take, as in the real server. */
const TIMEOUT_SECONDS = 30;

/** The largest number of objects in one review. */
const MAX_OBJECTS = 500;

/** The feature gate with which errors name a stored object that cannot be read, so that it can be deleted nevertheless. */
export const NAMES_UNREADABLE = "AllowUnsafeMalformedObjectDeletion";

/** A stored object that a webhook does not convert. */
export interface UnreadableObject {
  readonly object: StoredObject;
  /** The reason. */
  readonly message: string;
}

/** From where to where an object is converted. */
export interface Direction {
  readonly from: ResourceInfo;
  readonly to: ResourceInfo;
  readonly signal: AbortSignal;
}

/**
 * Converts objects between the versions of their resource: by the webhook of a custom resource, if it has one. What a
 * webhook has made of a stored object is kept, since a stored object never changes.
 */
export class ObjectConverter {
  readonly #caller: WebhookCaller;
  /** Makes the UIDs of the reviews. */
  readonly #draws: Draws;
  /** The conversions of stored objects that are on their way. Several requests wait for one. */
  readonly #pending = new WeakMap<ResourceInfo, Map<StoredObject, Promise<void>>>();
  /** Conversions that several requests share do not end with one of them. */
  readonly #never = new AbortController().signal;

  /** Creates a converter. */
  constructor(caller: WebhookCaller, draws: Draws) {
    this.#caller = caller;
    this.#draws = draws;
  }

  /**
   * Makes stored objects readable in the version of `resource`. Returns undefined if they are: nothing then need be
   * awaited.
   *
   * The promise rejects with an {@linkcode ApiError}, if the webhook fails.
   *
   * @param options `fresh`: whether to ask the webhook again for what it has converted before, as a real server does for
   * each object that it reads from etcd and not from a watch cache.
   */
  prepare(
    resource: ResourceInfo,
    objects: Iterable<StoredObject>,
    { fresh = false }: { readonly fresh?: boolean } = {},
  ): Promise<void> | undefined {
    const webhook = resource.conversionWebhook;
    if (webhook === undefined) return undefined;
    const missing = [...new Set(objects)].filter((object) =>
      fresh ? !resource.isServed(object) : !resource.isReadable(object)
    );
    return missing.length === 0 ? undefined : this.#prepare(resource, webhook, missing);
  }

  /**
   * Returns the stored objects that the webhook does not convert, with the reasons. Asks about one after the other, as a
   * real server does when it reads a list from etcd.
   *
   * @param options `limit`: the number of failures after which it stops. `signal`: aborts with the request.
   */
  async unreadable(
    resource: ResourceInfo,
    objects: Iterable<StoredObject>,
    { limit, signal }: { readonly limit: number; readonly signal: AbortSignal },
  ): Promise<UnreadableObject[]> {
    const found: UnreadableObject[] = [];
    for (const object of objects) {
      if (found.length >= limit) break;
      signal.throwIfAborted();
      try {
        await this.prepare(resource, [object]);
      } catch (error) {
        if (!ApiError.is(error)) throw error;
        found.push({ object, message: error.message });
      }
    }
    return found;
  }

  async #prepare(
    resource: ResourceInfo,
    webhook: ConversionWebhook,
    missing: readonly StoredObject[],
  ): Promise<void> {
    let pending = this.#pending.get(resource);
    if (pending === undefined) this.#pending.set(resource, pending = new Map());
    const fresh = missing.filter((object) => !pending.has(object));
    for (let start = 0; start < fresh.length; start += MAX_OBJECTS) {
      const batch = fresh.slice(start, start + MAX_OBJECTS);
      const converted = this.#keep(resource, webhook, batch)
        .finally(() => batch.forEach((object) => pending.delete(object)));
      for (const object of batch) pending.set(object, converted);
    }
    await Promise.all(new Set(missing.map((object) => pending.get(object))));
  }

  async #keep(
    resource: ResourceInfo,
    webhook: ConversionWebhook,
    batch: readonly StoredObject[],
  ): Promise<void> {
    const { storageKind, apiVersion } = resource;
    const storageVersion = apiVersionOf(storageKind);
    const stored = batch.map((one) => {
      const object = resource.parse(one);
      // After a change of the storage version, it may be stored in another one.
      return object.apiVersion === storageVersion ? applyDefaults(storageKind, object) : object;
    });
    try {
      const converted = await this.#convert(webhook, stored, apiVersion, this.#never);
      batch.forEach((object, index) =>
        resource.keep(object, decoded(converted[index]!, resource.kind))
      );
    } catch (error) {
      if (!resource.kind.release.isOn(NAMES_UNREADABLE) || !ApiError.is(error)) throw error;
      const { revision } = batch[0]!;
      throw internalError(`object not decodable revision=${revision}: ${error.message}`);
    }
  }

  /** Converts an object from the version of `resource` to the storage version. */
  async toStorage(
    resource: ResourceInfo,
    object: KubeObject,
    signal: AbortSignal,
  ): Promise<KubeObject> {
    const webhook = resource.conversionWebhook;
    if (webhook === undefined || resource.kind === resource.storageKind) {
      return resource.toStorage(object);
    }
    const { storageKind: kind } = resource;
    const apiVersion = apiVersionOf(kind);
    const [converted] = await this.#convert(webhook, [object], apiVersion, signal);
    return applyDefaults(kind, decoded(converted!, kind));
  }

  /** Converts an object from the storage version to the version of `resource`. */
  async fromStorage(
    resource: ResourceInfo,
    object: KubeObject,
    signal: AbortSignal,
  ): Promise<KubeObject> {
    const webhook = resource.conversionWebhook;
    if (webhook === undefined || resource.kind === resource.storageKind) {
      return resource.fromStorage(object);
    }
    const [converted] = await this.#convert(webhook, [object], resource.apiVersion, signal);
    return decoded(converted!, resource.kind);
  }

  /** Converts an object from one version of a resource to another. */
  async between(object: KubeObject, { from, to, signal }: Direction): Promise<KubeObject> {
    const webhook = to.conversionWebhook;
    if (webhook === undefined || from.kind === to.kind) {
      return to.fromStorage(from.toStorage(object));
    }
    const [converted] = await this.#convert(webhook, [object], to.apiVersion, signal);
    return decoded(converted!, to.kind);
  }

  async #convert(
    webhook: ConversionWebhook,
    objects: readonly KubeObject[],
    apiVersion: string,
    signal: AbortSignal,
  ): Promise<JsonObject[]> {
    const { config, reviewVersion: version } = webhook;
    const { kind, metadata: { name = "", namespace = "" } } = objects[0]!;
    const uid = randomUuid(
      this.#draws.of(`${apiVersion} ${kind} ${objectKey(namespace, name)} ${objects.length}`),
    );
    const review = conversionReview(objects, apiVersion, version, uid);
    const target = targetOf(config);
    let answer: WebhookAnswer;
    try {
      answer = await this.#caller.call({
        target,
        review,
        timeoutSeconds: TIMEOUT_SECONDS,
        uid,
        signal,
      });
    } catch (error) {
      if (!(error instanceof WebhookCallError)) throw error;
      const kind = showKind(objects[0]! as unknown as JsonObject);
      throw internalError(`conversion webhook for ${kind} failed: ${error.message}`);
    }
    try {
      return readConversion(answer, { uid, version, apiVersion, objects });
    } catch (error) {
      throw internalError((error as Error).message);
    }
  }
}

/** Returns a converted object without the fields that its schema does not have. */
function decoded(converted: JsonObject, kind: KindInfo): KubeObject {
  try {
    return readObject(converted as Json, kind).object;
  } catch (error) {
    if (error instanceof DecodeError) throw internalError(error.message);
    throw error;
  }
}
