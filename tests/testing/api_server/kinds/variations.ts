/**
 * Creates of each kind as a real server answered them: one of an object, then of the same object with one field changed.
 * They are dry runs. Or updates: of what was created, with one field changed, which are dry runs, too.
 *
 * @module
 */

import { assertEquals } from "@std/assert";
import type { Json } from "../../../../src/testing/values/json.ts";
import { withoutGoTexts } from "../../../conformance/go_texts.ts";
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
  /** The part that the changes update: `""` for the object, `/status` for its status. Absent for creates. */
  readonly updates?: string;
  /** The created object, without its metadata. */
  readonly answer?: Loose;
}

/** A create, or an update, of the same object with one field set, or removed if there is no `to`. */
interface Variation extends Answer {
  readonly set: string;
  readonly to?: Json;
  /** The value of that field in what was created. */
  readonly becomes?: Json;
}

/** The creates, or the updates, of one object. */
export interface Variations {
  readonly base: Base;
  readonly changes: readonly Variation[];
}

/** Reads the recorded creates or updates. */
export async function readVariations(name: "creates" | "updates"): Promise<Variations[]> {
  const text = await Deno.readTextFile(new URL(`./varied_${name}.jsonl`, import.meta.url));
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
 * Plays the creates or the updates of one object on a server, and compares the answers.
 *
 * @param exact Whether there are no known differences, because the server is a real one.
 */
export async function playVariations(
  fetch: (path: string, init: RequestInit) => Promise<Response>,
  { base, changes }: Variations,
  exact = false,
): Promise<void> {
  const write = async (method: string, url: string, body: Loose) => {
    const response = await fetch(`${url}fieldManager=test`, {
      method,
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
    });
    const raw = await response.text();
    const json: Loose = JSON.parse(raw.replaceAll(UID, "a uid").replace(TIME, "a time"));
    const warnings = response.headers.get("warning");
    const shown: Answer = {
      code: response.status,
      ...(warnings === null ? {} : { warnings }),
    };
    const written: Loose = JSON.parse(raw);
    return {
      json,
      written,
      shown: json.kind === "Status" ? { ...shown, message: json.message } : shown,
    };
  };
  const { path, base: object, answer, updates, ...expected } = base;
  const dryRun = "dryRun=All&";
  const { json, shown, written } = await write(
    "POST",
    `${path}?${updates === undefined ? dryRun : ""}`,
    object,
  );
  assertEquals(comparable(shown), comparable(expected), path);
  if (answer !== undefined) {
    assertEquals({ ...json, metadata: undefined }, { ...answer, metadata: undefined });
  }
  const { managedFields: _, uid: __, ...metadata } = written.metadata;
  const [method, url, changed] = updates === undefined
    ? ["POST", `${path}?${dryRun}`, object] as const
    : ["PUT", `${path}/${metadata.name}${updates}?${dryRun}`, { ...written, metadata }] as const;
  for (const { set, to, becomes, ...wanted } of changes) {
    const change = `${set} = ${JSON.stringify(to)}`;
    const found = await write(method, url, withField(changed, set, to));
    const what = `${path}: ${change}`;
    if (exact || !KNOWN.has(change)) {
      assertEquals(comparable(found.shown), comparable(wanted), what);
    }
    if (wanted.message === undefined) assertEquals(fieldOf(found.json, set) ?? null, becomes, what);
  }
  // The real server is used for all of them.
  if (updates !== undefined) await write("DELETE", `${path}/${metadata.name}?`, {});
}

/** Returns an answer without the parts of its message that depend on Go types. */
function comparable(answer: Answer): Answer {
  return JSON.parse(withoutGoTexts(JSON.stringify(answer)));
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
