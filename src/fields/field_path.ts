import { isRecord, own, parseJson } from "../base/mod.ts";
import { elementsOf, type FieldTree, isWhole, keysOf } from "./managed_fields.ts";

/** The path of a field, as elements of `fieldsV1`: `f:spec`, `f:containers`, `k:{"name":"web"}`, `f:image`; `i:0` is an index. */
export type ElementPath = readonly string[];

/** The maximum number of paths of one set of fields. */
const MAX_PATHS = 10_000;

/** The maximum depth of a set of fields. */
const MAX_DEPTH = 64;

/** Matches names that need no quotes. */
const PLAIN_NAME = /^[\w$-]+$/;

/** Matches values of keys that need no quotes. */
const PLAIN_VALUE = /^[^[\]",=\s]+$/;

/** How much of a path is shown. */
export interface PathLimits {
  /** The maximum number of steps. */
  readonly maxSteps?: number;
  /** The maximum length of a step, in characters. */
  readonly maxLength?: number;
}

/** Returns a path as text: `spec.containers[name=web].image`, `metadata.labels["app.io/x"]`, `spec.args[0]`. */
export function pathText(path: ElementPath, limits: PathLimits = {}): string {
  const { maxSteps = Infinity, maxLength = Infinity } = limits;
  const shorten = (text: string) =>
    text.length <= maxLength ? text : `${text.slice(0, maxLength)}…`;
  let text = "";
  for (const element of path.length > maxSteps ? path.slice(0, maxSteps) : path) {
    const name = element.slice(2);
    if (!element.startsWith("f:")) text += `[${shorten(itemText(element))}]`;
    else if (!PLAIN_NAME.test(name)) text += `[${JSON.stringify(shorten(name))}]`;
    else text += text === "" ? shorten(name) : `.${shorten(name)}`;
  }
  return path.length > maxSteps ? `${text}…` : text;
}

/** Returns the text of an item of a list: `name=web`, `containerPort=80,protocol=TCP`, `0`, or the JSON of an item of a set. */
function itemText(element: string): string {
  const keys = keysOf(element);
  if (keys === undefined) return element.slice(2);
  return Object.entries(keys).map(([key, value]) => {
    const text = String(value);
    return `${key}=${PLAIN_VALUE.test(text) ? text : JSON.stringify(text)}`;
  }).join(",");
}

/** Returns the paths of a set of fields as text, in order. A value that is owned as a whole has one path. */
export function fieldPaths(fieldsV1: unknown): string[] {
  const paths: string[] = [];
  const path: string[] = [];
  const collect = (tree: FieldTree): void => {
    if (path.length > MAX_DEPTH) return;
    for (const element of elementsOf(tree)) {
      if (paths.length >= MAX_PATHS) return;
      const inner = tree[element];
      path.push(element);
      if (isRecord(inner) && !isWhole(inner)) collect(inner);
      else paths.push(pathText(path));
      path.pop();
    }
  };
  if (isRecord(fieldsV1)) collect(fieldsV1);
  return paths.sort();
}

/** Matches a step of a path: a name, a quoted name, or the keys or the index of an item of a list. */
const STEP = /\.?([\w$-]+)|\[("(?:[^"\\]|\\.)*")\]|\[((?:[^\]"]|"(?:[^"\\]|\\.)*")*)\]/gy;

/** Matches a key and its value in `name="a,b",port=80`, after the commas and the texts without a key before it. */
const KEY = /(?:[^=,]*,)*([^=,]+)=("(?:[^"\\]|\\.)*"|[^,]*)/gy;

/** Returns the value at a path in the form of {@linkcode pathText}; undefined if there is none. */
export function valueAt(object: unknown, path: string): unknown {
  let at = object;
  let end = 0;
  for (const { 0: step, 1: name, 2: quoted, 3: item = "", index } of path.matchAll(STEP)) {
    end = index + step.length;
    const key = name ?? (quoted === undefined ? undefined : unquoted(quoted));
    if (Array.isArray(at)) at = itemOf(at, key ?? item);
    else at = key === undefined ? undefined : own(at, key);
  }
  return end === path.length ? at : undefined;
}

/** Returns the item of a list with an index, with all of the keys, or with a text as its value. */
function itemOf(list: readonly unknown[], item: string): unknown {
  if (/^\d+$/.test(item)) return list[Number(item)];
  const keys = [...item.matchAll(KEY)];
  if (keys.length === 0) return list.find((one) => one === item);
  return list.find((one) =>
    keys.every(([, key = "", value = ""]) =>
      String(own(one, key)) === (value.startsWith('"') ? unquoted(value) : value)
    )
  );
}

function unquoted(json: string): string | undefined {
  try {
    return String(parseJson(json));
  } catch {
    return undefined;
  }
}

/**
 * Returns paths with the fields of one parent in one text, in the order of the first of each:
 * `spec.{replicas,selector}`, `metadata.labels.{app,"app.kubernetes.io/name"}`.
 */
export function groupedPaths(paths: readonly string[]): string[] {
  const groups = new Map<string, { readonly path: string; readonly names: string[] }>();
  for (const path of paths) {
    const [step = "", name, quoted] = [...path.matchAll(STEP)].at(-1) ?? [];
    const field = name ?? quoted;
    // Items of a list and fields without a parent are not grouped.
    const parent = path.slice(0, path.length - step.length);
    const key = field === undefined || parent === "" ? path : `${parent}.`;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, { path, names: [field ?? path] });
    else if (field !== undefined) group.names.push(field);
  }
  return [...groups].map(([key, { path, names }]) =>
    names.length === 1 ? path : `${key}{${names.join(",")}}`
  );
}

/** Reports whether a path is that of a field, or of one within it. */
export function isBelow(path: string, field: string): boolean {
  if (!path.startsWith(field)) return false;
  const next = path[field.length];
  return next === undefined || next === "." || next === "[";
}
