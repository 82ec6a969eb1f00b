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
  const place = { path: "", depth: 0, label: "" };
  if (before === undefined) write("same", after, place, out);
  else compare(before, after, place, out);
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

/** The place of a value in the lines: `label` is the text before it, such as `replicas:` or `-`. */
interface Place {
  readonly path: string;
  readonly depth: number;
  readonly label: string;
}

function compare(before: unknown, after: unknown, place: Place, out: Out): void {
  const isNested = place.depth < MAX_DEPTH;
  if (isNested && isRecord(before) && isRecord(after) && !isEmpty(before) && !isEmpty(after)) {
    const keys = keysOf(before, after);
    for (const [key, inner] of fieldPlaces(keys, place, "same", out)) {
      pair(before[key], after[key], inner, out);
    }
    return;
  }
  if (isNested && isList(before) && isList(after) && before.length > 0 && after.length > 0) {
    const depth = heading(place, "same", out);
    for (const { from, name, to } of matchItems(before, after)) {
      pair(from, to, { path: `${place.path}[${name}]`, depth, label: "-" }, out);
    }
    return;
  }
  if (sameJson(before, after)) write("same", after, place, out);
  else {
    write("removed", before, place, out);
    write("added", after, place, out);
  }
}

function pair(before: unknown, after: unknown, place: Place, out: Out): void {
  if (before === undefined) write("added", after, place, out);
  else if (after === undefined) write("removed", before, place, out);
  else compare(before, after, place, out);
}

/** Writes all lines of a value. */
function write(
  kind: "same" | "added" | "removed",
  value: unknown,
  place: Place,
  out: Out,
): void {
  const { depth, label, path } = place;
  if (depth < MAX_DEPTH && isRecord(value) && !isEmpty(value)) {
    for (const [key, inner] of fieldPlaces(keysOf(value, {}), place, kind, out)) {
      write(kind, value[key], inner, out);
    }
  } else if (depth < MAX_DEPTH && isList(value) && value.length > 0) {
    const inner = heading(place, kind, out);
    const names = namesOf(value);
    for (const [index, item] of value.entries()) {
      const name = names?.[index] ?? index;
      write(kind, item, { path: `${path}[${name}]`, depth: inner, label: "-" }, out);
    }
  } else out({ kind, depth, path, text: [label, scalar(value)].filter(Boolean).join(" ") });
}

/** Returns the places of the fields of a value. The first field of an item of a list is on the line of its dash. */
function fieldPlaces(
  keys: readonly string[],
  place: Place,
  kind: "same" | "added" | "removed",
  out: Out,
): (readonly [key: string, Place])[] {
  const { depth, label, path } = place;
  const isItem = label.endsWith("-");
  const inner = isItem ? depth + 1 : heading(place, kind, out);
  return keys.map((key, index) => {
    const text = `${scalar(key)}:`;
    const isFirst = isItem && index === 0;
    return [key, {
      path: join(path, key),
      depth: isFirst ? depth : inner,
      label: isFirst ? `${label} ${text}` : text,
    }];
  });
}

/** Writes the line above the fields of a value, and returns the depth of the fields. */
function heading(
  { depth, label, path }: Place,
  kind: "same" | "added" | "removed",
  out: Out,
): number {
  if (label === "") return depth;
  out({ kind, depth, path, text: label });
  // Fields below a dash are one level deeper than the dash.
  return depth + (label.startsWith("-") && label !== "-" ? 2 : 1);
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

/** Returns the fields of both, sorted, with the name of an item first. */
function keysOf(before: object, after: object): string[] {
  const has = (value: object) =>
    Object.entries(value).flatMap(([key, one]) => one === undefined ? [] : [key]);
  const keys = [...new Set([...has(before), ...has(after)])].sort();
  return [...keys.filter((key) => key === "name"), ...keys.filter((key) => key !== "name")];
}

function join(path: string, key: string): string {
  if (/^[\w-]+$/.test(key)) return path === "" ? key : `${path}.${key}`;
  return `${path}[${JSON.stringify(key)}]`;
}

/** Returns a plain value as in YAML, on one line. */
function scalar(value: unknown): string {
  if (typeof value !== "string") return JSON.stringify(value) ?? "";
  return /^[A-Za-z/][\w./@+(),'-]*(?:[: ][\w./@+(),'-]+)*$/.test(value) &&
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
