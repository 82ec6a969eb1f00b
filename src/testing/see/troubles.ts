import { visibleText } from "@kubeloop/controller/internal/base";
import type { Attention } from "@kubeloop/controller/internal/see";
import { describeFlip, flipOf } from "@kubeloop/controller/operator";
import { type ClientCounts, clientName } from "./clients.ts";
import { storyOf } from "./stories_of.ts";
import type { Recorded } from "./write_log.ts";

/** The time that writes and refusals are looked at, in milliseconds. */
const WINDOW_MS = 60_000;
/** The number of refusals of one client in a row, at one object, from which they need attention. */
const MANY_IN_A_ROW = 3;
/** The number of conflicts of one client at one object from which they need attention, with writes between them. */
const MANY_CONFLICTS = 15;
/** The numbers of writes from which a field that changes again and again needs attention. */
const MANY_OF_TWO = 4;
const MANY_OF_ONE = 20;
/** The number of newest writes that are compared. */
const COMPARED = 10;
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
    if (mayFlip(writes) && ++compared <= MAX_COMPARED) {
      const flip = flipIn(writes);
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
  const conflicts = own.filter(({ request }) => request?.code === 409);
  const isConflict = last.request.code === 409;
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
        `The last ${row.length} writes of ${what} by ${name} were refused with ${last.request.code}`,
      ),
      remedy: "Its story has the reason of each refusal",
    };
}

/** Reports whether so many writes may be those of a loop. Comparing them takes longer than this. */
function mayFlip(writes: readonly Recorded[]): boolean {
  const updates = writes.filter(({ write }) => write?.type === "MODIFIED");
  if (updates.length < MANY_OF_TWO) return false;
  if (updates.length >= MANY_OF_ONE) return true;
  return new Set(updates.map(({ author }) => author && clientName(author))).size > 1;
}

function flipIn(writes: readonly Recorded[]): Attention | undefined {
  const updates = writes.filter(({ write }) => write?.type === "MODIFIED");
  const newest = updates.slice(-COMPARED);
  const flip = flipOf(newest.map((one) => storyOf(one)));
  if (flip === undefined || flip.reconciles < MANY_OF_TWO) return undefined;
  if (flip.writers.length < 2 && updates.length < MANY_OF_ONE) return undefined;
  const [{ key, resource }] = newest as [Recorded];
  return {
    kind: "hot_loop",
    text: shown(describeFlip(flip)),
    remedy: flip.writers.length < 2
      ? "Let the client write the field only when its value changes"
      : "Let one of the clients own the field, and the others omit it",
    since: new Date(updates[0]!.atMs).toISOString(),
    controller: resource,
    key,
  };
}

function shown(text: string): string {
  return visibleText(text, MAX_TEXT_LENGTH);
}
