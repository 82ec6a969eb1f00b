import { isRecord, parseJson, visibleText } from "@kubeloop/controller/internal/base";
import type { Attention } from "@kubeloop/controller/internal/see";
import type { ServerWrite, StoredView, StoreView } from "../api_server/mod.ts";

/** The age from which an object that has not settled needs attention, in milliseconds. */
const PATIENCE_MS = 30_000;
/** The maximum number of objects that are followed. */
const MAX_FOLLOWED = 10_000;
/** The maximum number of objects that are read for one state. */
const MAX_READ = 200;
const MAX_OF_KIND = 20;
const MAX_TEXT_LENGTH = 300;

interface Followed {
  readonly resource: string;
  readonly key: string;
  /** The time at which it was first seen unsettled, in milliseconds of the wall. */
  readonly sinceMs: number;
}

/** Options of {@linkcode Unsettled}. */
export interface UnsettledOptions {
  readonly stores: () => readonly StoreView[];
  /** Returns the time on the wall, in milliseconds. */
  readonly now: () => number;
}

/**
 * The objects that have not settled: Pods that are pending, objects whose deletion waits for a finalizer, and objects whose
 * controller has not observed their last change. It follows them only between `start()` and `stop()`.
 */
export class Unsettled {
  readonly #options: UnsettledOptions;
  #followed: Map<string, Followed> | undefined;

  constructor(options: UnsettledOptions) {
    this.#options = options;
  }

  /** Looks at all objects once. */
  start(): void {
    this.#followed = new Map();
    for (const store of this.#options.stores()) {
      if (store.size === 0) continue;
      for (const { key, text } of store.list("")) this.#look(store.resource, key, text);
    }
  }

  /** Looks at a written object. */
  wrote({ name, namespace, resource, text, type }: ServerWrite): void {
    const key = namespace === "" ? name : `${namespace}/${name}`;
    if (type === "DELETED") this.#followed?.delete(`${resource} ${key}`);
    else this.#look(resource, key, text);
  }

  /** Forgets all objects. */
  stop(): void {
    this.#followed = undefined;
  }

  /** Returns what needs attention. */
  attention(): Attention[] {
    const found = new Map<Attention["kind"], Attention[]>();
    const stores = new Map(this.#options.stores().map((store) => [store.resource, store]));
    const now = this.#options.now();
    let read = 0;
    for (const [id, one] of this.#followed ?? []) {
      if (now - one.sinceMs < PATIENCE_MS) continue;
      if (++read > MAX_READ) break;
      const object = stores.get(one.resource)?.get(one.key);
      const entry = object === undefined ? undefined : attentionTo(one, object);
      if (entry === undefined) {
        this.#followed?.delete(id);
        continue;
      }
      const list = found.get(entry.kind) ?? [];
      found.set(entry.kind, list);
      if (list.length < MAX_OF_KIND) list.push(entry);
    }
    return [...found.values()].flat();
  }

  #look(resource: string, key: string, text: string): void {
    const followed = this.#followed;
    if (followed === undefined) return;
    const id = `${resource} ${key}`;
    if (!mayBeUnsettled(resource, text)) followed.delete(id);
    else if (!followed.has(id) && followed.size < MAX_FOLLOWED) {
      followed.set(id, { resource, key, sinceMs: sinceOf(resource, text) ?? this.#options.now() });
    }
  }
}

/** Reports whether an object may be unsettled. It reads the text, because parsing each object would take too long. */
function mayBeUnsettled(resource: string, text: string): boolean {
  if (text.includes('"deletionTimestamp"')) return true;
  if (resource === "pods") return text.includes('"phase":"Pending"');
  const observed = /"observedGeneration":(\d{1,15})/.exec(text)?.[1];
  if (observed === undefined) return false;
  const generation = /"generation":(\d{1,15})/.exec(text)?.[1];
  return generation !== undefined && observed !== generation;
}

/** Returns the time from which a Pod is pending, or an object is deleted; undefined if it cannot be read from the text. */
function sinceOf(resource: string, text: string): number | undefined {
  const deleted = /"deletionTimestamp":"([^"]{1,40})"/.exec(text)?.[1];
  const created = /"creationTimestamp":"([^"]{1,40})"/.exec(text)?.[1];
  const time = Date.parse(deleted ?? (resource === "pods" ? created : undefined) ?? "");
  return Number.isNaN(time) ? undefined : time;
}

function attentionTo(
  { key, resource, sinceMs }: Followed,
  { text }: StoredView,
): Attention | undefined {
  const object: unknown = parseJson(text);
  if (!isRecord(object)) return undefined;
  const metadata = isRecord(object.metadata) ? object.metadata : {};
  const status = isRecord(object.status) ? object.status : {};
  const base = { controller: resource, key, since: new Date(sinceMs).toISOString() };
  const finalizers = textsOf(metadata.finalizers);
  if (metadata.deletionTimestamp !== undefined) {
    if (finalizers.length === 0) return undefined;
    return {
      ...base,
      kind: "stuck_finalizer",
      text: shown(
        `${resource} ${key} is deleted, but waits for the finalizer ${finalizers.join(", ")}`,
      ),
      remedy: "Start the program that removes the finalizer, or remove it if the cleanup is done",
    };
  }
  if (resource === "pods") {
    if (status.phase !== "Pending") return undefined;
    const why = pendingReason(status);
    return {
      ...base,
      kind: "not_settled",
      text: shown(`Pod ${key} is pending${why === "" ? "" : `: ${why}`}`),
      remedy: "Look at its conditions and containers; serve needs --nodes to run Pods",
    };
  }
  const { observedGeneration } = status;
  if (typeof observedGeneration !== "number" || observedGeneration === metadata.generation) {
    return undefined;
  }
  return {
    ...base,
    kind: "not_settled",
    text: shown(
      `${resource} ${key} has generation ${metadata.generation}, but its controller has observed ${observedGeneration}`,
    ),
    remedy:
      "Look whether the controller of this kind is running, and whether its writes are refused",
  };
}

/** Returns why a Pod is pending: that it is not scheduled, or what a container waits for. */
function pendingReason(status: Readonly<Record<string, unknown>>): string {
  for (const condition of listOf(status.conditions)) {
    if (condition.type === "PodScheduled" && condition.status === "False") {
      return `${condition.message ?? condition.reason ?? ""}`;
    }
  }
  for (const { name, state } of listOf(status.containerStatuses)) {
    const waiting = isRecord(state) && isRecord(state.waiting) ? state.waiting : undefined;
    if (waiting !== undefined) {
      return `container ${name} waits: ${
        [waiting.reason, waiting.message].filter(Boolean).join(": ")
      }`;
    }
  }
  return "";
}

function listOf(value: unknown): Record<string, unknown>[] {
  return Array.isArray(value) ? value.filter(isRecord) : [];
}

function textsOf(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((one) => typeof one === "string") : [];
}

function shown(text: string): string {
  return visibleText(text, MAX_TEXT_LENGTH);
}
