import { isRecord, parseJson } from "@kubeloop/controller/internal/base";

/** The most paths of one field manager that are read. */
const MAX_PATHS = 10_000;

/** The deepest fields that are read. */
const MAX_DEPTH = 64;

/**
 * Returns the fields in a `fieldsV1` as people write them, in order: `spec.replicas`,
 * `spec.containers[name=web].image`, `metadata.finalizers["acme.io/x"]`.
 */
export function fieldPaths(fieldsV1: unknown): string[] {
  const paths: string[] = [];
  collect(fieldsV1, "", paths, 0);
  return paths.sort();
}

function collect(fields: unknown, path: string, paths: string[], depth: number): void {
  if (!isRecord(fields) || depth > MAX_DEPTH) return;
  for (const [key, below] of Object.entries(fields)) {
    if (paths.length >= MAX_PATHS) return;
    // A dot stands for the field itself, whose items are listed beside it.
    if (key === ".") continue;
    const own = path + stepOf(key, path === "");
    const isLeaf = !isRecord(below) || Object.keys(below).every((one) => one === ".");
    if (isLeaf) paths.push(own);
    else collect(below, own, paths, depth + 1);
  }
}

function stepOf(key: string, isFirst: boolean): string {
  const kind = key.slice(0, 2);
  const rest = key.slice(2);
  if (kind === "f:") {
    if (!/^[\w-]+$/.test(rest)) return `[${JSON.stringify(rest)}]`;
    return isFirst ? rest : `.${rest}`;
  }
  if (kind === "k:") return `[${keysOf(rest)}]`;
  return `[${rest}]`;
}

/** Returns the keys of an item of a list, as in `name=web` or `containerPort=80,protocol=TCP`. */
function keysOf(json: string): string {
  try {
    const keys = parseJson(json);
    if (isRecord(keys)) {
      return Object.entries(keys).map(([name, value]) => `${name}=${String(value)}`).join(",");
    }
  } catch {
    // Shown as it is.
  }
  return json;
}

/** A step of a path: a name, a quoted name, or the keys or the index of an item of a list. */
const STEP = /\.?([\w-]+)|\[("(?:[^"\\]|\\.)*")\]|\[([^\]"]*)\]/gy;

/** Returns what is at a path that {@linkcode fieldPaths} may have written; undefined if there is nothing. */
export function valueAt(object: unknown, path: string): unknown {
  let at = object;
  let end = 0;
  for (const { 0: step, 1: name, 2: quoted, 3: item = "", index } of path.matchAll(STEP)) {
    end = index + step.length;
    const key = name ?? (quoted === undefined ? undefined : unquoted(quoted));
    if (Array.isArray(at)) at = itemOf(at, key ?? item);
    else at = isRecord(at) && key !== undefined && Object.hasOwn(at, key) ? at[key] : undefined;
  }
  return end === path.length ? at : undefined;
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
    // Items of a list stay on their own, as do fields without a parent.
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

function itemOf(list: readonly unknown[], item: string): unknown {
  if (/^\d+$/.test(item)) return list[Number(item)];
  const keys = item.split(",").map((pair) => pair.split("="));
  return list.find((one) =>
    isRecord(one) && keys.every(([key = "", value]) => String(one[key]) === value)
  );
}

/** Reports whether a path is that of a field or of one below it. */
export function isBelow(path: string, field: string): boolean {
  if (!path.startsWith(field)) return false;
  const next = path[field.length];
  return next === undefined || next === "." || next === "[";
}
