import { visibleText } from "@kubeloop/controller/internal/base";
import type { Attention } from "@kubeloop/controller/internal/see";
import { type ClientCounts, clientName } from "./clients.ts";
import { changedBy, writerOf } from "./stories_of.ts";
import type { Recorded } from "./write_log.ts";

/** The time that writes and refusals are looked at, in milliseconds. */
const WINDOW_MS = 60_000;
/** The number of refusals of one client in a row, at one object, from which they need attention. */
const MANY_IN_A_ROW = 3;
/** The number of conflicts of one client at one object from which they need attention, with writes between them. */
const MANY_CONFLICTS = 10;
/** How often one client must overwrite another one's value of a field until it needs attention. */
const MANY_TURNS = 3;
/** The number of writes of a field by one client from which they need attention. */
const MANY_OF_ONE = 15;
const MAX_NAMED = 3;
/** The number of objects whose writes are compared for one state. */
const MAX_COMPARED = 50;
/** The requests per second of one client from which they need attention. */
const MANY_REQUESTS = 50;
/** The number of lists of one resource within {@linkcode WINDOW_MS} from which they need attention. */
const MANY_LISTS = 5;
const MAX_TEXT_LENGTH = 300;

/** Returns the fields that clients write again and again, and the writes that are refused. */
export function troublesOfWrites(
  objects: readonly (readonly Recorded[])[],
  wallMs: number,
): Attention[] {
  const found: Attention[] = [];
  let compared = 0;
  for (const all of objects) {
    const writes = all.filter(({ atMs }) => wallMs - atMs <= WINDOW_MS);
    const refused = refusedOf(writes);
    if (refused !== undefined) found.push(refused);
    const updates = writes.filter(({ write }) => write?.type === "MODIFIED");
    if (updates.length > MANY_TURNS && ++compared <= MAX_COMPARED) {
      const flip = flipIn(updates);
      if (flip !== undefined) found.push(flip);
    }
  }
  return found;
}

/** Returns what a client does too often, and the rights that it lacks. */
export function troublesOfClient(
  { forbidden, name, resources }: ClientCounts,
  { nowMs, requestsPerSecond, wallMs }: {
    readonly nowMs: number;
    readonly wallMs: number;
    readonly requestsPerSecond: number;
  },
): Attention[] {
  const found: Attention[] = [];
  if (forbidden !== undefined && nowMs - forbidden.atMs <= WINDOW_MS) {
    found.push({
      kind: "right_missing",
      text: shown(`${name} lacks a right: ${forbidden.message}`),
      remedy: "Add the right to a Role of the client, or give it a valid token",
      since: new Date(wallMs - (nowMs - forbidden.atMs)).toISOString(),
    });
  }
  if (requestsPerSecond >= MANY_REQUESTS) {
    const [[resource = "", counts] = []] = [...resources].sort(([, a], [, b]) =>
      b.requests - a.requests
    );
    const what = counts === undefined ? "" : `, most of them for ${resource}`;
    found.push({
      kind: "hot_loop",
      text: shown(`${name} sends ${Math.round(requestsPerSecond)} requests a second${what}`),
      remedy: "Let it wait between attempts, and read from the cache of an informer",
    });
  }
  for (const [resource, { lists }] of resources) {
    const [first = -Infinity] = lists;
    if (lists.length < MANY_LISTS || nowMs - first > WINDOW_MS) continue;
    const seconds = Math.max(1, Math.round((nowMs - first) / 1000));
    found.push({
      kind: "watch_failing",
      text: shown(`${name} has listed all ${resource} ${lists.length} times in ${seconds} s`),
      remedy: "Look why its watch ends: an informer lists once, and then watches",
    });
  }
  return found;
}

function refusedOf(writes: readonly Recorded[]): Attention | undefined {
  const last = writes.findLast(({ write }) => write === undefined);
  if (last?.author === undefined || last.request === undefined) return undefined;
  const name = clientName(last.author);
  const own = writes.filter(({ author }) => author !== undefined && clientName(author) === name);
  const row = own.slice(own.findLastIndex(({ write }) => write !== undefined) + 1);
  const conflicts = own.filter(isConflicting);
  const isConflict = isConflicting(last);
  const isMany = row.length >= MANY_IN_A_ROW || conflicts.length >= MANY_CONFLICTS;
  // A missing right is an entry of its client.
  if (!isMany || (row.length === 0 && !isConflict) || last.request.code === 403) return undefined;
  const what = `${last.resource} ${last.key}`;
  const base = {
    controller: last.resource,
    key: last.key,
    since: new Date((row[0] ?? conflicts[0] ?? last).atMs).toISOString(),
  };
  return isConflict
    ? {
      ...base,
      kind: "conflict",
      text: shown(`${name} had ${conflicts.length} conflicts when it wrote ${what}`),
      remedy: "Read the object again before each attempt, or use server-side apply",
    }
    : {
      ...base,
      kind: "backoff",
      text: shown(
        `The last ${row.length} writes of ${what} by ${name} were refused, the newest with ${last.request.code}`,
      ),
      remedy: "Its story has the reason of each refusal",
    };
}

/** Reports whether a write has met another version of its object, unlike the creation of an object that exists. */
function isConflicting({ request }: Recorded): boolean {
  return request?.code === 409 && request.verb !== "create";
}

/** Returns the field that is written again and again: in turns by several clients, or very often by one. */
function flipIn(updates: readonly Recorded[]): Attention | undefined {
  const fields = new Map<string, string[]>();
  for (const one of updates) {
    for (const field of changedBy(one) ?? []) {
      const writers = fields.get(field) ?? [];
      fields.set(field, writers);
      writers.push(writerOf(one));
    }
  }
  const [worst] = [...fields].map(([field, writers]) => ({
    field,
    writers,
    turns: writers.filter((writer, index) => index > 0 && writer !== writers[index - 1]).length,
  })).filter(({ field, turns, writers }) =>
    field !== "…" && (turns >= MANY_TURNS || writers.length >= MANY_OF_ONE)
  ).sort((a, b) => b.turns - a.turns || b.writers.length - a.writers.length);
  if (worst === undefined) return undefined;
  const { field, turns, writers } = worst;
  const names = [...new Set(writers)].slice(0, MAX_NAMED);
  const [{ atMs, key, resource }] = updates as [Recorded];
  const isShared = turns >= MANY_TURNS;
  const who = isShared ? `in turns by ${names.join(" and ")}` : `by ${names.join(" and ")}`;
  return {
    kind: "hot_loop",
    text: shown(`${field} of ${resource} ${key} was written ${writers.length} times, ${who}`),
    remedy: isShared
      ? "Let one of the clients own the field, and the others omit it"
      : "Let the client write the field only when its value changes",
    since: new Date(atMs).toISOString(),
    controller: resource,
    key,
  };
}

function shown(text: string): string {
  return visibleText(text, MAX_TEXT_LENGTH);
}
