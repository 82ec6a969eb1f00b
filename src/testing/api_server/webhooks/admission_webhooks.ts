import { type Logger, randomUuid } from "@kubeloop/controller/internal/base";
import type { KubeObject } from "@kubeloop/controller/types";
import { matchConditions } from "@kubeloop/controller/internal/cel";
import {
  ApiError,
  forbidden,
  getObject,
  internalError,
  internalFailure,
  type Json,
  jsonEqual,
} from "../../values/mod.ts";
import type { Authorizer } from "../access/mod.ts";
import {
  applyDefaults,
  EXCLUDES_VIRTUAL,
  type ResourceRegistry,
  VIRTUAL_RESOURCES,
} from "../kinds/mod.ts";
import { jsonPatch, JsonPatchError, type JsonPatchOperation } from "../patch/mod.ts";
import { DecodeError, type KindInfo, readObject } from "../schema/mod.ts";
import { type Draws, objectKey, type Storage } from "../storage/mod.ts";
import { admissionActivation } from "./admission_activation.ts";
import { callFailure, denied, noDryRun } from "./admission_error.ts";
import { type AdmissionAttributes, admissionReview, type Invocation } from "./admission_request.ts";
import { type AdmissionResponse, readAdmission } from "./admission_response.ts";
import { invocationOf } from "./invocation.ts";
import { MutatingPolicies } from "./mutating_policies.ts";
import type { ObjectConverter } from "./object_converter.ts";
import type { PolicyOptions } from "./policy_bindings.ts";
import { Reinvocation } from "./reinvocation.ts";
import { RequestSelector } from "./request_selector.ts";
import { ValidatingPolicies } from "./validating_policies.ts";
import { type WebhookAnswer, WebhookCallError } from "./webhook_answer.ts";
import type { WebhookCaller } from "./webhook_caller.ts";
import { type AdmissionWebhook, WebhookConfigurations } from "./webhook_configurations.ts";

/** The parts of the server that admission webhooks use. */
export interface AdmissionOptions {
  readonly logger: Logger;
  readonly storage: Storage;
  readonly registry: ResourceRegistry;
  readonly converter: ObjectConverter;
  readonly caller: WebhookCaller;
  /** Answers the questions of expressions. */
  readonly authorizer: Authorizer;
  /** Makes the UIDs of the reviews. */
  readonly draws: Draws;
}

/** A change that the server makes itself, before webhooks, and again after they have changed something. */
export type OwnAdmission = (object: KubeObject) => KubeObject;

/** Calls the admission webhooks that are configured. */
export class AdmissionWebhooks {
  readonly #options: AdmissionOptions;
  readonly #configurations: WebhookConfigurations;
  readonly #selector: RequestSelector;
  readonly #mutatingPolicies: MutatingPolicies;
  readonly #validatingPolicies: ValidatingPolicies;

  /** Creates the admission of a server. */
  constructor(options: AdmissionOptions) {
    this.#options = options;
    this.#configurations = new WebhookConfigurations(options.storage);
    this.#selector = new RequestSelector(options.storage);
    const policies: PolicyOptions = {
      ...options,
      convert: (attributes, invocation) => this.#shown(attributes, invocation),
    };
    this.#mutatingPolicies = new MutatingPolicies(policies, options.converter);
    this.#validatingPolicies = new ValidatingPolicies(policies);
  }

  /** Whether no webhook or policy is configured, so that nothing need be asked. */
  get isIdle(): boolean {
    return this.#configurations.isEmpty && this.#mutatingPolicies.isEmpty &&
      this.#validatingPolicies.isEmpty;
  }

  /**
   * Evaluates the mutating policies and then calls the mutating webhooks, one after the other, and returns the object
   * that they have made of `attributes.object`. For a deletion, which has no object, returns undefined.
   *
   * @param own The server's own admission, which has been applied to the object already.
   * @throws {ApiError} If a policy cannot be evaluated, or a webhook denies the request, cannot be called, or answers
   * with something invalid.
   */
  async mutate(
    attributes: AdmissionAttributes,
    own: OwnAdmission = (object) => object,
  ): Promise<KubeObject | undefined> {
    const webhooks = this.#configurations.mutating;
    const policies = this.#mutatingPolicies;
    if (webhooks.length === 0 && policies.isEmpty) return attributes.object;
    const again = { policies: new Reinvocation(), webhooks: new Reinvocation() };
    const withObject = (object: KubeObject | undefined) => ({ ...attributes, object });
    const byPolicies = await policies.mutate(attributes, again.policies, false);
    const first = await this.#mutateRound(webhooks, withObject(byPolicies), again.webhooks, false);
    if (first === undefined || !(again.policies.isDue || again.webhooks.isDue)) return first;
    const next = own(first);
    if (!same(next, byPolicies)) again.policies.require();
    const second = await policies.mutate(withObject(next), again.policies, true);
    if (!same(second, first)) again.webhooks.require();
    return await this.#mutateRound(webhooks, withObject(second), again.webhooks, true);
  }

  async #mutateRound(
    webhooks: readonly AdmissionWebhook[],
    attributes: AdmissionAttributes,
    again: Reinvocation,
    repeated: boolean,
  ): Promise<KubeObject | undefined> {
    let object = attributes.object;
    for (const webhook of webhooks) {
      const current = { ...attributes, object };
      const invocation = this.#invocationOf(webhook, current);
      if (invocation === undefined || (repeated && !again.calls(webhook.id))) continue;
      const next = await this.#failing(webhook, () => this.#mutateBy(webhook, current, invocation));
      const changed = next !== undefined && !same(next.object, object);
      if (changed) again.changed();
      if (webhook.reinvoked) again.called(webhook.id);
      if (next !== undefined) object = next.object;
    }
    return object;
  }

  /**
   * Calls one mutating webhook, and returns the object that it has made; undefined if the request does not fulfil the
   * conditions of the webhook.
   */
  async #mutateBy(
    webhook: AdmissionWebhook,
    attributes: AdmissionAttributes,
    invocation: Invocation,
  ): Promise<{ object: KubeObject | undefined } | undefined> {
    const shown = await this.#shown(attributes, invocation)
      .catch((error) => {
        // A real server wraps this error twice for a mutating webhook, and once for a validating one.
        throw unconverted(unconverted(error));
      });
    if (!this.#fulfils(webhook, shown, invocation)) return undefined;
    const { patch } = await this.#call(webhook, shown, invocation, true);
    if (patch.length === 0) return { object: attributes.object };
    if (shown.object === undefined) {
      throw internalFailure(
        `admission webhook ${
          JSON.stringify(webhook.name)
        } attempted to modify the object, which is not supported for this operation`,
      );
    }
    const patched = applyAdmissionPatch(invocation.kind, shown.object, patch);
    if (invocation.resource === attributes.resource) return { object: patched };
    const { converter } = this.#options;
    const back = { from: invocation.resource, to: attributes.resource, signal: attributes.signal };
    return { object: await converter.between(patched, back) };
  }

  /**
   * Evaluates the policies, and then calls the validating webhooks, all at the same time.
   *
   * @throws {ApiError} If a webhook denies the request, cannot be called, or answers with something invalid. Of several
   * failures, that of the first webhook.
   */
  async validate(attributes: AdmissionAttributes): Promise<void> {
    await this.#validatingPolicies.validate(attributes);
    const relevant: [AdmissionWebhook, Invocation, AdmissionAttributes][] = [];
    for (const webhook of this.#configurations.validating) {
      const invocation = this.#invocationOf(webhook, attributes);
      if (invocation === undefined) continue;
      const shown = await this.#shown(attributes, invocation)
        .catch((error) => {
          throw unconverted(error);
        });
      if (this.#fulfils(webhook, shown, invocation)) relevant.push([webhook, invocation, shown]);
    }
    const results = await Promise.allSettled(
      relevant.map(([webhook, invocation, shown]) =>
        this.#failing(webhook, () => this.#call(webhook, shown, invocation, false))
      ),
    );
    const failed = results.find((result) => result.status === "rejected");
    if (failed !== undefined) throw failed.reason;
  }

  #invocationOf(
    webhook: AdmissionWebhook,
    attributes: AdmissionAttributes,
  ): Invocation | undefined {
    if (isExcluded(attributes)) return undefined;
    if (!this.#selector.matchesObject(webhook.objectSelector, attributes)) return undefined;
    const invocation = invocationOf(webhook, attributes, this.#options.registry);
    if (invocation === undefined) return undefined;
    if (!this.#selector.matchesNamespace(webhook.namespaceSelector, attributes)) return undefined;
    return invocation;
  }

  /**
   * Reports whether a request fulfils the conditions of a webhook.
   *
   * @throws {ApiError} 403, if they fail and the webhook's failure policy does not ignore it.
   */
  #fulfils(
    { conditions, ignoresFailure }: AdmissionWebhook,
    attributes: AdmissionAttributes,
    invocation: Invocation,
  ): boolean {
    if (conditions.length === 0) return true;
    const activation = admissionActivation({ attributes, invocation }, this.#options);
    const match = matchConditions(conditions, activation, ignoresFailure);
    if ("matches" in match) return match.matches;
    throw forbidden(attributes.resource.definition, attributes.name, match.error);
  }

  /** Returns the request in the version that a webhook wants. */
  async #shown(
    attributes: AdmissionAttributes,
    invocation: Invocation,
  ): Promise<AdmissionAttributes> {
    const { resource: from, object, oldObject, signal } = attributes;
    const { resource: to, kind } = invocation;
    // The objects of some subresources are of one kind in all versions of the resource.
    if (to === from || kind === attributes.kind) return attributes;
    const { converter } = this.#options;
    const convert = (one: KubeObject | undefined) =>
      one === undefined ? undefined : converter.between(one, { from, to, signal });
    return { ...attributes, object: await convert(object), oldObject: await convert(oldObject) };
  }

  async #call(
    webhook: AdmissionWebhook,
    attributes: AdmissionAttributes,
    invocation: Invocation,
    mutating: boolean,
  ): Promise<AdmissionResponse> {
    if (attributes.dryRun && !webhook.supportsDryRun) throw noDryRun(webhook.name);
    const { caller, draws } = this.#options;
    const { target, timeoutSeconds, reviewVersion: version } = webhook;
    const { name, namespace, operation, resource } = attributes;
    const uid = randomUuid(
      draws.of(
        `${webhook.name} ${operation} ${resource.storageName} ${objectKey(namespace, name)}`,
      ),
    );
    const review = admissionReview(attributes, invocation, version, uid);
    const { deadlineMs, signal } = attributes;
    let answer: WebhookAnswer;
    try {
      answer = await caller.call({ target, review, timeoutSeconds, uid, signal, deadlineMs });
    } catch (error) {
      if (!(error instanceof WebhookCallError)) throw error;
      throw new WebhookCallError(`failed to call webhook: ${error.message}`, { cause: error });
    }
    const response = readAdmission(answer, { uid, version, mutating });
    attributes.warnings.push(...response.warnings);
    if (response.allowed) return response;
    throw denied(webhook.name, response.status);
  }

  /** Applies the failure policy of a webhook to `call`. Returns undefined for a failure that is ignored. */
  async #failing<T>(webhook: AdmissionWebhook, call: () => Promise<T>): Promise<T | undefined> {
    try {
      return await call();
    } catch (error) {
      if (!(error instanceof WebhookCallError)) throw error;
      const message = callFailure(webhook.name, error.message);
      if (!webhook.ignoresFailure) throw internalFailure(message);
      this.#options.logger.warn(`The API server ignored a webhook that failed: ${message}`);
      return undefined;
    }
  }
}

/** Reports whether webhooks are never asked about the objects of a request. */
function isExcluded({ resource }: AdmissionAttributes): boolean {
  return VIRTUAL_RESOURCES.has(resource.storageName) &&
    resource.kind.release.has(EXCLUDES_VIRTUAL);
}

/** Returns the error for an object that cannot be converted for a webhook. */
function unconverted(error: unknown): unknown {
  return ApiError.is(error) ? internalFailure(error.message) : error;
}

function same(a: KubeObject | undefined, b: KubeObject | undefined): boolean {
  return a === b || jsonEqual(a as unknown as Json, b as unknown as Json);
}

/**
 * Applies the patch of a mutating webhook, and sets the defaults of the kind again.
 *
 * @throws {ApiError} 500, if the patch cannot be applied, or the result is not an object of the kind.
 */
function applyAdmissionPatch(
  kind: KindInfo,
  object: KubeObject,
  patch: readonly JsonPatchOperation[],
): KubeObject {
  try {
    const patched = jsonPatch(object as unknown as Json, patch);
    const { object: read } = readObject(patched, kind);
    // Fields that a custom resource does not have are pruned only when it is stored.
    return applyDefaults(
      kind,
      kind.custom === undefined ? read : {
        ...patched as unknown as KubeObject,
        metadata: getObject(patched, "metadata") as unknown as KubeObject["metadata"],
      },
    );
  } catch (error) {
    if (error instanceof JsonPatchError || error instanceof DecodeError) {
      // A real server finds out only after all webhooks that the object is of another kind.
      if (error.message.startsWith("converting (")) throw internalError(error.message);
      throw internalFailure(error.message);
    }
    throw error;
  }
}
