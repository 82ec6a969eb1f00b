import { isRecord, requireSync, showJson } from "@kubeloop/controller/internal/base";
import type { KubeObject } from "@kubeloop/controller/types";
import { keyOf } from "./names.ts";

/** The finalizer, annotation and label that another client adds to an object. */
export const FOREIGN_MARK = "another-client.example.com/was-here";

/** Kinds whose objects have no desired state. */
const IGNORED: ReadonlySet<string> = new Set([
  "leases.coordination.k8s.io",
  "events",
  "events.events.k8s.io",
  "nodes",
  "controllerrevisions.apps",
]);

/** Reports whether the objects of a resource are part of what is compared and waited for. */
export function isCompared(resource: string): boolean {
  return !IGNORED.has(resource);
}

/** A stored object at the end of a run. */
export interface EndObject {
  /** The full name of the resource. */
  readonly resource: string;
  readonly object: KubeObject;
}

/** The external world at the end of a run. */
export interface CloudState {
  /** The ids that it has issued. */
  readonly ids: ReadonlySet<string>;
  /** The whole numbers that it has answered, which are ids in fields whose names end with `id`. */
  readonly numbers: ReadonlySet<string>;
  /** The result of its method `state`; undefined without one. */
  readonly state: unknown;
}

/** The end state of a run, without what may differ between two correct runs: objects by name. */
export type EndState = ReadonlyMap<string, unknown>;

const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/;
const UID_INSIDE = /[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}/g;
const TIME_INSIDE = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/g;

/** The fields of a status that say which generation of the object was seen: `observedGeneration`, `lastAppliedGeneration`. */
const GENERATION = /generation$/i;

/** Fields of metadata that do not belong to the desired state. */
const UNCOMPARED_META: ReadonlySet<string> = new Set([
  "uid",
  "resourceVersion",
  "creationTimestamp",
  "managedFields",
  "generation",
  "selfLink",
  "deletionGracePeriodSeconds",
]);

/** The lists whose order depends on who came first, with the key of their items. */
const SETS: ReadonlyMap<string, string> = new Map([
  ["conditions", "type"],
  ["finalizers", ""],
  ["ownerReferences", "name"],
]);

/**
 * Hashes of templates, which are compared themselves. They also depend on how often the hash of an earlier object of the same
 * name was in the way.
 */
const HASHES: ReadonlySet<string> = new Set([
  "controller-revision-hash",
  "pod-template-hash",
  "collisionCount",
]);

/** Fields of a running Pod that depend on which node it runs on, and on how often it has started. */
const UNCOMPARED_POD: ReadonlySet<string> = new Set([
  "nodeName",
  "podIP",
  "podIPs",
  "hostIP",
  "hostIPs",
  "containerID",
  "restartCount",
  "lastState",
  "observedGeneration",
]);

/**
 * Returns the end state of a run. UIDs become the names of their objects, generated names become their prefix and a
 * number, and times become `TIME`.
 */
export function endState(
  objects: readonly EndObject[],
  mask: ((object: KubeObject) => KubeObject | undefined) | undefined,
  anonymous: ReadonlySet<string> = new Set(),
  cloud: CloudState = { ids: new Set(), numbers: new Set(), state: undefined },
): EndState {
  const compared = objects.filter(({ resource }) => isCompared(resource));
  const names = generatedNames(compared, anonymous);
  const uids = new Map<string, string>();
  const cloudText = cloud.state === undefined ? "" : showJson(cloud.state);
  for (const id of cloud.ids) {
    const isThere = cloudText.includes(showJson(id).slice(1, -1));
    uids.set(id, `an id of ${isThere ? "what is in" : "nothing in"} the external world`);
  }
  const numbers = new Map<string, string>();
  const present = new Set(cloudText.match(/\d+/g));
  for (const id of cloud.numbers) {
    const isThere = present.has(id);
    numbers.set(id, `an id of ${isThere ? "what is in" : "nothing in"} the external world`);
  }
  for (const { object, resource } of objects) {
    const { name = "", namespace = "", uid = "" } = object.metadata;
    uids.set(uid, `UID of ${resource} ${keyOf(namespace, names.get(name) ?? name)}`);
  }
  const out = new Map<string, unknown>();
  for (const { object, resource } of compared) {
    const canonical = new Canonical(resource, object, { names, uids, numbers }).object();
    const kept = mask === undefined
      ? canonical
      : requireSync("mask of a simulation", mask(canonical as unknown as KubeObject));
    if (kept === undefined) continue;
    const { name = "", namespace = "" } = object.metadata;
    out.set(`${resource} ${keyOf(namespace, names.get(name) ?? name)}`, kept);
  }
  if (cloud.state !== undefined) {
    out.set("cloud", comparableCloud(cloud.state, { names, uids, numbers }));
  }
  return new Map([...out].sort(([a], [b]) => a < b ? -1 : 1));
}

/** The replacements of names, UIDs and ids that may differ between two correct runs. */
interface Replacements {
  readonly names: ReadonlyMap<string, string>;
  readonly uids: ReadonlyMap<string, string>;
  /** The replacements of numbers in fields whose names end with `id`. */
  readonly numbers: ReadonlyMap<string, string>;
}

const ID_FIELD = /id$/i;

/** Returns the comparable form of the state of the external world: without ids, UIDs, times and order. */
function comparableCloud(value: unknown, by: Replacements, field = ""): unknown {
  if (typeof value === "string") return comparableText(value, by, field);
  if (Array.isArray(value)) {
    return inOrder(value.map((item) => comparableCloud(item, by, field)));
  }
  if (typeof value === "number") return numericId(value, by, field) ?? value;
  if (!isRecord(value)) return value;
  const byKey = new Map<string, unknown[]>();
  for (const [key, part] of Object.entries(value)) {
    // A record may be a map by ids.
    const shown = by.numbers.get(key) ?? comparableText(key, by, "");
    byKey.set(shown, [...byKey.get(shown) ?? [], comparableCloud(part, by, key)]);
  }
  // Keys that are ids are numbered in the order of their values.
  return Object.fromEntries(
    [...byKey].flatMap(([key, parts]) =>
      inOrder(parts).map((part, i) => [i === 0 ? key : `${key} ${i + 1}`, part])
    ),
  );
}

/** Returns what replaces a number, or a text of digits, that is an id of the external world. */
function numericId(
  value: number | string,
  { numbers }: Replacements,
  field: string,
): string | undefined {
  return ID_FIELD.test(field) ? numbers.get(String(value)) : undefined;
}

/** Returns a text without what differs between two correct runs. */
function comparableText(text: string, by: Replacements, field: string): string {
  const { names, uids } = by;
  const known = uids.get(text) ?? names.get(text) ?? numericId(text, by, field);
  if (known !== undefined) return known;
  if (TIME.test(text)) return "TIME";
  if (text.length < 20) return text;
  return text.replace(UID_INSIDE, (uid) => uids.get(uid) ?? "UID of nothing")
    .replace(TIME_INSIDE, "TIME");
}

/**
 * Returns the replacements of generated names: the prefix and a number. The numbers follow the content of the objects, not
 * the order in which they were created.
 */
function generatedNames(
  objects: readonly EndObject[],
  anonymous: ReadonlySet<string>,
): ReadonlyMap<string, string> {
  const byPrefix = new Map<string, EndObject[]>();
  for (const end of objects) {
    const { name = "", namespace } = end.object.metadata;
    const generateName = prefixOf(end, anonymous);
    if (generateName === undefined || !name.startsWith(generateName)) continue;
    const prefix = `${end.resource} ${namespace} ${generateName}`;
    byPrefix.set(prefix, [...byPrefix.get(prefix) ?? [], end]);
  }
  const names = new Map<string, string>();
  for (const ends of byPrefix.values()) {
    const sorted = ends
      .map((end) => ({
        end,
        text: showJson(new Canonical(end.resource, end.object, {
          names,
          uids: new Map(),
          numbers: new Map(),
        }).object())
          .replaceAll(end.object.metadata.name!, "*"),
      }))
      .sort((a, b) => a.text < b.text ? -1 : a.text > b.text ? 1 : 0);
    for (const [index, { end }] of sorted.entries()) {
      names.set(end.object.metadata.name!, `${prefixOf(end, anonymous)}*${index + 1}`);
    }
  }
  return names;
}

function prefixOf(
  { object: { metadata }, resource }: EndObject,
  anonymous: ReadonlySet<string>,
): string | undefined {
  return anonymous.has(resource) ? metadata.generateName ?? "" : metadata.generateName;
}

/** Makes the comparable form of one object. */
class Canonical {
  readonly #resource: string;
  readonly #object: KubeObject;
  readonly #by: Replacements;
  #isStatus = false;

  constructor(resource: string, object: KubeObject, by: Replacements) {
    this.#resource = resource;
    this.#object = object;
    this.#by = by;
  }

  object(): Record<string, unknown> {
    const out: Record<string, unknown> = {};
    for (const [field, value] of Object.entries(this.#object)) {
      if (field === "metadata") out[field] = this.#metadata(value as Record<string, unknown>);
      else if (field === "status") {
        this.#isStatus = true;
        const status = withoutNothing(this.#value(value, field));
        this.#isStatus = false;
        if (status !== undefined) out[field] = status;
      } else out[field] = this.#value(value, field);
    }
    return out;
  }

  #metadata(metadata: Record<string, unknown>): Record<string, unknown> {
    const out: Record<string, unknown> = {};
    for (const [field, value] of Object.entries(metadata)) {
      if (UNCOMPARED_META.has(field)) continue;
      const kept = withoutForeignMark(value);
      if (kept !== undefined) out[field] = this.#value(kept, field);
    }
    return out;
  }

  #value(value: unknown, field: string): unknown {
    if (typeof value === "string") return comparableText(value, this.#by, field);
    if (Array.isArray(value)) return sorted(value, field).map((item) => this.#value(item, ""));
    if (isRecord(value) && value["updateRevision"] !== undefined) {
      // The names of revisions are hashes, too.
      const { currentRevision, updateRevision, ...rest } = value;
      const isNew = currentRevision === updateRevision;
      return this.#value({ ...rest, currentRevision: isNew ? "the update" : "another" }, field);
    }
    if (!isRecord(value)) {
      if (typeof value !== "number") return value;
      if (!(this.#isStatus && GENERATION.test(field))) {
        return numericId(value, this.#by, field) ?? value;
      }
      return value === this.#object.metadata.generation ? "the current generation" : "an old one";
    }
    const out: Record<string, unknown> = {};
    for (const key of Object.keys(value).sort()) {
      if (this.#resource === "pods" && UNCOMPARED_POD.has(key)) continue;
      if (HASHES.has(key)) continue;
      out[key] = this.#value(value[key], key);
    }
    return out;
  }
}

/** Returns labels, annotations or finalizers without the entry of another client; undefined if none is left. */
function withoutForeignMark(value: unknown): unknown {
  if (Array.isArray(value)) {
    const rest = value.filter((item) => item !== FOREIGN_MARK);
    return rest.length === 0 ? undefined : rest;
  }
  if (!isRecord(value) || !(FOREIGN_MARK in value)) return value;
  const { [FOREIGN_MARK]: _, ...rest } = value;
  return Object.keys(rest).length === 0 ? undefined : rest;
}

/**
 * Returns the comparable form of a part of a status: without null, empty objects and empty lists, and without the order of
 * lists, which is often the order of a cache.
 */
function withoutNothing(value: unknown): unknown {
  if (value === null) return undefined;
  if (Array.isArray(value)) return value.length === 0 ? undefined : inOrder(value);
  if (!isRecord(value)) return value;
  const kept = Object.entries(value).flatMap(([key, part]) => {
    const rest = withoutNothing(part);
    return rest === undefined ? [] : [[key, rest] as const];
  });
  return kept.length === 0 ? undefined : Object.fromEntries(kept);
}

function inOrder(items: readonly unknown[]): unknown[] {
  return items.map((item) => ({ item, text: showJson(item) }))
    .sort((a, b) => a.text < b.text ? -1 : a.text > b.text ? 1 : 0)
    .map(({ item }) => item);
}

/** Sorts a list if the order of its items has no meaning. */
function sorted(items: readonly unknown[], field: string): readonly unknown[] {
  const key = SETS.get(field);
  if (key === undefined) return items;
  const text = (item: unknown) => String(isRecord(item) ? item[key] : item);
  return items.toSorted((a, b) => text(a) < text(b) ? -1 : text(a) > text(b) ? 1 : 0);
}
