import type { KubeObject, OwnerReference } from "@kubeloop/controller/types";
import { type Json, jsonEqual } from "../../values/mod.ts";
import type { ResourceExchange } from "./exchange.ts";

/** Returns an object without the owner references that it has twice, of which it adds a warning. */
export function withoutDuplicateOwners(
  { method, warnings }: ResourceExchange,
  object: KubeObject,
): KubeObject {
  const kept: OwnerReference[] = [];
  const duplicates: string[] = [];
  for (const one of object.metadata.ownerReferences ?? []) {
    if (kept.some((other) => areEqual(one, other))) duplicates.push(one.uid);
    else kept.push(one);
  }
  if (duplicates.length === 0) return object;
  warnings.push(warningOf(method, duplicates));
  return { ...object, metadata: { ...object.metadata, ownerReferences: kept } };
}

function areEqual(one: OwnerReference, other: OwnerReference): boolean {
  return one.uid === other.uid && jsonEqual(one as unknown as Json, other as unknown as Json);
}

/** Returns the warning. A real server looks at a patched object only after the plugins that may change it. */
function warningOf(method: string, uids: readonly string[]): string {
  const when = method === "PATCH" ? " after mutating admission happens" : "";
  return `.metadata.ownerReferences contains duplicate entries${when}; API server dedups owner references in 1.20+, ` +
    "and may reject such requests as early as 1.24; please fix your requests; duplicate UID(s) observed: " +
    uids.join(", ");
}
