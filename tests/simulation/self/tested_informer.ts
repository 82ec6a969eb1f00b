import { assertEquals } from "@std/assert";
import type { Logger, Random } from "../../../src/base/mod.ts";
import {
  type HandlerRegistration,
  metaNamespaceIndexFunc,
  pathIndexFunc,
  SharedInformer,
} from "../../../src/cache/mod.ts";
import type { Client } from "../../../src/client/mod.ts";
import {
  type Cached,
  ConfigMaps,
  type KubeObject,
  type Resource,
  Secrets,
} from "../../../src/types/mod.ts";
import { ofIdentities } from "../../support/of_identities.ts";
import { EventStream } from "./event_stream.ts";
import type { Draw } from "./draw.ts";
import type { HandlerPlan, InformerPlan } from "./plan.ts";
import type { Written } from "./written.ts";

const RESOURCES = { configmaps: ConfigMaps, secrets: Secrets };

/** The options and callbacks of an informer under test. */
export interface InformerContext {
  readonly client: Client;
  readonly draw: Draw;
  readonly logger: Logger;
  readonly random: Random;
  readonly written: Written;
  readonly wrong: (text: string) => void;
  readonly tell: (text: string) => void;
  readonly sleep: (ms: number) => Promise<void>;
  readonly isCalm: () => boolean;
  readonly onEvent: (key: string) => void;
}

interface Handler {
  readonly stream: EventStream;
  readonly registration: HandlerRegistration;
}

/** An informer of a plan, with handlers that check their events, and checks of its cache. */
export class TestedInformer {
  readonly plan: InformerPlan;
  readonly name: string;
  readonly informer: SharedInformer<KubeObject>;
  readonly #context: InformerContext;
  readonly #handlers: Handler[] = [];
  #listsBefore = 0;

  constructor(name: string, plan: InformerPlan, context: InformerContext) {
    this.name = name;
    this.plan = plan;
    this.#context = context;
    const { client, logger, random } = context;
    const resource = RESOURCES[plan.kind] as Resource;
    this.informer = new SharedInformer<KubeObject>(
      client.listerWatcher(resource, {
        ...(plan.labelSelector !== undefined && { labelSelector: plan.labelSelector }),
      }),
      {
        name,
        resource,
        logger,
        random,
        keepParsed: plan.keepParsed,
        useWatchList: plan.useWatchList,
        watchListPageSize: plan.watchListPageSize,
        resyncPeriodMs: plan.resyncPeriodMs,
        watchIdleLimitMs: plan.watchIdleLimitMs,
        maxInternalErrorRetryDurationMs: plan.maxInternalErrorRetryDurationMs,
        freezeObjects: true,
        ...(plan.isImpatient &&
          { backoff: { durationMs: 10, factor: 2, jitter: 0.5, steps: 8, capMs: 1_000 } }),
        ...(plan.transforms && { transform: withoutManagedFields }),
        indexers: {
          namespace: metaNamespaceIndexFunc,
          group: plan.keepParsed ? byGroup : pathIndexFunc("metadata.labels.group"),
        },
      },
    );
    for (const handler of plan.handlers) this.addHandler(handler);
  }

  /** Adds a handler, unless the informer has stopped. */
  addHandler(plan: HandlerPlan): void {
    if (this.informer.isStopped()) return;
    const { draw, isCalm, onEvent, sleep, tell, wrong, written } = this.#context;
    const name = `${this.name} handler ${this.#handlers.length + 1}`;
    const stream = new EventStream({
      name,
      informer: this.plan,
      handler: plan,
      written,
      wrong,
      tell,
      sleep,
      throws: () => plan.throws > 0 && !isCalm() && draw.chance(plan.throws),
      onEvent: this.#handlers.length === 0 ? onEvent : () => {},
    });
    const options = { resyncPeriodMs: plan.resyncPeriodMs };
    const registration = plan.wantsObjects
      ? this.informer.addEventHandler(stream as never, options)
      : this.informer.addChangeHandler(ofIdentities(stream as never), options);
    this.#handlers.push({ stream, registration });
  }

  /** Removes the last handler, but never the first. */
  removeHandler(): void {
    if (this.#handlers.length < 2) return;
    const { stream, registration } = this.#handlers.pop()!;
    this.informer.removeEventHandler(registration);
    stream.end();
  }

  /** Forbids further events: the informer has stopped. */
  end(): void {
    for (const { stream } of this.#handlers) stream.end();
  }

  get #phase(): string {
    return this.informer.snapshot().informer!.phase;
  }

  get #lists(): number {
    const { lists, streamingLists } = this.informer.snapshot().informer!;
    return lists + streamingLists;
  }

  /** Returns how the cache or a handler differs from the server, in words; empty if they are equal. */
  difference(): string {
    const { written } = this.#context;
    const group = this.plan.labelSelector === undefined ? undefined : "x";
    const wanted = written.existing(this.plan.kind, group);
    const { indexer } = this.informer;
    if (!this.informer.hasSynced()) return `${this.name} has not synced`;
    if (this.#phase !== "watching") return `${this.name} is ${this.#phase}`;
    const shown = (key: string) => {
      const { uid, resourceVersion } = indexer.getByKey(key)?.metadata ?? {};
      return { uid, revision: Number(resourceVersion) };
    };
    const inCache = differenceOf(
      wanted,
      new Map(indexer.listKeys().map((key) => [key, shown(key)])),
    );
    if (inCache !== "") return `${this.name} shows ${inCache}`;
    for (const [i, { stream }] of this.#handlers.entries()) {
      const inStream = differenceOf(wanted, stream.known);
      if (inStream !== "") return `${this.name} handler ${i + 1} was told of ${inStream}`;
    }
    return "";
  }

  /** Checks the whole objects, the indices, the lister and the versions of the cache against the server's objects. */
  checkCache(objects: readonly KubeObject[]): void {
    const { wrong } = this.#context;
    const { indexer } = this.informer;
    const { labelSelector, transforms } = this.plan;
    const wanted = objects
      .filter(({ metadata }) => labelSelector === undefined || metadata.labels?.group === "x")
      .map((object) => transforms ? withoutManagedFields(object) : object);
    const cached = indexer.list() as KubeObject[];
    const [inCache, onServer] = [inOrder(cached), inOrder(wanted)];
    const both = inCache.length > onServer.length ? inCache : onServer;
    const i = both.findIndex((_object, i) => !isEqual(inCache[i], onServer[i]));
    if (i >= 0) {
      const [shown, is] = [JSON.stringify(inCache[i]), JSON.stringify(onServer[i])];
      wrong(`${this.name}: the cache shows ${shown}, which is ${is}`);
    }
    for (const group of ["x", "y", ""]) {
      const expected = cached.filter((object) => byGroup(object as never).includes(group));
      const found = indexer.byIndex("group", group) as KubeObject[];
      if (!isEqual(namesOf(found), namesOf(expected))) {
        wrong(`${this.name}: the index has ${namesOf(found)} under "${group}"`);
      }
    }
    const values = [...new Set((cached as Cached<KubeObject>[]).flatMap(byGroup))].sort();
    if (!isEqual(indexer.listIndexFuncValues("group").sort(), values)) {
      wrong(`${this.name}: the index has the values ${indexer.listIndexFuncValues("group")}`);
    }
    const listed = this.informer.lister().list({ matchLabels: { group: "y" } }) as KubeObject[];
    const expected = cached.filter((object) => object.metadata.labels?.group === "y");
    if (!isEqual(namesOf(listed), namesOf(expected))) {
      wrong(`${this.name}: the lister shows ${namesOf(listed)}`);
    }
  }

  /** Checks that the cache has everything up to the version that it says it has. */
  checkVersion(): void {
    const { wrong, written } = this.#context;
    const { indexer } = this.informer;
    const claimed = indexer.lastStoreSyncResourceVersion();
    if (claimed === "" || this.plan.labelSelector !== undefined) return;
    const revision = Number(claimed);
    for (const key of written.keys(this.plan.kind)) {
      const atLeast = written.upTo(this.plan.kind, key, revision);
      if (atLeast === undefined) continue;
      const shown = Number(indexer.getByKey(key)?.metadata.resourceVersion ?? NaN);
      if (shown > atLeast.revision) continue;
      const isCurrent = atLeast.content === undefined
        ? Number.isNaN(shown)
        : shown === atLeast.revision || this.#wasDeletedSince(key, shown, revision);
      if (!isCurrent) wrong(`${this.name} claims ${claimed}, but shows ${key} at ${shown}`);
    }
  }

  /** Reports whether an object that the cache does not show was deleted after a revision. */
  #wasDeletedSince(key: string, shown: number, revision: number): boolean {
    const last = this.#context.written.last(this.plan.kind, key);
    return Number.isNaN(shown) && last !== undefined && last.revision > revision;
  }

  /** The time until each handler must have received every object again, in milliseconds. */
  get replayMs(): number {
    const { resyncPeriodMs } = this.plan;
    if (resyncPeriodMs === 0) return 0;
    // The informer looks once per period which handlers are due.
    const periods = this.#handlers.map(({ stream }) => stream.plan.resyncPeriodMs ?? 0);
    return 2 * resyncPeriodMs + Math.max(resyncPeriodMs, ...periods);
  }

  /** Begins a time without events. Slow handlers may still receive the objects of the last list. */
  rest(): void {
    this.#listsBefore = this.#lists;
  }

  /** Counts replays from now on. */
  forgetReplays(): void {
    for (const { stream } of this.#handlers) stream.forgetReplays();
  }

  /** Checks that each handler that wants resyncs has had them, and no other. */
  checkReplays(): void {
    const { wrong } = this.#context;
    const { resyncPeriodMs } = this.plan;
    // Resyncs pause while objects are listed again, as after a watch that was silent several times.
    if (this.#lists > this.#listsBefore || this.#phase !== "watching") return;
    for (const [i, { stream }] of this.#handlers.entries()) {
      if (resyncPeriodMs === 0) continue;
      const isDue = (stream.plan.resyncPeriodMs ?? resyncPeriodMs) > 0;
      for (const key of stream.known.keys()) {
        const replays = stream.replaysOf(key);
        if (isDue === (replays > 0)) continue;
        wrong(`${this.name} handler ${i + 1} was told again ${replays} times of ${key}`);
      }
    }
  }
}

/** The same as the function of the path, which an informer that keeps bytes can call without an object. */
function byGroup({ metadata }: Cached<KubeObject>): string[] {
  const group = metadata.labels?.group;
  return group === undefined ? [] : [group];
}

function withoutManagedFields<T extends KubeObject>(object: T): T {
  const { managedFields: _removed, ...metadata } = (object as KubeObject).metadata;
  return { ...object, metadata };
}

function namesOf(objects: readonly KubeObject[]): string[] {
  return objects.map(({ metadata }) => metadata.name ?? "").sort();
}

function inOrder(objects: readonly KubeObject[]): KubeObject[] {
  const name = ({ metadata }: KubeObject) => metadata.name ?? "";
  return objects.toSorted((a, b) => name(a) < name(b) ? -1 : 1);
}

function isEqual(a: unknown, b: unknown): boolean {
  if (JSON.stringify(a) === JSON.stringify(b)) return true;
  try {
    assertEquals(a, b);
    return true;
  } catch {
    return false;
  }
}

function differenceOf(
  wanted: ReadonlyMap<string, { readonly uid: string; readonly revision: number }>,
  shown: ReadonlyMap<
    string,
    { readonly uid?: string | undefined; readonly revision: number }
  >,
): string {
  for (const [key, { uid, revision }] of wanted) {
    const object = shown.get(key);
    if (object === undefined) return `no ${key}, which is at ${revision}`;
    if (object.revision !== revision || object.uid !== uid) {
      return `${key} at ${object.revision}, which is at ${revision}`;
    }
  }
  for (const key of shown.keys()) if (!wanted.has(key)) return `${key}, which does not exist`;
  return "";
}
