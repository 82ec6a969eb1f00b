import { showJson } from "@kubeloop/controller/internal/base";
import { fieldChanges } from "@kubeloop/controller/internal/fields";
import type { KubeObject } from "@kubeloop/controller/types";
import type { ServerWrite } from "../../api_server/mod.ts";
import { keyOf } from "../record/mod.ts";

/** How a field, or a whole object, was changed by the writes of one run. */
export interface Change {
  readonly resource: string;
  /** The key of the object. A generated name is its prefix and a star. */
  readonly key: string;
  readonly verb: "create" | "update" | "delete";
  /** The path of the field; empty for a whole object. */
  readonly field: string;
  /** The values before the first write and after the last one. */
  readonly from: unknown;
  to: unknown;
  /** The number of writes that changed it. */
  times: number;
}

/** Returns the changes that writes have made, by object and field. */
export function changesOf(writes: readonly ServerWrite[]): ReadonlyMap<string, Change> {
  const out = new Map<string, Change>();
  for (const write of writes) {
    const object = write.object();
    const previous = write.previous();
    const key = plannedKey(write, object);
    const add = (verb: Change["verb"], field: string, from: unknown, to: unknown) => {
      const id = `${write.resource} ${key} ${verb} ${field}`;
      const known = out.get(id);
      if (known === undefined) {
        out.set(id, { resource: write.resource, key, verb, field, from, to, times: 1 });
      } else {
        known.times++;
        known.to = to;
      }
    };
    if (write.type === "ADDED") add("create", "", undefined, undefined);
    else if (isDeletion(write)) add("delete", "", undefined, undefined);
    else if (write.type === "MODIFIED" && previous !== undefined) {
      for (const { after, before, isHidden, path } of fieldChanges(previous, object)) {
        const hide = (value: unknown) => value === undefined || !isHidden ? value : "(hidden)";
        if (!path.startsWith("metadata.deletion")) add("update", path, hide(before), hide(after));
      }
    }
  }
  return out;
}

/** Reports whether a write begins the deletion of an object. */
export function isDeletion(write: ServerWrite): boolean {
  const before = write.type === "DELETED" ? write.object() : write.previous();
  if (before === undefined || before.metadata.deletionTimestamp !== undefined) return false;
  return write.type === "DELETED" || write.object().metadata.deletionTimestamp !== undefined;
}

/** Returns the key of an object, with a star in place of the generated part of a name. */
function plannedKey({ name, namespace }: ServerWrite, object: KubeObject): string {
  const { generateName } = object.metadata;
  const isGenerated = generateName !== undefined && name.startsWith(generateName);
  return keyOf(namespace, isGenerated ? `${generateName}*` : name);
}

const TIME = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)/g;
const UID = /[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}/g;

/** Returns the text by which values are compared: times and UIDs differ between two runs of the same version. */
export function comparable(value: unknown): string {
  return value === undefined
    ? ""
    : showJson(value).replaceAll(TIME, "a time").replaceAll(UID, "a UID");
}

/** Reports whether two counts differ by more than chance, or only one of them is zero. */
export function isOtherCount(a: number, b: number): boolean {
  return (a === 0) !== (b === 0) || isFarCount(a, b);
}

/** Reports whether two counts differ by more than chance. */
export function isFarCount(a: number, b: number): boolean {
  return Math.max(a, b) > 2 * Math.min(a, b) + 2;
}
