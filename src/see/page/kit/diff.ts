/** A line of a comparison. */
export interface DiffLine {
  readonly kind: "same" | "added" | "removed" | "fold";
  /** The indentation, in levels. */
  readonly depth: number;
  /** The line as in YAML; of a fold, the number of the hidden lines. */
  readonly text: string;
  /** The path of the field: `spec.template.spec.containers[web].image`. */
  readonly path: string;
}

/** The maximum number of lines; longer comparisons are cut. */
const MAX_LINES = 2_000;
/** The number of unchanged lines that stay before and after a change. */
const CONTEXT = 3;
/** The maximum depth of values; deeper ones are shown as JSON. */
const MAX_DEPTH = 32;
/** The fields that name the items of a list, in the order in which they are tried. */
const NAMES: readonly string[] = ["name", "type", "key", "uid", "ip", "containerPort"];

/**
 * Compares two JSON values, and returns the lines of both as in YAML. Items of lists are matched by their names, or else
 * by their positions. Without `before`, all lines are unchanged.
 */
export function diffLines(before: unknown, after: unknown): DiffLine[] {
  const lines: DiffLine[] = [];
  const out = (line: DiffLine) => {
    if (lines.length < MAX_LINES) lines.push(line);
  };
  if (before === undefined) write("same", after, "", 0, "", out);
  else compare(before, after, "", 0, "", out);
  return lines;
}

/** Hides runs of unchanged lines that are far from each change. Returns all lines if nothing has changed. */
export function foldLines(lines: readonly DiffLine[]): DiffLine[] {
  const near = new Set<number>();
  for (const [index, { kind }] of lines.entries()) {
    if (kind === "same") continue;
    for (let at = index - CONTEXT; at <= index + CONTEXT; at++) near.add(at);
  }
  if (near.size === 0) return [...lines];
  const folded: DiffLine[] = [];
  for (let index = 0; index < lines.length; index++) {
    let end = index;
    while (end < lines.length && !near.has(end)) end++;
    // A fold takes a line itself.
    if (end - index > 1) {
      folded.push({ kind: "fold", depth: 0, text: String(end - index), path: "" });
      index = end - 1;
    } else folded.push(lines[index]!);
  }
  return folded;
}

type Out = (line: DiffLine) => void;

function compare(
  before: unknown,
  after: unknown,
  path: string,
  depth: number,
  label: string,
  out: Out,
): void {
  const isNested = depth < MAX_DEPTH;
  if (isNested && isRecord(before) && isRecord(after) && !isEmpty(before) && !isEmpty(after)) {
    const inner = heading(label, "same", path, depth, out);
    for (const key of keysOf(before, after)) {
      pair(before[key], after[key], join(path, key), inner, `${scalar(key)}:`, out);
    }
    return;
  }
  if (isNested && isList(before) && isList(after) && before.length > 0 && after.length > 0) {
    const inner = heading(label, "same", path, depth, out);
    for (const { from, name, to } of matchItems(before, after)) {
      pair(from, to, `${path}[${name}]`, inner, "-", out);
    }
    return;
  }
  if (sameJson(before, after)) write("same", after, path, depth, label, out);
  else {
    write("removed", before, path, depth, label, out);
    write("added", after, path, depth, label, out);
  }
}

function pair(
  before: unknown,
  after: unknown,
  path: string,
  depth: number,
  label: string,
  out: Out,
): void {
  if (before === undefined) write("added", after, path, depth, label, out);
  else if (after === undefined) write("removed", before, path, depth, label, out);
  else compare(before, after, path, depth, label, out);
}

/** Writes all lines of a value. */
function write(
  kind: "same" | "added" | "removed",
  value: unknown,
  path: string,
  depth: number,
  label: string,
  out: Out,
): void {
  if (depth < MAX_DEPTH && isRecord(value) && !isEmpty(value)) {
    const inner = heading(label, kind, path, depth, out);
    for (const key of Object.keys(value).sort()) {
      write(kind, value[key], join(path, key), inner, `${scalar(key)}:`, out);
    }
  } else if (depth < MAX_DEPTH && isList(value) && value.length > 0) {
    const inner = heading(label, kind, path, depth, out);
    const names = namesOf(value);
    for (const [index, item] of value.entries()) {
      write(kind, item, `${path}[${names?.[index] ?? index}]`, inner, "-", out);
    }
  } else out({ kind, depth, path, text: [label, scalar(value)].filter(Boolean).join(" ") });
}

/** Writes the line above the fields of a value, and returns the depth of the fields. */
function heading(
  label: string,
  kind: "same" | "added" | "removed",
  path: string,
  depth: number,
  out: Out,
): number {
  if (label === "") return depth;
  out({ kind, depth, path, text: label });
  return depth + 1;
}

interface ItemPair {
  readonly name: string | number;
  readonly from?: unknown;
  readonly to?: unknown;
}

function matchItems(before: readonly unknown[], after: readonly unknown[]): ItemPair[] {
  const from = namesOf(before);
  const to = namesOf(after);
  if (from === undefined || to === undefined) {
    const length = Math.max(before.length, after.length);
    return Array.from(
      { length },
      (_, name) => ({ name, from: before[name], to: after[name] }),
    );
  }
  const old = new Map(from.map((name, index) => [name, before[index]]));
  const now = new Set(to);
  return [
    ...from.filter((name) => !now.has(name)).map((name) => ({ name, from: old.get(name) })),
    ...to.map((name, index) => ({ name, from: old.get(name), to: after[index] })),
  ];
}

/** Returns distinct names of the items: their own names, or the items themselves if they are plain values. */
function namesOf(items: readonly unknown[]): string[] | undefined {
  if (items.every((item) => typeof item === "string" || typeof item === "number")) {
    return distinct(items.map(String));
  }
  if (!items.every(isRecord)) return undefined;
  for (const field of NAMES) {
    if (!items.every((item) => ["string", "number"].includes(typeof item[field]))) continue;
    const names = distinct(items.map((item) => String(item[field])));
    if (names !== undefined) return names;
  }
  return undefined;
}

function distinct(names: string[]): string[] | undefined {
  return new Set(names).size === names.length ? names : undefined;
}

/** The fields of both, sorted, with those of an object's identity first. */
function keysOf(before: object, after: object): string[] {
  return [...new Set([...Object.keys(before), ...Object.keys(after)])].sort();
}

function join(path: string, key: string): string {
  if (/^[\w-]+$/.test(key)) return path === "" ? key : `${path}.${key}`;
  return `${path}[${JSON.stringify(key)}]`;
}

/** Returns a plain value as in YAML, on one line. */
function scalar(value: unknown): string {
  if (typeof value !== "string") return JSON.stringify(value) ?? "";
  return /^[A-Za-z/][\w./@+-]*(?: [\w./@+(),'-]+)*$/.test(value) &&
      !/^(?:true|false|null|yes|no|on|off|y|n)$/i.test(value)
    ? value
    : JSON.stringify(value);
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isList(value: unknown): value is readonly unknown[] {
  return Array.isArray(value);
}

function isEmpty(value: object): boolean {
  return Object.keys(value).length === 0;
}

function sameJson(one: unknown, other: unknown): boolean {
  if (isRecord(one) && isRecord(other)) {
    const keys = Object.keys(one);
    return keys.length === Object.keys(other).length &&
      keys.every((key) => Object.hasOwn(other, key) && sameJson(one[key], other[key]));
  }
  if (isList(one) && isList(other)) {
    return one.length === other.length && one.every((item, index) => sameJson(item, other[index]));
  }
  return one === other;
}
