import { isRecord, own, setOwn } from "../base/mod.ts";
import type { DeepReadonly, KubeObject } from "../types/mod.ts";
import { Differ } from "./differ.ts";
import type { FieldTree } from "./managed_fields.ts";
import { SERVER_METADATA, withoutMetadata } from "./server_metadata.ts";

const IDENTITY_AND_SERVER_METADATA = [...SERVER_METADATA, "name", "namespace"];

/** Returns the fields of an object that a client has set, and its status. */
export function clientFields(object: DeepReadonly<KubeObject>): FieldTree {
  const { apiVersion: _, kind: __, metadata, ...rest } = withoutMetadata(
    object,
    IDENTITY_AND_SERVER_METADATA,
  );
  return Object.keys(metadata).length === 0 ? rest : { metadata, ...rest };
}

/**
 * Returns the JSON merge patch (RFC 7396) that changes `before` to `after`. It lacks fields that were removed below 200
 * levels.
 */
export function mergePatch(before: FieldTree, after: FieldTree): FieldTree {
  const patch: Record<string, unknown> = {};
  new Differ({ pairItems: () => undefined }, (path, _, value) => {
    const names = path.map((element) => element.slice(2));
    const last = names.pop() ?? "";
    let parent = patch;
    for (const name of names) {
      const known = own(parent, name);
      const inner = isRecord(known) ? known : {};
      if (inner !== known) setOwn(parent, name, inner);
      parent = inner;
    }
    setOwn(parent, last, value ?? null);
  }).compare(before, after);
  return patch;
}
