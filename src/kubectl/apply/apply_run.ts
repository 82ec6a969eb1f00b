import {
  defaultLogger,
  describeError,
  parallelizeUntil,
  tellUser,
  toError,
} from "../../base/mod.ts";
import { established, type ObjectPredicate } from "../../client/mod.ts";
import type { KubeObject, Stored } from "../../types/mod.ts";
import { type Applied, type ApplyContext, applyOne } from "./apply_one.ts";
import type { ApplySet, Inventory } from "./apply_set.ts";
import { groupKindOf } from "./apply_set.ts";
import { isDefinition, isNamespace, rankOf } from "./kind_order.ts";
import type { Manifest } from "./manifests.ts";
import { findPrunable, pruneOne } from "./prune.ts";
import { readinessOf } from "./readiness.ts";
import { type ApplyResult, nameOf } from "./results.ts";

/** How long a server may take to serve a definition, in milliseconds. It takes a few seconds, unless it refuses. */
const DEFINITION_TIMEOUT_MS = 60_000;

/** How far {@linkcode applyAll} is. */
export interface ApplyProgress {
  /** What happened to one more object. */
  readonly result: ApplyResult;
  /** The number of objects of which it is known what happened, this one included. */
  readonly done: number;
  /** The number of all objects, as far as is known: objects to be pruned are found late. */
  readonly total: number;
}

/** How to apply, besides the context of each object. */
export interface ApplyRunOptions extends ApplyContext {
  readonly concurrency: number;
  readonly wait: boolean;
  readonly onProgress: ((progress: ApplyProgress) => void) | undefined;
}

/** Applies objects in order, and keeps what happened to each of them. */
export class ApplyRun {
  readonly #options: ApplyRunOptions;
  /** In the order in which the objects are applied. Those of which nothing is known yet are undefined. */
  readonly #applied: (Applied | undefined)[] = [];
  readonly #begun = new Set<Manifest>();
  #done = 0;
  #total: number;

  constructor(options: ApplyRunOptions, total: number) {
    this.#options = options;
    this.#total = total;
  }

  /** What happened so far. */
  get applied(): readonly Applied[] {
    return this.#applied.filter((applied) => applied !== undefined);
  }

  /** Whether an object has failed. */
  get hasFailed(): boolean {
    return this.#applied.some((applied) => applied?.result.error !== undefined);
  }

  /**
   * Applies the objects: one kind after the other, the objects of one kind at the same time. Waits for definitions before
   * what comes after them. An object that fails does not stop the others.
   */
  async apply(manifests: readonly Manifest[]): Promise<void> {
    for (const batch of batches(manifests)) {
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

  /** Marks the objects that were not started before the time was up as failed. */
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

  /** Waits until what was applied is ready. What is not becomes a failure. */
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

  /** Deletes the members of the set that were not applied, and then lets the set forget them. */
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

  /** Waits until the server serves a definition that was applied, for a minute at most. */
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
   * Does work for each item, some at the same time, with the place of its result. When the signal has aborted, no more
   * begins.
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

/** Returns a predicate of one object, which throws once the object is gone. */
function ofSameObject(predicate: ObjectPredicate, uid: string): ObjectPredicate {
  const judge = (object: Stored<KubeObject> | undefined) => {
    if (object?.metadata.uid === uid) return predicate(object);
    throw new Error("it was deleted while it was waited for");
  };
  return Object.assign(judge, { unmet: predicate.unmet ?? "", needsObject: true } as const);
}

/** Returns what is known of an object that was applied, and then failed. */
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

/** Returns the objects in the order in which they are applied, those of the same rank together. */
function batches(manifests: readonly Manifest[]): Manifest[][] {
  const byRank = new Map<number, Manifest[]>();
  for (const manifest of manifests) {
    const rank = rankOf(manifest.object);
    const batch = byRank.get(rank);
    if (batch === undefined) byRank.set(rank, [manifest]);
    else batch.push(manifest);
  }
  return [...byRank].sort(([a], [b]) => a - b).map(([, batch]) => batch);
}
