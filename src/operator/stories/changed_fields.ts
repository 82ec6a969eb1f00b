import { isRecord } from "../../base/mod.ts";
import type { DeepReadonly, KubeObject } from "../../types/mod.ts";

/** A step into a value: the key of a field, or the position or name of a list item. */
export type PathStep = string | number | { readonly item: string };

/** The most fields of one change. */
const MAX_FIELDS = 8;
/** The most steps of a path that are shown. */
const MAX_STEPS = 8;
/** The most characters of one step. */
const MAX_STEP_LENGTH = 80;
/** Below this, values are not compared but differ. */
const MAX_DEPTH = 64;
/** The most values that are compared of one object. */
const MAX_VISITED = 50_000;
/** Fields of metadata that every write changes: they say nothing, unless nothing else has changed. */
const NOISE: readonly string[] = ["generation", "managedFields", "resourceVersion"];
/** The fields that name an item of a list. */
const ITEM_NAMES: readonly string[] = ["name", "type"];

/** What differs between two versions of an object. */
export interface Comparison {
  /** The paths of the fields. */
  readonly paths: readonly (readonly PathStep[])[];
  /** Whether there may be more fields. */
  readonly isCut: boolean;
  /** The number of values that were compared: what the comparison has cost. */
  readonly visited: number;
}

/** Compares two versions of an object. */
export function compareVersions(
  before: DeepReadonly<KubeObject>,
  after: DeepReadonly<KubeObject>,
): Comparison {
  const differ = new Differ();
  differ.compare(before, after, 0);
  if (differ.paths.length === 0) {
    for (const field of NOISE) {
      const [a, b] = [before, after].map(({ metadata }) =>
        (metadata as Readonly<Record<string, unknown>> | undefined)?.[field]
      );
      differ.only(["metadata", field], a, b);
    }
  }
  return differ;
}

class Differ implements Comparison {
  readonly paths: PathStep[][] = [];
  isCut = false;
  visited = 0;
  readonly #path: PathStep[] = [];

  /** Reports one field if it differs at all. */
  only(path: readonly PathStep[], before: unknown, after: unknown): void {
    const inside = new Differ();
    inside.compare(before, after, MAX_DEPTH / 2);
    if (inside.paths.length > 0) this.paths.push([...path]);
    this.visited += inside.visited;
  }

  compare(before: unknown, after: unknown, depth: number): void {
    if (before === after || this.isCut) return;
    if (++this.visited > MAX_VISITED) {
      this.isCut = true;
      return;
    }
    if (depth >= MAX_DEPTH) this.#report();
    else if (Array.isArray(before) && Array.isArray(after)) this.#lists(before, after, depth);
    else if (isRecord(before) && isRecord(after)) this.#records(before, after, depth);
    else this.#report();
  }

  #records(before: Record<string, unknown>, after: Record<string, unknown>, depth: number): void {
    const isMetadata = depth === 1 && this.#path[0] === "metadata";
    // Objects from JSON have no inherited fields that `in` would enumerate.
    for (const key in before) {
      this.visited++;
      const a = before[key];
      const b = Object.hasOwn(after, key) ? after[key] : undefined;
      if (a === b || (isMetadata && NOISE.includes(key))) continue;
      this.#inside(key, a, b, depth);
    }
    for (const key in after) {
      if (Object.hasOwn(before, key) || (isMetadata && NOISE.includes(key))) continue;
      this.#inside(key, undefined, after[key], depth);
    }
  }

  #lists(before: readonly unknown[], after: readonly unknown[], depth: number): void {
    const name = itemName(before[0] ?? after[0]);
    if (before.length === after.length && haveSameNames(before, after, name)) {
      for (let i = 0; i < before.length; i++) {
        const step = name === undefined ? i : { item: nameOf(before[i], name) as string };
        this.#inside(step, before[i], after[i], depth);
      }
      return;
    }
    const names = namesOf(before, name);
    const others = namesOf(after, name);
    if (names === undefined || others === undefined) {
      // Items without names: those of a list whose length changes cannot be told apart.
      this.#report();
      return;
    }
    const found = this.paths.length;
    for (const [name, item] of names) {
      this.#inside({ item: name }, item, others.get(name), depth);
    }
    for (const [name, item] of others) {
      if (!names.has(name)) this.#inside({ item: name }, undefined, item, depth);
    }
    // Only the order differs.
    if (this.paths.length === found) this.#report();
  }

  #inside(step: PathStep, before: unknown, after: unknown, depth: number): void {
    this.#path.push(step);
    this.compare(before, after, depth + 1);
    this.#path.pop();
  }

  #report(): void {
    if (this.paths.length >= MAX_FIELDS) this.isCut = true;
    else this.paths.push([...this.#path]);
  }
}

/** Returns the field that names the items of a list such as this one; undefined if they have no names. */
function itemName(item: unknown): string | undefined {
  return isRecord(item) ? ITEM_NAMES.find((field) => typeof item[field] === "string") : undefined;
}

function nameOf(item: unknown, field: string): string | undefined {
  const name = isRecord(item) ? item[field] : undefined;
  return typeof name === "string" ? name : undefined;
}

/** Reports whether two lists of one length have the same names in the same order, or no names at all. */
function haveSameNames(
  before: readonly unknown[],
  after: readonly unknown[],
  field: string | undefined,
): boolean {
  if (field === undefined) return true;
  return before.every((item, i) => {
    const name = nameOf(item, field);
    return name !== undefined && name === nameOf(after[i], field);
  });
}

/** Returns the items of a list by name; undefined if not each has a name of its own. */
function namesOf(
  items: readonly unknown[],
  field: string | undefined,
): Map<string, unknown> | undefined {
  if (field === undefined) return undefined;
  const named = new Map<string, unknown>();
  for (const item of items) {
    const name = nameOf(item, field);
    if (name === undefined || named.has(name)) return undefined;
    named.set(name, item);
  }
  return named;
}

/** Characters that a key has when it is written without quotes. */
const PLAIN = /^[A-Za-z0-9_$-]+$/;

/** Returns a path in words: `spec.containers[web].image`, `metadata.labels["app.kubernetes.io/name"]`. */
export function pathText(path: readonly PathStep[]): string {
  let text = "";
  for (const step of path.slice(0, MAX_STEPS)) {
    if (typeof step === "number") text += `[${step}]`;
    else if (typeof step !== "string") text += `[${cut(step.item)}]`;
    else if (PLAIN.test(step)) text += `${text === "" ? "" : "."}${cut(step)}`;
    else text += `[${JSON.stringify(cut(step))}]`;
  }
  return path.length > MAX_STEPS ? `${text}…` : text;
}

function cut(text: string): string {
  return text.length <= MAX_STEP_LENGTH ? text : `${text.slice(0, MAX_STEP_LENGTH)}…`;
}

/** Returns the paths of a comparison in words, without those that are the same when shortened. */
export function pathTexts({ isCut, paths }: Comparison): string[] {
  const texts = [...new Set(paths.map(pathText))];
  if (isCut) texts.push("…");
  return texts;
}

/**
 * Returns the paths of the fields that differ between two versions of an object: eight at most, and then `…`. Values are
 * not in them. Items of lists are told apart by their `name` or `type`. `managedFields`, `resourceVersion` and
 * `generation` are left out, unless only they differ.
 *
 * @param before The older version.
 * @param after The newer version.
 *
 * @example
 * ```ts
 * import { changedFields } from "@kubeloop/controller/operator";
 * import { assertEquals } from "@std/assert";
 *
 * const before = { metadata: { name: "web" }, spec: { replicas: 1, image: "a" } };
 * const after = { metadata: { name: "web", labels: { "acme.io/x": "1" } }, spec: { replicas: 2, image: "a" } };
 * assertEquals(changedFields(before, after), ["metadata.labels", "spec.replicas"]);
 * ```
 */
export function changedFields(
  before: DeepReadonly<KubeObject>,
  after: DeepReadonly<KubeObject>,
): string[] {
  return pathTexts(compareVersions(before, after));
}
