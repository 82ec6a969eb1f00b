import { parseJson } from "@kubeloop/controller/internal/base";
import { fieldPaths, managerEntries, managerName } from "@kubeloop/controller/internal/fields";
import type { KubeObject } from "@kubeloop/controller/types";
import type { ServerState } from "../../api_server/mod.ts";
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

/** Returns the fields that have other managers than at the start, of objects that exist at both times. */
export function ownershipMoves(start: ServerState, end: ServerState): OwnershipMove[] {
  const before = new Map(
    start.objects.map((one) => [one, one.text] as const)
      .map(([{ resource }, text]) => {
        const { metadata } = parseJson(text) as KubeObject;
        return [`${resource} ${metadata.uid}`, text] as const;
      }),
  );
  const out: OwnershipMove[] = [];
  for (const { resource, text } of end.objects) {
    const object = parseJson(text) as KubeObject;
    const { name = "", namespace = "", uid } = object.metadata;
    const old = before.get(`${resource} ${uid}`);
    if (old === undefined || old === text) continue;
    const from = managersOf(parseJson(old) as KubeObject);
    for (const [field, managers] of managersOf(object)) {
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
