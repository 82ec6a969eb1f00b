import { isRecord, jsonEqual, type Logger, own, showJson } from "../../base/mod.ts";
import type { DeepReadonly, KubeObject } from "../../types/mod.ts";

/** Bounds of a description. */
const MAX_LINES = 200;
const MAX_VALUE_LENGTH = 200;
/** The steps of a path from which on a value is shown as a whole, so that no object exceeds the stack. */
const MAX_STEPS = 200;

/** Metadata that the server sets with each write. */
const SERVER_METADATA: ReadonlySet<string> = new Set([
  "creationTimestamp",
  "generation",
  "managedFields",
  "resourceVersion",
  "selfLink",
  "uid",
]);

/** The parts of a Secret that hold its data. The annotation is that of `kubectl apply`. */
const SECRET_PARTS: readonly (readonly string[])[] = [
  ["data"],
  ["stringData"],
  ["metadata", "annotations", "kubectl.kubernetes.io/last-applied-configuration"],
];

/** The fields that tell the items of a list apart, best first. */
const ITEM_KEYS = ["name", "type", "uid"];

/**
 * Describes how an object changes: one line for each field, `-` before its old value and `+` before its new one. Values
 * are written as JSON. Metadata that the server sets with each write is left out, and the data of Secrets is hidden.
 *
 * @param before The object before; undefined if it is created.
 * @param after The object after; undefined if it is deleted.
 * @returns The lines, at most 200; empty if nothing changes.
 *
 * @example
 * ```ts
 * import { describeDiff } from "@kubeloop/controller/operator";
 * import { assertEquals } from "@std/assert";
 *
 * const before = { metadata: { name: "web", labels: { app: "web" } }, spec: { replicas: 2 } };
 * const after = { metadata: { name: "web" }, spec: { replicas: 3 } };
 * assertEquals(
 *   describeDiff(before, after),
 *   '- metadata.labels.app: "web"\n- spec.replicas: 2\n+ spec.replicas: 3',
 * );
 * ```
 */
export function describeDiff(
  before: DeepReadonly<KubeObject> | undefined,
  after: DeepReadonly<KubeObject> | undefined,
): string {
  const lines: string[] = [];
  let leftOut = 0;
  for (const { sign, path, value, isHidden } of fieldChanges(before, after)) {
    if (lines.length >= MAX_LINES) leftOut++;
    else lines.push(`${sign} ${path}: ${isHidden ? "(hidden)" : valueText(value)}`);
  }
  if (leftOut > 0) lines.push(`  … and ${leftOut} more`);
  return lines.join("\n");
}

/** The old or the new value of a field that changes. */
export interface FieldChange {
  /** `-` for the old value, `+` for the new one. */
  readonly sign: "-" | "+";
  /** The path of the field, as in `spec.containers[name=web].image`. */
  readonly path: string;
  /** The value. */
  readonly value: unknown;
  /** Whether nobody must see the value, because it is the data of a Secret. */
  readonly isHidden: boolean;
}

/** Returns the fields that change between two objects, without metadata that the server sets with each write. */
export function fieldChanges(
  before: DeepReadonly<KubeObject> | undefined,
  after: DeepReadonly<KubeObject> | undefined,
): FieldChange[] {
  const isSecret = (before?.kind ?? after?.kind) === "Secret";
  const changes: FieldChange[] = [];
  compare(withoutServerMetadata(before), withoutServerMetadata(after), [], (sign, path, value) => {
    const isHidden = isSecret &&
      SECRET_PARTS.some((part) => part.every((key, i) => path[i] === key));
    changes.push({ sign, path: pathText(path), value, isHidden });
  });
  return changes;
}

type Write = (sign: "-" | "+", path: readonly string[], value: unknown) => void;

function compare(before: unknown, after: unknown, path: readonly string[], write: Write): void {
  if (jsonEqual(before, after)) return;
  const left = membersOf(before);
  const right = membersOf(after);
  const bothSplit = (left ?? right) !== undefined &&
    (left !== undefined || before === undefined) && (right !== undefined || after === undefined);
  if (!bothSplit || isSwapped(before, after) || path.length >= MAX_STEPS) {
    if (before !== undefined) leaves(before, path, "-", write);
    if (after !== undefined) leaves(after, path, "+", write);
    return;
  }
  const keys = new Set([...left?.keys() ?? [], ...right?.keys() ?? []]);
  for (const key of keys) compare(left?.get(key), right?.get(key), [...path, key], write);
  // What becomes empty, or was empty, has no members to tell of it.
  if (left?.size === 0) write("-", path, before);
  if (right?.size === 0) write("+", path, after);
}

/** Reports whether one value is a list and the other an object. */
function isSwapped(before: unknown, after: unknown): boolean {
  return before !== undefined && after !== undefined &&
    Array.isArray(before) !== Array.isArray(after);
}

function leaves(value: unknown, path: readonly string[], sign: "-" | "+", write: Write): void {
  const members = path.length < MAX_STEPS ? membersOf(value) : undefined;
  if (members === undefined || members.size === 0) return write(sign, path, value);
  for (const [key, member] of members) leaves(member, [...path, key], sign, write);
}

/** Returns the fields of an object, or the items of a list; undefined for other values. */
function membersOf(value: unknown): Map<string, unknown> | undefined {
  if (Array.isArray(value)) {
    const key = ITEM_KEYS.find((name) => isUnique(value, name));
    return new Map(
      value.map((item, i) => [`[${key === undefined ? i : `${key}=${own(item, key)}`}]`, item]),
    );
  }
  if (!isRecord(value)) return undefined;
  return new Map(Object.keys(value).sort().map((key) => [key, value[key]]));
}

function isUnique(list: readonly unknown[], name: string): boolean {
  const values = list.map((item) => own(item, name));
  return values.every((value) => typeof value === "string") &&
    new Set(values).size === values.length;
}

/** Returns an object without the metadata that the server sets with each write. */
export function withoutServerMetadata(
  object: DeepReadonly<KubeObject> | undefined,
): DeepReadonly<KubeObject> | undefined {
  if (object === undefined) return undefined;
  const metadata = Object.entries(object.metadata).filter(([key]) => !SERVER_METADATA.has(key));
  return { ...object, metadata: Object.fromEntries(metadata) };
}

/** Returns a path such as `spec.containers[name=web].image`. Names with dots are quoted: `labels["app.io/x"]`. */
function pathText(path: readonly string[]): string {
  let text = "";
  for (const key of path) {
    if (key.startsWith("[")) text += shorten(key);
    else if (key.includes(".") || key === "") text += `[${shorten(JSON.stringify(key))}]`;
    else text += `${text === "" ? "" : "."}${key}`;
  }
  return text;
}

function valueText(value: unknown): string {
  return shorten(showJson(value));
}

function shorten(text: string): string {
  if (text.length <= MAX_VALUE_LENGTH) return text;
  return `${text.slice(0, MAX_VALUE_LENGTH)}… (${text.length} characters)`;
}

/** Logs what a dry run would do, with a line for each line of the difference: a logger shows a message on one line. */
export function logDryRun(logger: Logger, what: string, difference: string): void {
  for (const line of [`Dry run: would ${what}`, ...difference.split("\n")]) logger.info(line);
}
