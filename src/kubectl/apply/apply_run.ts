import { established, type ObjectPredicate } from "@kubeloop/controller/client";
import {
  defaultLogger,
  describeError,
  parallelizeUntil,
  tellUser,
  toError,
} from "@kubeloop/controller/internal/base";
import type { KubeObject, Stored } from "@kubeloop/controller/types";
import { type Applied, type ApplyContext, applyOne } from "./apply_one.ts";
import { type ApplySet, groupKindOf, type Inventory } from "./apply_set.ts";
import { byRank, isDefinition, isNamespace } from "./kind_order.ts";
import type { Manifest } from "./manifests.ts";
import { findPrunable, pruneOne } from "./prune.ts";
import { readinessOf } from "./readiness.ts";
import { type ApplyResult, nameOf } from "./results.ts";

/** The maximum time until the server serves a definition, in milliseconds. It usually takes a few seconds. */
const DEFINITION_TIMEOUT_MS = 60_000;

/** The progress of {@linkcode applyAll}. */
export interface ApplyProgress {
  /** The result of one object. */
  readonly result: ApplyResult;
  /** The number of results so far, including this one. */
  readonly done: number;
  /** The number of all known objects. It grows when objects to prune are found. */
  readonly total: number;
}

/** Options of {@linkcode ApplyRun}. */
export interface ApplyRunOptions extends ApplyContext {
  readonly concurrency: number;
  readonly wait: boolean;
  readonly onProgress: ((progress: ApplyProgress) => void) | undefined;
}

/** Applies objects in order, and keeps their results. */
export class ApplyRun {
  readonly #options: ApplyRunOptions;
  /** The results in the order of the objects; undefined for objects without a result yet. */
  readonly #applied: (Applied | undefined)[] = [];
  readonly #begun = new Set<Manifest>();
  #done = 0;
  #total: number;

  constructor(options: ApplyRunOptions, total: number) {
    this.#options = options;
    this.#total = total;
  }

  /** The results so far. */
  get applied(): readonly Applied[] {
    return this.#applied.filter((applied) => applied !== undefined);
  }

  /** Whether any object has failed. */
  get hasFailed(): boolean {
    return this.#applied.some((applied) => applied?.result.error !== undefined);
  }

  /**
   * Applies the objects kind by kind, and the objects of one kind at the same time. Waits until definitions are served before
   * it applies the next kind. The failure of an object does not stop the others.
   */
  async apply(manifests: readonly Manifest[]): Promise<void> {
    for (const batch of byRank(manifests)) {
      await this.#each(batch, async (manifest, place) => {
        this.#begun.add(manifest);
        const applied = await this.#definedFully(await applyOne(this.#options, manifest));
        const { name, status } = applied.result;
        if (status === "created" && isNamespace(applied.result)) {
          this.#options.newNamespaces.add(name);
        }
        this.#settled(place, applied);
      });
    }
  }

  /** Marks the objects that were not started as failed. */
  giveUpRest(manifests: readonly Manifest[], reason: unknown): void {
    for (const manifest of manifests) {
      if (this.#begun.has(manifest)) continue;
      const { apiVersion, kind, metadata: { name = "", namespace } } = manifest.object;
      this.fail({ apiVersion, kind, name, namespace }, reason);
    }
  }

  /** Adds the failure of an object. */
  fail(identity: Omit<ApplyResult, "status">, reason: unknown): void {
    const result = { ...identity, status: "failed", error: toError(reason) } as const;
    const unknown = { resource: undefined, before: undefined, after: undefined };
    this.#settled(this.#applied.length, { result, ...unknown });
  }

  /** Waits until the applied objects are ready. An object that does not become ready fails. */
  async wait(): Promise<void> {
    const { client, concurrency, signal } = this.#options;
    await parallelizeUntil(concurrency, this.#applied.length, async (index) => {
      const applied = this.#applied[index];
      if (applied === undefined) return;
      const { result, resource } = applied;
      const { object, name, namespace } = result;
      const isReady = result.error === undefined && object && readinessOf(object);
      if (!isReady || resource === undefined) return;
      try {
        const judge = ofSameObject(isReady, object.metadata.uid);
        await client.waitFor(resource, name, judge, { namespace, signal });
      } catch (error) {
        this.#applied[index] = failedAfter(applied, error);
      }
    });
  }

  /** Deletes the members of the set that were not applied, and removes them from the set. */
  async prune(set: ApplySet, applied: Inventory): Promise<void> {
    const { signal } = this.#options;
    const uids = new Set(this.applied.flatMap(({ result }) => result.object?.metadata.uid ?? []));
    const { members, unknown } = await findPrunable(this.#options, set.id, set.recorded, uids);
    this.#total += members.length;
    await this.#each(members, async (one, place) => {
      const result = await pruneOne(this.#options, one);
      const { resource, object: before } = one;
      this.#settled(place, { result, resource, before, after: undefined });
    });
    signal.throwIfAborted();
    for (const { message } of unknown) {
      const reason = `cannot tell whether there is something to prune: ${message}; ` +
        "the set remembers the kind for the next time";
      this.fail(set.parent, new Error(reason));
    }
    if (!this.hasFailed) await set.replace(applied);
  }

  /** Waits until the server serves an applied definition, for at most a minute. */
  async #definedFully(applied: Applied): Promise<Applied> {
    const { client, dryRun, signal } = this.#options;
    const { result, resource } = applied;
    const isNew = result.error === undefined && !dryRun && isDefinition(result);
    if (!isNew || resource === undefined) return applied;
    try {
      await client.waitFor(resource, result.name, established, {
        signal,
        timeoutMs: DEFINITION_TIMEOUT_MS,
      });
      return applied;
    } catch (error) {
      return failedAfter(applied, error);
    }
  }

  /**
   * Calls `work` for each item, with the index of its result. When the signal aborts, no further call is started.
   */
  #each<T>(
    items: readonly T[],
    work: (item: T, place: number) => Promise<void>,
  ): Promise<void> {
    const { concurrency, signal } = this.#options;
    const first = this.#applied.length;
    this.#applied.push(...items.map(() => undefined));
    const piece = (index: number) => work(items[index]!, first + index);
    return parallelizeUntil(concurrency, items.length, piece, { signal });
  }

  #settled(place: number, applied: Applied): void {
    this.#applied[place] = applied;
    this.#done++;
    const { client, onProgress } = this.#options;
    const progress = { result: applied.result, done: this.#done, total: this.#total };
    tellUser(() => onProgress?.(progress), (error) => {
      const { logger = defaultLogger } = client.environment;
      logger.error(`onProgress threw at ${nameOf(applied.result)}: ${describeError(error)}`);
    });
  }
}

/** Returns a predicate for one object that throws once the object is gone. */
function ofSameObject(predicate: ObjectPredicate, uid: string): ObjectPredicate {
  const judge = (object: Stored<KubeObject> | undefined) => {
    if (object?.metadata.uid === uid) return predicate(object);
    throw new Error("it was deleted while it was waited for");
  };
  return Object.assign(judge, { unmet: predicate.unmet ?? "", needsObject: true } as const);
}

/** Returns the result of an applied object that has failed afterwards. */
function failedAfter(applied: Applied, error: unknown): Applied {
  return { ...applied, result: { ...applied.result, status: "failed", error: toError(error) } };
}

/** Returns the kinds and the namespaces of objects. */
export function inventoryOf(
  manifests: readonly Manifest[],
  namespace: string,
): Inventory {
  return {
    kinds: new Set(
      manifests.map(({ object: { apiVersion, kind } }) => groupKindOf(apiVersion, kind)),
    ),
    namespaces: new Set([
      namespace,
      ...manifests.flatMap(({ object }) => object.metadata.namespace ?? []),
    ]),
  };
}
