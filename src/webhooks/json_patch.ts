import { isRecord, jsonEqual } from "../base/mod.ts";
import type { JsonPatchOperation } from "../client/mod.ts";

/**
 * Returns the JSON patch (RFC 6902) that turns one JSON value into another: `add`, `remove` and `replace` of the values
 * that differ, and nothing if none does.
 *
 * @param before The value that the patch is applied to.
 * @param after The value that it gives.
 *
 * @example
 * ```ts
 * import { jsonPatchOf } from "@kubeloop/controller/webhooks";
 * import { assertEquals } from "@std/assert";
 *
 * const before = { metadata: { name: "a" }, spec: { size: 1 } };
 * const after = { metadata: { name: "a", labels: { "acme.io/tier": "x" } }, spec: { size: 2 } };
 * assertEquals(jsonPatchOf(before, after), [
 *   { op: "add", path: "/metadata/labels", value: { "acme.io/tier": "x" } },
 *   { op: "replace", path: "/spec/size", value: 2 },
 * ]);
 * ```
 */
export function jsonPatchOf(before: unknown, after: unknown): JsonPatchOperation[] {
  const out: JsonPatchOperation[] = [];
  // A stack of its own, because values may be deeper than calls can be.
  const stack: Differences[] = [compare("", before, after, out)];
  for (let current; (current = stack.at(-1)) !== undefined;) {
    const { done, value } = current.next();
    if (done) stack.pop();
    else stack.push(compare(value.path, value.before, value.after, out));
  }
  return out;
}

/** Two values at a path that remain to be compared. */
interface Pair {
  readonly path: string;
  readonly before: unknown;
  readonly after: unknown;
}

/** Adds the differences of two values to the patch, and yields the pairs within them when it is their turn. */
type Differences = Generator<Pair, void>;

function* compare(
  path: string,
  before: unknown,
  after: unknown,
  out: JsonPatchOperation[],
): Differences {
  if (Array.isArray(before) && Array.isArray(after)) yield* arrays(path, before, after, out);
  else if (isRecord(before) && isRecord(after)) yield* objects(path, before, after, out);
  else if (!jsonEqual(before, after)) out.push({ op: "replace", path, value: after });
}

function* objects(
  path: string,
  before: Record<string, unknown>,
  after: Record<string, unknown>,
  out: JsonPatchOperation[],
): Differences {
  for (const key of Object.keys(before)) {
    // Own fields only: `__proto__` and `constructor` can be names of fields.
    if (!Object.hasOwn(after, key)) out.push({ op: "remove", path: pointer(path, key) });
  }
  for (const [key, value] of Object.entries(after)) {
    const at = pointer(path, key);
    if (Object.hasOwn(before, key)) yield { path: at, before: before[key], after: value };
    else out.push({ op: "add", path: at, value });
  }
}

/** Keeps the items that both arrays begin and end with, so that one item more at the front is one operation. */
function* arrays(
  path: string,
  before: readonly unknown[],
  after: readonly unknown[],
  out: JsonPatchOperation[],
): Differences {
  const shorter = Math.min(before.length, after.length);
  let head = 0;
  let tail = 0;
  // Equal lengths need no search, which would look into nested lists again and again.
  if (before.length !== after.length) {
    while (head < shorter && jsonEqual(before[head], after[head])) head++;
    while (tail < shorter - head && jsonEqual(before.at(-1 - tail), after.at(-1 - tail))) tail++;
  }
  const changed = shorter - head - tail;
  for (let i = head; i < head + changed; i++) {
    yield { path: pointer(path, String(i)), before: before[i], after: after[i] };
  }
  const rest = head + changed;
  // From the last to the first, because each removal moves the items behind it.
  for (let i = before.length - tail - 1; i >= rest; i--) {
    out.push({ op: "remove", path: pointer(path, String(i)) });
  }
  for (let i = rest; i < after.length - tail; i++) {
    out.push({ op: "add", path: pointer(path, String(i)), value: after[i] });
  }
}

function pointer(path: string, key: string): string {
  return `${path}/${key.replaceAll("~", "~0").replaceAll("/", "~1")}`;
}
