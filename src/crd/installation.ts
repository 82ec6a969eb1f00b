import {
  Backoff,
  type BackoffOptions,
  defaultLogger,
  delay,
  describeError,
  jsonEqual,
  type Logger,
  realClock,
  realRandom,
  safeLogger,
  TerminalError,
} from "../base/mod.ts";
import type { Client, JsonPatchOperation } from "../client/mod.ts";
import {
  type Applier,
  at,
  hasValues,
  isApplied,
  managedFieldsOf,
  plainJson,
} from "../fields/mod.ts";
import {
  apiVersionOf,
  type ApplyConfiguration,
  type Cached,
  type CustomResourceDefinition,
  CustomResourceDefinitions,
  explainError,
  isMissingRight,
  isNotFound,
  isStatusConditionTrue,
  retryAfterOf,
  takenNames,
} from "../types/mod.ts";
import { isFinal, RETRY } from "./temporary_errors.ts";

/** The value of `spec.conversion`, or the reason why the conversion webhook cannot be called yet. */
export type DefinitionConversion =
  | { readonly conversion: NonNullable<CustomResourceDefinition["spec"]["conversion"]> }
  | { readonly waitsFor: string };

/** Conversion webhooks of custom resources, such as a `WebhookServer`. */
export interface DefinitionWebhooks {
  /**
   * Returns the conversion of a definition; undefined if it has no conversion webhook.
   *
   * @param definition The name of the definition, such as `widgets.acme.io`.
   */
  conversionFor(definition: string): DefinitionConversion | undefined;
}

/** Options of an {@linkcode Installation}. */
export interface InstallationOptions {
  readonly client: Client;
  readonly fieldManager: string;
  readonly webhooks: DefinitionWebhooks | undefined;
  readonly signal: AbortSignal;
}

/** Time limit of a request, in milliseconds. */
const REQUEST_MS = 15_000;

/** Delays between two reads of an unfinished state. */
const POLL: BackoffOptions = { durationMs: 50, factor: 2, steps: Infinity, capMs: 1_000 };

type Found = Cached<CustomResourceDefinition>;
type Conversion = CustomResourceDefinition["spec"]["conversion"];

/** The installation of one definition. */
export class Installation {
  readonly #options: InstallationOptions;
  readonly #wanted: CustomResourceDefinition;
  readonly #name: string;
  readonly #applier: Applier;
  readonly #logger: Logger;
  /** The state after the last attempt, for the error after the time limit. */
  #state = "it could not be read yet";

  constructor(wanted: CustomResourceDefinition, options: InstallationOptions) {
    this.#options = options;
    this.#wanted = wanted;
    this.#name = wanted.metadata.name ?? "";
    this.#applier = {
      fieldManager: options.fieldManager,
      apiVersion: apiVersionOf(CustomResourceDefinitions),
      subresource: "",
    };
    this.#logger = safeLogger(options.client.environment.logger ?? defaultLogger);
  }

  /** Writes the definition, unless it is up to date. */
  async write(): Promise<Found> {
    const webhook = await this.#conversion();
    const found = await this.#attempt("get", () => this.#get());
    return await this.#attempt("create and patch", async (isFirst) => {
      const current = isFirst ? found : await this.#get();
      return await this.#writeTo(current, webhook);
    });
  }

  /** Waits until the server serves the resource. */
  async established(written: Found): Promise<Found> {
    const delays = this.#delays(POLL);
    let current: Found | undefined = written;
    for (;;) {
      if (current === undefined) throw this.#failure(new Error("it was deleted meanwhile"), "get");
      const taken = takenNames(current);
      if (taken !== undefined) throw this.#failure(new Error(taken), "get");
      if (isStatusConditionTrue(current.status?.conditions, "Established")) return current;
      this.#state = current.status?.conditions === undefined
        ? "it has no conditions yet"
        : "its condition Established is not True yet";
      await this.#pause(delays.step());
      current = await this.#attempt("get", () => this.#get());
    }
  }

  /** Waits until the conversion webhook can be called, and returns `spec.conversion`. */
  async #conversion(): Promise<Conversion> {
    const { webhooks } = this.#options;
    const delays = this.#delays(POLL);
    let before = "";
    for (;;) {
      const known = webhooks?.conversionFor(this.#name);
      if (known === undefined) return this.#wanted.spec.conversion;
      if ("conversion" in known) return known.conversion;
      const { waitsFor } = known;
      this.#state = `it waits for its conversion webhook: ${waitsFor}`;
      if (waitsFor !== before) {
        this.#logger.info(
          `The CustomResourceDefinition ${this.#name} is not installed: ${this.#state}`,
        );
      }
      before = waitsFor;
      await this.#pause(delays.step());
    }
  }

  /** Writes the definition and its conversion in one request, unless they are up to date. */
  async #writeTo(found: Found | undefined, wanted: Conversion): Promise<Found> {
    const current = await this.#replaceConversion(found, wanted);
    const desired = this.#desired(current, wanted);
    if (current !== undefined && this.#isUpToDate(desired, current)) return current;
    return await this.#options.client.apply(
      CustomResourceDefinitions,
      desired as unknown as ApplyConfiguration<CustomResourceDefinition>,
      { fieldManager: this.#options.fieldManager, force: true, ...this.#call },
    ) as Found;
  }

  /**
   * Replaces the conversion of a definition with another webhook: an apply would not remove fields of other field
   * managers, such as the Service of a webhook that moves to a URL.
   */
  async #replaceConversion(
    found: Found | undefined,
    wanted: Conversion,
  ): Promise<Found | undefined> {
    const before = found?.spec.conversion;
    if (wanted === undefined || before === undefined) return found;
    if (before.strategy !== "Webhook" || jsonEqual(before, wanted)) return found;
    const path = "/spec/conversion";
    const patch: JsonPatchOperation[] = [
      { op: "test", path, value: before },
      { op: "replace", path, value: wanted },
    ];
    return await this.#options.client.patch(CustomResourceDefinitions, this.#name, patch, {
      type: "json",
      fieldManager: this.#options.fieldManager,
      ...this.#call,
    }) as Found;
  }

  /** Returns the object to apply. It keeps a conversion that this field manager applied earlier. */
  #desired(found: Found | undefined, wanted: Conversion): Readonly<Record<string, unknown>> {
    const { metadata, spec } = this.#wanted;
    const conversion = wanted ?? (this.#ownsConversion(found) ? found?.spec.conversion : undefined);
    return plainJson({
      apiVersion: this.#applier.apiVersion,
      kind: CustomResourceDefinitions.kind,
      metadata: { ...metadata, name: this.#name },
      spec: { ...spec, ...(conversion === undefined ? {} : { conversion }) },
    }) as Record<string, unknown>;
  }

  #ownsConversion(found: Found | undefined): boolean {
    const { own } = found === undefined ? {} : managedFieldsOf(found, this.#applier);
    return own !== undefined && at(own, ["f:spec", "f:conversion"]) !== undefined;
  }

  /** Reports whether no apply is needed: it would change nothing, or another program installed the same definition. */
  #isUpToDate(desired: Readonly<Record<string, unknown>>, found: Found): boolean {
    if (isApplied(desired, found, this.#applier)) return true;
    const { own } = managedFieldsOf(found, this.#applier);
    return own === undefined && hasValues(desired, found);
  }

  async #get(): Promise<Found | undefined> {
    const { client } = this.#options;
    try {
      return await client.get(CustomResourceDefinitions, this.#name, this.#call) as Found;
    } catch (error) {
      if (isNotFound(error)) return undefined;
      throw error;
    }
  }

  get #call(): { readonly signal: AbortSignal; readonly timeoutMs: number } {
    return { signal: this.#options.signal, timeoutMs: REQUEST_MS };
  }

  #delays(options: BackoffOptions): Backoff {
    return new Backoff(options, this.#options.client.environment.random ?? realRandom);
  }

  async #pause(delayMs: number): Promise<void> {
    const { client, signal } = this.#options;
    const { clock = realClock } = client.environment;
    try {
      await delay(delayMs, { clock, signal });
    } catch (error) {
      throw this.#stopped(error);
    }
  }

  /** Retries a request until it succeeds, the server refuses it, or the time limit passes. */
  async #attempt<R>(verb: string, run: (isFirst: boolean) => Promise<R>): Promise<R> {
    const { signal } = this.#options;
    const delays = this.#delays(RETRY);
    for (let isFirst = true;; isFirst = false) {
      try {
        return await run(isFirst);
      } catch (error) {
        if (signal.aborted) throw this.#stopped(signal.reason);
        if (isFinal(error)) throw this.#failure(error, verb);
        this.#state = explainError(error);
        this.#logger.warn(
          `The CustomResourceDefinition ${this.#name} could not be installed, trying again: ${this.#state}`,
        );
        await this.#pause(Math.max(delays.step(), retryAfterOf(error)));
      }
    }
  }

  #failure(error: unknown, verb: string): Error {
    const what = isMissingRight(error)
      ? `the right to ${verb} customresourcedefinitions.apiextensions.k8s.io is missing: ${
        describeError(error)
      }`
      : explainError(error);
    const ErrorClass = TerminalError.is(error) ? TerminalError : Error;
    return new ErrorClass(`Cannot install the CustomResourceDefinition ${this.#name}: ${what}`, {
      cause: error,
    });
  }

  /** Returns the reason of the abort. The error of the time limit names the definition and its state. */
  #stopped(reason: unknown): unknown {
    if (!(reason instanceof DOMException) || reason.name !== "TimeoutError") return reason;
    return new DOMException(
      `The CustomResourceDefinition ${this.#name} is ${reason.message}: ${this.#state}`,
      "TimeoutError",
    );
  }
}
