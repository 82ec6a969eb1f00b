import type { LabelSelector } from "@kubeloop/controller/types";
import { compileCondition, type Condition } from "@kubeloop/controller/internal/cel";
import {
  getArray,
  getObject,
  getOwn,
  getString,
  isObject,
  type JsonObject,
} from "../../values/mod.ts";
import type { ResourceStore, Storage, StoredObject } from "../storage/mod.ts";
import { targetOf, type WebhookTarget } from "./webhook_target.ts";

/** One admission webhook of a configuration. */
export interface AdmissionWebhook {
  /** Identifies the webhook among all. */
  readonly id: string;
  readonly name: string;
  readonly target: WebhookTarget;
  readonly rules: readonly JsonObject[];
  readonly namespaceSelector: LabelSelector;
  readonly objectSelector: LabelSelector;
  /** The conditions (CEL) that a request must fulfil. */
  readonly conditions: readonly Condition[];
  /** Whether the rules also match other versions of a resource. */
  readonly equivalent: boolean;
  /** Whether the request continues if the webhook cannot be called. */
  readonly ignoresFailure: boolean;
  /** Whether it is called again if a later webhook changed the object. */
  readonly reinvoked: boolean;
  readonly supportsDryRun: boolean;
  readonly timeoutSeconds: number;
  /** The version of the review that it gets: the first one in its list that the server knows. */
  readonly reviewVersion: "v1" | "v1beta1";
}

const GROUP = "admissionregistration.k8s.io";

/** The admission webhooks that are configured. */
export class WebhookConfigurations {
  readonly #mutating: ResourceStore;
  readonly #validating: ResourceStore;
  readonly #read = new WeakMap<StoredObject, readonly AdmissionWebhook[]>();

  /** Reads the configurations in `storage`. */
  constructor(storage: Storage) {
    this.#mutating = storage.store(`mutatingwebhookconfigurations.${GROUP}`);
    this.#validating = storage.store(`validatingwebhookconfigurations.${GROUP}`);
  }

  /** Whether there is no configuration. */
  get isEmpty(): boolean {
    return this.#mutating.size === 0 && this.#validating.size === 0;
  }

  /** The mutating webhooks, by the name of their configuration and then in its order. */
  get mutating(): AdmissionWebhook[] {
    return this.#of(this.#mutating);
  }

  /** The validating webhooks, by the name of their configuration and then in its order. */
  get validating(): AdmissionWebhook[] {
    return this.#of(this.#validating);
  }

  #of(store: ResourceStore): AdmissionWebhook[] {
    return store.size === 0 ? [] : store.list("").flatMap((stored) => this.#webhooks(stored));
  }

  #webhooks(stored: StoredObject): readonly AdmissionWebhook[] {
    let webhooks = this.#read.get(stored);
    if (webhooks === undefined) {
      const configuration = stored.parse() as unknown as JsonObject;
      webhooks = getArray(configuration, "webhooks").filter(isObject)
        .map((webhook) => webhookOf(stored.name, webhook));
      this.#read.set(stored, webhooks);
    }
    return webhooks;
  }
}

function webhookOf(configuration: string, webhook: JsonObject): AdmissionWebhook {
  const name = getString(webhook, "name");
  const versions = getArray(webhook, "admissionReviewVersions");
  const sideEffects = getString(webhook, "sideEffects");
  return {
    id: `${configuration}/${name}`,
    name,
    target: targetOf(webhook),
    rules: getArray(webhook, "rules").filter(isObject),
    namespaceSelector: getObject(webhook, "namespaceSelector") as LabelSelector,
    objectSelector: getObject(webhook, "objectSelector") as LabelSelector,
    conditions: getArray(webhook, "matchConditions").map((one) =>
      compileCondition(
        getString(one, "expression").trim(),
        { params: false, authorizer: true },
        "bool",
      )
    ),
    equivalent: getString(webhook, "matchPolicy") === "Equivalent",
    ignoresFailure: getString(webhook, "failurePolicy") === "Ignore",
    reinvoked: getString(webhook, "reinvocationPolicy") === "IfNeeded",
    supportsDryRun: sideEffects === "None" || sideEffects === "NoneOnDryRun",
    timeoutSeconds: Number(getOwn(webhook, "timeoutSeconds") ?? 10),
    reviewVersion: versions.find((one) => one === "v1" || one === "v1beta1") as "v1" | "v1beta1",
  };
}
