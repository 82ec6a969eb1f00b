import { isRecord, own, setOwn, showJson } from "@kubeloop/controller/internal/base";

/** A property of an object, and the value that a user gives it for a while. Without a value, the property is absent. */
export interface PropertyChange {
  /** The names of the fields that lead to the property, as in `["spec", "storage", "size"]`. */
  readonly path: readonly string[];
  /** The value before the change, for reports. */
  readonly from?: unknown;
  /** The value of the change. */
  readonly to?: unknown;
}

/** The longest text of a value in a report, in characters. */
const MAX_SHOWN = 60;

/** Returns changes and their restoration in words, as in `spec.storage.size: 1Gi → removed → 1Gi`. */
export function describeSet({ set }: { readonly set: readonly PropertyChange[] }): string {
  return set.map(describeChange).join(", and ");
}

function describeChange({ from, path, to }: PropertyChange): string {
  const before = from === undefined ? "absent" : shown(from);
  return `${path.join(".")}: ${before} → ${to === undefined ? "removed" : shown(to)} → ${before}`;
}

function shown(value: unknown): string {
  const text = typeof value === "string" && value !== "" ? value : showJson(value);
  return text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text;
}

/** Returns a copy of an object with its properties changed. The objects on the way to a property are created. */
export function withChanges(
  object: Readonly<Record<string, unknown>>,
  changes: readonly PropertyChange[],
): Record<string, unknown> {
  const out = structuredClone(object) as Record<string, unknown>;
  for (const { path, to } of changes) setAt(out, path, to);
  return out;
}

function setAt(object: Record<string, unknown>, path: readonly string[], value: unknown): void {
  let parent = object;
  for (const name of path.slice(0, -1)) {
    const known = own(parent, name);
    const inner = isRecord(known) ? known : {};
    if (inner !== known) {
      // Nothing is left to be removed.
      if (value === undefined) return;
      setOwn(parent, name, inner);
    }
    parent = inner;
  }
  const last = path.at(-1) ?? "";
  if (value === undefined) delete parent[last];
  else setOwn(parent, last, structuredClone(value));
}
