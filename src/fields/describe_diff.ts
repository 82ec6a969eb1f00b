import { showJson } from "../base/mod.ts";
import type { DeepReadonly, KubeObject } from "../types/mod.ts";
import { Differ, membersOf, pairByIndex, pairByName } from "./differ.ts";
import { type ElementPath, pathText } from "./field_path.ts";
import { STORED_METADATA, withoutMetadata } from "./server_metadata.ts";

/** Bounds of a description. */
const MAX_LINES = 200;
const MAX_VALUE_LENGTH = 200;

/** The depth below which values are shown as a whole, so that no object exceeds the stack. */
const MAX_STEPS = 200;

/** The annotation in which `kubectl apply` keeps the whole object. */
export const LAST_APPLIED = "kubectl.kubernetes.io/last-applied-configuration";

/** The parts of a Secret that hold its data. */
const SECRET_PARTS: readonly ElementPath[] = [
  ["f:data"],
  ["f:stringData"],
  ["f:metadata", "f:annotations", `f:${LAST_APPLIED}`],
];

/**
 * Describes the changes of an object: one line for each field, `-` before its old value and `+` before its new one. Values
 * are written as JSON. Metadata that the server sets when it stores the object is omitted, and the data of Secrets is hidden.
 *
 * @param before The object before the change; undefined if it is created.
 * @param after The object after the change; undefined if it is deleted.
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
  for (const { path, isHidden, ...sides } of fieldChanges(before, after)) {
    const write = (sign: string, value: unknown) =>
      lines.push(`${sign} ${path}: ${isHidden ? "(hidden)" : shorten(showJson(value))}`);
    if (sides.before !== undefined) write("-", sides.before);
    if (sides.after !== undefined) write("+", sides.after);
  }
  const more = lines.length - MAX_LINES;
  if (more > 0) lines.splice(MAX_LINES, more, `  … and ${more} more`);
  return lines.join("\n");
}

function shorten(text: string): string {
  if (text.length <= MAX_VALUE_LENGTH) return text;
  return `${text.slice(0, MAX_VALUE_LENGTH)}… (${text.length} characters)`;
}

/** The change of a field. */
export interface FieldChange {
  /** The path of the field, as in `spec.containers[name=web].image`. */
  readonly path: string;
  /** The old value; undefined if there was none. */
  readonly before: unknown;
  /** The new value; undefined if there is none. */
  readonly after: unknown;
  /** Whether the values are the data of a Secret, which must not be shown. */
  readonly isHidden: boolean;
}

/** Returns the changes of the fields of an object, without the metadata that the server sets when it stores the object. */
export function fieldChanges(
  before: DeepReadonly<KubeObject> | undefined,
  after: DeepReadonly<KubeObject> | undefined,
): FieldChange[] {
  const isSecret = (before?.kind ?? after?.kind) === "Secret";
  const changes: FieldChange[] = [];
  const add = (path: ElementPath, old: unknown, now: unknown) => {
    const isHidden = isSecret &&
      SECRET_PARTS.some((part) => part.every((element, i) => path[i] === element));
    const text = pathText(path, { maxLength: MAX_VALUE_LENGTH });
    changes.push({ path: text, before: old, after: now, isHidden });
  };
  const pairItems = (old: readonly unknown[], now: readonly unknown[]) =>
    pairByName(old, now) ?? pairByIndex(old, now);
  new Differ({ pairItems, isForPeople: true }, (path, old, now) => {
    const isSplit = !(Array.isArray(old) && Array.isArray(now)) &&
      (membersOf(old) ?? membersOf(now)) !== undefined;
    if (!isSplit) return add(path, old, now);
    eachLeaf(path, old, (at, value) => add(at, value, undefined));
    eachLeaf(path, now, (at, value) => add(at, undefined, value));
  }).compare(stored(before), stored(after));
  return changes;
}

function stored(
  object: DeepReadonly<KubeObject> | undefined,
): DeepReadonly<KubeObject> | undefined {
  return object && withoutMetadata(object, STORED_METADATA);
}

/** Calls `visit` for each value within a value that is neither an object nor a list, or is empty. */
function eachLeaf(
  path: ElementPath,
  value: unknown,
  visit: (path: ElementPath, value: unknown) => void,
): void {
  if (value === undefined) return;
  const members = path.length < MAX_STEPS ? membersOf(value) : undefined;
  if (members === undefined || members.length === 0) return visit(path, value);
  for (const [element, member] of members) eachLeaf([...path, element], member, visit);
}
