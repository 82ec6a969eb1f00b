/**
 * Creates of each kind as a real server answered them: one of an object, then of the same object with one field changed.
 * They are dry runs.
 *
 * @module
 */

import { assertEquals } from "@std/assert";
import type { Json } from "../../../../src/testing/api_server/values/json.ts";
import type { Loose } from "../support.ts";

/** The answer to a create. */
interface Answer {
  readonly code: number;
  /** The message of an error. */
  readonly message?: string;
  /** The headers with warnings, joined. */
  readonly warnings?: string;
}

/** A create of an object. */
interface Base extends Answer {
  readonly path: string;
  readonly base: Loose;
  /** What was created, except the metadata. */
  readonly answer?: Loose;
}

/** A create of the same object with one field set, or removed if there is no `to`. */
interface Variation extends Answer {
  readonly set: string;
  readonly to?: Json;
  /** The value of that field in what was created. */
  readonly becomes?: Json;
}

/** The creates of one collection. */
export interface Variations {
  readonly base: Base;
  readonly changes: readonly Variation[];
}

/** Reads the recorded creates. */
export async function readVariations(): Promise<Variations[]> {
  const text = await Deno.readTextFile(new URL("./variations.jsonl", import.meta.url));
  const found: { base: Base; changes: Variation[] }[] = [];
  for (const line of text.trim().split("\n")) {
    const one: Base | Variation = JSON.parse(line);
    if ("base" in one) found.push({ base: one, changes: [] });
    else found.at(-1)!.changes.push(one);
  }
  return found;
}

const UID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;

/** The time at which a PersistentVolume is created. */
const TIME = /(?<="lastPhaseTransitionTime":")[^"]+/;

/**
 * Changes that this server answers otherwise. In a message, the real one shows an empty map or list that the request has;
 * here it is gone then, and bytes that are missing are shown as empty. The real one also refuses policies that are empty, and not only missing.
 */
const KNOWN: ReadonlySet<string> = new Set([
  "spec.template.metadata.labels = {}",
  "spec.request = undefined",
  'spec.behavior = {"scaleDown":{"stabilizationWindowSeconds":-1,"selectPolicy":"X","policies":[]}}',
]);

/**
 * Plays the creates of one collection on a server, and compares the answers.
 *
 * @param exact Whether there are no known differences, because the server is a real one.
 */
export async function playVariations(
  fetch: (path: string, init: RequestInit) => Promise<Response>,
  { base, changes }: Variations,
  exact = false,
): Promise<void> {
  const create = async (body: Loose) => {
    const response = await fetch(`${base.path}?dryRun=All&fieldManager=test`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
    });
    const text = (await response.text()).replaceAll(UID, "a uid").replace(TIME, "a time");
    const json: Loose = JSON.parse(text);
    const warnings = response.headers.get("warning");
    const shown: Answer = {
      code: response.status,
      ...(warnings === null ? {} : { warnings }),
    };
    return { json, shown: json.kind === "Status" ? { ...shown, message: json.message } : shown };
  };
  const { path, base: object, answer, ...expected } = base;
  const { json, shown } = await create(object);
  assertEquals(shown, expected, path);
  if (answer !== undefined) {
    assertEquals({ ...json, metadata: undefined }, { ...answer, metadata: undefined });
  }
  for (const { set, to, becomes, ...wanted } of changes) {
    const change = `${set} = ${JSON.stringify(to)}`;
    const found = await create(withField(object, set, to));
    const what = `${path}: ${change}`;
    if (exact || !KNOWN.has(change)) assertEquals(found.shown, wanted, what);
    if (wanted.message === undefined) assertEquals(fieldOf(found.json, set) ?? null, becomes, what);
  }
}

function withField(object: Loose, path: string, value: Json | undefined): Loose {
  const copy: Loose = structuredClone(object);
  const steps = path.split(".");
  const last = steps.pop()!;
  const parent = steps.reduce((at, step) => at[step] ??= {}, copy);
  if (value === undefined) delete parent[last];
  else parent[last] = value;
  return copy;
}

function fieldOf(object: Loose, path: string): Json | undefined {
  return path.split(".").reduce((at, step) => at?.[step], object);
}
