import { fieldPaths, managerEntries, managerName } from "@kubeloop/controller/internal/fields";
import type { KubeObject } from "@kubeloop/controller/types";
import type { ServerWrite } from "../../api_server/mod.ts";
import { keyOf } from "../record/mod.ts";

/** A field whose managers are others than before. */
export interface OwnershipMove {
  readonly resource: string;
  /** The key of the object. */
  readonly key: string;
  readonly field: string;
  /** The managers before, as in `kubectl-edit, operator`; empty if there were none. */
  readonly from: string;
  readonly to: string;
}

/** The maximum number of fields. */
const MAX_MOVES = 10_000;

/** Returns the fields whose managers are others after all writes, of objects that exist before and after them. */
export function ownershipMoves(writes: readonly ServerWrite[]): OwnershipMove[] {
  const ends = new Map<string, { first: ServerWrite; last: ServerWrite }>();
  for (const write of writes) {
    ends.set(write.uid, { first: ends.get(write.uid)?.first ?? write, last: write });
  }
  const out: OwnershipMove[] = [];
  for (const { first, last } of ends.values()) {
    const before = first.previous();
    if (before === undefined || last.type === "DELETED") continue;
    const { name, namespace, resource } = last;
    const from = managersOf(before);
    for (const [field, managers] of managersOf(last.object())) {
      const earlier = from.get(field);
      // A new field has no earlier manager that could lose it.
      if (earlier === undefined || earlier === managers || out.length >= MAX_MOVES) continue;
      out.push({ resource, key: keyOf(namespace, name), field, from: earlier, to: managers });
    }
  }
  return out;
}

/** Returns the managers of each field, as text. */
function managersOf(object: KubeObject): ReadonlyMap<string, string> {
  const sets = new Map<string, Set<string>>();
  for (const entry of managerEntries(object)) {
    for (const path of fieldPaths(entry.fieldsV1)) {
      const known = sets.get(path) ?? new Set();
      sets.set(path, known.add(managerName(entry)));
    }
  }
  return new Map([...sets].map(([path, names]) => [path, [...names].sort().join(", ")] as const));
}
