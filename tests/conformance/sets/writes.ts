/**
 * Creates of each kind: of an object, then of the same object with one field changed. They are dry runs. And updates of
 * what was created, with one field changed, which are dry runs, too.
 *
 * @module
 */

import { comparable } from "../comparable.ts";
import { withoutGoTexts } from "../go_texts.ts";
import type { RecordedSet } from "../recorded_set.ts";
import type { Entry } from "../recording.ts";
import type { ServerUnderTest } from "../server_under_test.ts";
import { withField } from "../with_field.ts";
import { type Answer, type Call, callerOf, type Loose } from "./caller.ts";

/** A create of an object. */
interface Base {
  readonly path: string;
  readonly base: Loose;
  /** The part that the changes update: `""` for the object, `/status` for its status. Undefined for creates. */
  readonly updates?: string;
}

/** A create, or an update, of the same object with one field set, or removed if there is no `to`. */
export interface Change {
  readonly set: string;
  readonly to?: unknown;
}

/** The writes of one object. */
export interface Writes extends Base {
  readonly changes: readonly Change[];
}

/** The creates of each kind. */
export const createSet: RecordedSet = writeSet("creates");

/** The updates of some kinds. */
export const updateSet: RecordedSet = writeSet("updates");

function writeSet(name: "creates" | "updates"): RecordedSet {
  return {
    name,
    async play(server) {
      const found: Entry[] = [];
      for (const [index, writes] of (await readWrites(name)).entries()) {
        found.push(...await play(server, index, writes));
      }
      return found;
    },
  };
}

/** Reads the requests of a set. */
export async function readWrites(name: "creates" | "updates"): Promise<Writes[]> {
  const text = await Deno.readTextFile(new URL(`../requests/${name}.ndjson`, import.meta.url));
  const found: (Base & { changes: Change[] })[] = [];
  for (const line of text.trim().split("\n")) {
    const one: Base | Change = JSON.parse(line);
    if ("base" in one) found.push({ ...one, changes: [] });
    else found.at(-1)!.changes.push(one);
  }
  return found;
}

/** Returns the id of the answer to the create of an object. */
export function writeId(index: number, path: string): string {
  return `${index} POST ${path}`;
}

/** Returns the id of the answer to a change of that object. */
export function changeId(index: number, at: number, { set, to }: Change): string {
  return `${index}.${at} ${set} = ${JSON.stringify(to)}`;
}

async function play(server: ServerUnderTest, index: number, writes: Writes): Promise<Entry[]> {
  const { path, base, updates, changes } = writes;
  const call = callerOf(server);
  await createNamespace(call, path);
  const dryRun = "?dryRun=All";
  const first = await call("POST", updates === undefined ? path + dryRun : path, base);
  const { uid: _, managedFields: __, ...metadata } = JSON.parse(first.text).metadata;
  const entries: Entry[] = [{
    id: writeId(index, path),
    ...shown(first),
    answer: JSON.parse(comparableText(first.text, server)),
  }];
  const [method, url, changed] = updates === undefined ? ["POST", path + dryRun, base] as const : [
    "PUT",
    `${path}/${metadata.name}${updates}${dryRun}`,
    { ...JSON.parse(first.text), metadata },
  ] as const;
  for (const [at, change] of changes.entries()) {
    const { set, to } = change;
    const answer = await call(method, url, withField(changed, set, to));
    const becomes = fieldOf(JSON.parse(comparableText(answer.text, server)), set);
    entries.push({
      id: changeId(index, at, change),
      ...shown(answer),
      ...(answer.code < 300 && becomes !== undefined ? { becomes } : {}),
    });
  }
  if (updates !== undefined) await call("DELETE", `${path}/${metadata.name}`, {});
  return entries;
}

async function createNamespace(call: Call, path: string): Promise<void> {
  const [, name] = /\/namespaces\/([^/]+)\//.exec(path) ?? [];
  if (name !== undefined) await call("POST", "/api/v1/namespaces", { metadata: { name } });
}

function shown({ code, warning, text }: Answer): object {
  const { kind, message } = JSON.parse(text);
  return {
    code,
    ...(warning === null ? {} : { warning }),
    ...(kind === "Status" ? { message: withoutGoTexts(JSON.stringify(message)) } : {}),
  };
}

/** Returns a body without what differs between two equal servers. */
function comparableText(text: string, { origin }: ServerUnderTest): string {
  const result = { step: "", status: 0, headers: {}, body: [text] };
  return comparable([result], new URL(origin).host)[0]!.body.join("\n");
}

function fieldOf(object: Loose, path: string): unknown {
  return path.split(".").reduce((at, step) => at?.[step], object);
}
