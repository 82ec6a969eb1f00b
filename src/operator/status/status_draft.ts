import {
  checkedElsewhere,
  type Clock,
  ENVIRONMENT_CHECKS,
  hasMethods,
  isFlag,
  isFunction,
  isObject,
  isSignal,
  type Logger,
  type OptionChecks,
  requireOptions,
  requireSync,
} from "../../base/mod.ts";
import type { Client } from "../../client/mod.ts";
import {
  apiVersionOf,
  type ApplyConfiguration,
  type Cached,
  type Condition,
  isConflict,
  isInvalid,
  isNotFound,
  isObjectNotFound,
  type KubeObject,
  type Resource,
  resourceName,
  StatusError,
} from "../../types/mod.ts";
import { type AppliedMemory, type Applier, describeDiff, isStripped } from "../../fields/mod.ts";
import { logDryRun, requireFieldManager } from "../apply/mod.ts";
import { CollectedStatus } from "./collected_status.ts";
import { type NextStatus, nextStatus, storedConditions } from "./next_status.ts";
import type { SetStatus } from "./status_types.ts";

/** The maximum number of attempts to write the status of an object that other clients change at the same time. */
const MAX_TRIES = 5;

/** The fields for the generation that a kind may lack, with a part of the error message of the server. */
const GENERATION_FIELDS = {
  status: ".status.observedGeneration: field not declared in schema",
  conditions: "].observedGeneration: field not declared in schema",
} as const;

/** The name of the feature that a kind lacks if its list of conditions can only be written as a whole. */
const MERGED_CONDITIONS = "conditions that are merged by type";

/** Options of {@linkcode StatusDraft}. */
export interface StatusDraftOptions<T extends KubeObject> {
  /** The client that makes the requests. */
  readonly client: Pick<Client, "apply" | "get">;
  /** The resource of the object. It must have the subresource `status`. */
  readonly resource: Resource<T>;
  /** The reconciled object, from the cache. */
  readonly object: Cached<T>;
  /** The field manager, which owns the fields and conditions. It must stay the same when the controller restarts. */
  readonly fieldManager: string;
  /** The memory of the controller. */
  readonly memory: AppliedMemory;
  /** The clock for `lastTransitionTime`. */
  readonly clock: Clock;
  /** The logger. */
  readonly logger: Logger;
  /**
   * Whether to write `metadata.generation` to `status.observedGeneration`. If the schema lacks the field, it is omitted.
   * Default true. Conditions have their `observedGeneration` in any case, unless the schema lacks it.
   */
  readonly observedGeneration?: boolean | undefined;
  /** Whether to log the difference instead of writing it. Default false. */
  readonly dryRun?: boolean | undefined;
  /** Called with the promise of each early write. `write()` returns the result. Default: returns the promise. */
  onEarlyWrite?(writing: Promise<void>): Promise<void>;
  /** Called if the write was skipped because it would change nothing. */
  onSkipped?(): void;
}

const CHECKS: OptionChecks<StatusDraftOptions<KubeObject>> = {
  client: hasMethods("a client that applies", "apply", "get"),
  resource: isObject,
  object: isObject,
  // Required, so the constructor also checks that it is set.
  fieldManager: checkedElsewhere,
  memory: hasMethods("an AppliedMemory", "isApplied", "note"),
  clock: ENVIRONMENT_CHECKS.clock,
  logger: ENVIRONMENT_CHECKS.logger,
  observedGeneration: isFlag,
  dryRun: isFlag,
  onEarlyWrite: isFunction,
  onSkipped: isFunction,
};

const WRITE_CHECKS: OptionChecks<{ readonly signal?: AbortSignal | undefined }> = {
  signal: isSignal,
};

/**
 * The desired status of the object of one reconcile. It is collected during the reconcile, and written once at its end, by a
 * server-side apply with `force` to the subresource `status`. `status(…).write()` writes early.
 *
 * Fields and conditions that are not set do not change. The conditions of others never change. If the status is already as
 * desired, no request is made.
 *
 * @typeParam T The interface of the object.
 *
 * @example
 * ```ts
 * import { AppliedMemory, StatusDraft } from "@kubeloop/controller/operator";
 * import { realClock } from "@kubeloop/controller/base";
 * import { Client } from "@kubeloop/controller/client";
 * import { Namespaces } from "@kubeloop/controller/types";
 * import { ApiServer } from "@kubeloop/testing";
 * import { assertEquals } from "@std/assert";
 *
 * await using server = new ApiServer();
 * await using client = new Client({ fetch: server.fetch });
 * const draft = new StatusDraft({
 *   client,
 *   resource: Namespaces,
 *   object: await client.get(Namespaces, "default"),
 *   fieldManager: "painter",
 *   memory: new AppliedMemory(),
 *   clock: realClock,
 *   logger: console,
 * });
 * draft.status().condition("example.com/Painted", "True", "AllWalls", "red");
 * const { status } = (await draft.write())!;
 * assertEquals(status?.conditions?.map(({ type, status }) => [type, status]), [
 *   ["example.com/Painted", "True"],
 * ]);
 * ```
 */
export class StatusDraft<T extends KubeObject> {
  readonly #options: StatusDraftOptions<T>;
  readonly #applier: Applier;
  #collected: CollectedStatus | undefined;
  /** The object after the last write; undefined if it is gone. */
  #object: Cached<T> | undefined;
  /** Settles when the early writes so far have ended. */
  #early: Promise<unknown> | undefined;
  #isOver = false;

  /**
   * Creates a draft. Make a new one for each reconcile.
   *
   * @throws {TypeError} If the field manager is missing, or an option is unknown or of another type.
   */
  constructor(options: StatusDraftOptions<T>) {
    requireOptions("StatusDraft", options, CHECKS);
    const { fieldManager, resource } = options;
    requireFieldManager(fieldManager);
    this.#options = options;
    this.#object = options.object;
    this.#applier = { fieldManager, apiVersion: apiVersionOf(resource), subresource: "status" };
  }

  /** Sets fields and conditions. A bound function, which can be passed to the reconcile. */
  readonly status: SetStatus<T> = (fields) => {
    const collected = this.#collect();
    collected.set(fields);
    return this.#collected = collected;
  };

  /**
   * Sets a condition, unless it was set or removed in this draft.
   *
   * @internal
   */
  default(type: string, status: Condition["status"], reason: string): void {
    const collected = this.#collect();
    if (!collected.conditions.has(type)) collected.condition(type, status, reason);
    this.#collected = collected;
  }

  /**
   * Writes the status at the end of the reconcile, if it was set and differs. Waits for early writes first. Later calls do
   * nothing.
   *
   * If the object has changed in the meantime, it is read again, and the status is based on the new version. If it was
   * deleted, or another one has its name, nothing is written.
   *
   * @param options A signal that stops the requests.
   * @returns The object with the status; undefined if nothing was set, or the object is gone.
   * @throws {Error} If the kind has no subresource `status`.
   * @throws {StatusError} If the server rejects the status.
   */
  async write(
    options: { readonly signal?: AbortSignal | undefined } = {},
  ): Promise<Cached<T> | undefined> {
    requireOptions("StatusDraft.write()", options, WRITE_CHECKS);
    const collected = this.#collected;
    if (this.#isOver || collected === undefined) {
      this.#isOver = true;
      return undefined;
    }
    this.#isOver = true;
    if (this.#early !== undefined) await this.#early;
    return await this.#write(collected, options.signal);
  }

  #collect(): CollectedStatus {
    if (this.#isOver) throw isWritten();
    return this.#collected ?? new CollectedStatus(() => this.#writeEarly());
  }

  /** Writes the fields and conditions so far, after the previous early writes. */
  #writeEarly(): Promise<void> {
    const collected = this.#collected;
    if (this.#isOver || collected === undefined) return Promise.reject(isWritten());
    const before = this.#early ?? Promise.resolve();
    const writing = before.then(() => this.#write(collected, undefined)).then(() => {});
    // If the caller does not await it, the write at the end has the same fields, and reports the error.
    this.#early = writing.catch(() => {});
    return this.#options.onEarlyWrite?.(writing) ?? writing;
  }

  async #write(
    collected: CollectedStatus,
    signal: AbortSignal | undefined,
  ): Promise<Cached<T> | undefined> {
    const { resource, memory, logger } = this.#options;
    let object = this.#object;
    if (object === undefined) return undefined;
    memory.warnIfStripped(resource, object, logger);
    // The owned fields must be known, or the apply would remove them.
    if (isStripped(object)) object = await this.#read(signal);
    for (let tries = 1; object !== undefined; tries++) {
      try {
        return this.#object = await this.#writeTo(object, collected, signal);
      } catch (error) {
        if (this.#hasLearnt(error)) continue;
        object = await this.#afterError(error, tries, signal);
      }
    }
    this.#object = undefined;
    return undefined;
  }

  async #writeTo(
    object: Cached<T>,
    collected: CollectedStatus,
    signal: AbortSignal | undefined,
  ): Promise<Cached<T>> {
    const { resource, memory, dryRun = false } = this.#options;
    let next = this.#nextStatus(object, collected);
    const isDone = () =>
      next.status === undefined ||
      memory.isApplied(this.#desired(object, next.status), object, this.#applier);
    if (isDone()) {
      requireSync("onSkipped() of a StatusDraft", this.#options.onSkipped?.());
      return object;
    }
    // Writing an atomic list would remove the conditions of others: try it with a dry run.
    if (
      next.isUncertain && this.#loses(next, await this.#apply(object, next.status, true, signal))
    ) {
      memory.noteLack(resource, MERGED_CONDITIONS);
      next = this.#nextStatus(object, collected);
    }
    let stored = await this.#apply(object, next.status, dryRun, signal);
    if (dryRun) {
      this.#logDifference(object, stored);
      return stored;
    }
    if (this.#loses(next, stored)) {
      // The schema has changed since others wrote their conditions: write them back.
      memory.noteLack(resource, MERGED_CONDITIONS);
      next = this.#nextStatus(withConditions(object, stored), collected);
      stored = await this.#apply(stored, next.status, false, signal);
    }
    memory.note(this.#desired(object, next.status), object, stored, this.#applier, resource);
    return stored;
  }

  #nextStatus(object: Cached<T>, collected: CollectedStatus): NextStatus {
    const { resource, memory, clock } = this.#options;
    return nextStatus(object, collected, {
      applier: this.#applier,
      clock,
      statusGeneration: this.#generationFor("status"),
      conditionGeneration: this.#generationFor("conditions"),
      isAtomic: memory.lacks(resource, MERGED_CONDITIONS),
    });
  }

  /** Reports whether a write has removed conditions of others. */
  #loses({ foreign }: NextStatus, after: Cached<T>): boolean {
    const left = new Set(storedConditions(after).map(({ type }) => type));
    return [...foreign].some((type) => !left.has(type));
  }

  #desired(
    { metadata: { name, namespace, uid } }: Cached<T>,
    status: NextStatus["status"],
  ): Readonly<Record<string, unknown>> {
    const { resource } = this.#options;
    return {
      apiVersion: apiVersionOf(resource),
      kind: resource.kind,
      metadata: { name, ...(namespace === undefined ? {} : { namespace }), uid },
      status: status ?? {},
    };
  }

  async #apply(
    object: Cached<T>,
    status: NextStatus["status"],
    dryRun: boolean,
    signal: AbortSignal | undefined,
  ): Promise<Cached<T>> {
    const { client, resource, fieldManager } = this.#options;
    const desired = this.#desired(object, status);
    // The resource version protects a new object of the same name, because custom resources ignore the UID here, and newer
    // conditions of others.
    const { resourceVersion } = object.metadata;
    const metadata = { ...desired["metadata"] as object, resourceVersion };
    const body = { ...desired, metadata } as unknown as ApplyConfiguration<T>;
    return await client.apply<T>(resource, body, {
      fieldManager,
      force: true,
      subresource: "status",
      dryRun,
      signal,
    }) as Cached<T>;
  }

  #logDifference(before: Cached<T>, after: Cached<T>): void {
    const { resource, logger } = this.#options;
    const difference = describeDiff(before, after);
    logDryRun(logger, "change the status of", resource, after.metadata, difference);
  }

  /** Returns the generation of the reconciled object; undefined if its field is not wanted, or does not exist. */
  #generationFor(place: keyof typeof GENERATION_FIELDS): number | undefined {
    const { resource, object, memory, observedGeneration = true } = this.#options;
    if (place === "status" && !observedGeneration) return undefined;
    return memory.lacks(resource, GENERATION_FIELDS[place])
      ? undefined
      : object.metadata.generation;
  }

  /** Reports whether an error says that the kind lacks a field, and remembers to omit the field. */
  #hasLearnt(error: unknown): boolean {
    const { resource, memory, logger } = this.#options;
    if (!StatusError.is(error)) return false;
    let hasLearnt = false;
    for (const text of Object.values(GENERATION_FIELDS)) {
      if (!error.message.includes(text) || memory.lacks(resource, text)) continue;
      memory.noteLack(resource, text);
      logger.debug(`${resourceName(resource)}: left out, since ${text}`);
      hasLearnt = true;
    }
    return hasLearnt;
  }

  /** Returns the object for the next attempt; undefined if it is gone. Throws the error if no attempt can succeed. */
  async #afterError(
    error: unknown,
    tries: number,
    signal: AbortSignal | undefined,
  ): Promise<Cached<T> | undefined> {
    if (!isNotFound(error) && !isConflict(error) && !isInvalid(error)) throw error;
    const object = await this.#read(signal);
    if (object === undefined) return undefined;
    if (isNotFound(error)) {
      const { resource } = this.#options;
      throw new Error(
        `Cannot write the status of a ${resource.kind}: ${resourceName(resource)} ` +
          "have no subresource status. Add `subresources: { status: {} }` to the version in the CustomResourceDefinition",
        { cause: error },
      );
    }
    if (!isConflict(error) || tries >= MAX_TRIES) throw error;
    return object;
  }

  /** Reads the object; returns undefined if it is gone, or another one has its name. */
  async #read(signal: AbortSignal | undefined): Promise<Cached<T> | undefined> {
    const { client, resource, object } = this.#options;
    const { name, namespace, uid } = object.metadata;
    try {
      const found = await client.get<never, T>(resource, name, { namespace, signal });
      return found.metadata.uid === uid ? found as Cached<T> : undefined;
    } catch (error) {
      if (isObjectNotFound(error)) return undefined;
      throw error;
    }
  }
}

/** Returns the stored object with the conditions that it has lost. */
function withConditions<T extends KubeObject>(before: Cached<T>, stored: Cached<T>): Cached<T> {
  const left = storedConditions(stored);
  const lost = storedConditions(before).filter(({ type }) =>
    left.every((one) => one.type !== type)
  );
  const { status } = stored as { readonly status?: object };
  return { ...stored, status: { ...status, conditions: [...lost, ...left] } };
}

function isWritten(): Error {
  return new Error("Cannot set a status that is written already: await what the reconcile does");
}
