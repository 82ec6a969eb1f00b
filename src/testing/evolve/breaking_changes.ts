import { compareApiVersions } from "@kubeloop/controller/internal/base";
import { getOwn, isObject } from "../values/mod.ts";
import { compareSchemas } from "./compare_schemas.ts";
import type { DefinitionParts, VersionPart } from "./given_definition.ts";

/** A change of a CustomResourceDefinition that can break a client or a stored object. */
export interface BreakingChange {
  /** The version, or two versions as `v1beta1 -> v1`; empty if the change concerns the whole definition. */
  readonly version: string;
  /** The path of the field, such as `spec.ports[*].name`; empty for the whole object. */
  readonly path: string;
  /** The name of the rule, such as `maximum`. */
  readonly rule: string;
  /** The change in words. */
  readonly message: string;
}

/** Returns the changes of a definition that can break a client or a stored object, by rules. */
export function breakingChanges(
  before: DefinitionParts,
  after: DefinitionParts,
): readonly BreakingChange[] {
  return [
    ...changesOfWhole(before, after),
    ...before.versions.flatMap((old) => {
      const now = after.versions.find(({ name }) => name === old.name);
      return now === undefined ? [] : changesOfVersion(old, now);
    }),
    ...changesBetweenServed(before, after),
  ];
}

function changesOfWhole(before: DefinitionParts, after: DefinitionParts): BreakingChange[] {
  const whole = { version: "", path: "" };
  const changes: BreakingChange[] = [];
  if (before.scope !== after.scope) {
    changes.push({ ...whole, rule: "scope", message: `${before.scope} → ${after.scope}` });
  }
  if (before.kind !== after.kind) {
    changes.push({ ...whole, rule: "kind", message: `${before.kind} → ${after.kind}` });
  }
  const names = new Set(after.versions.map(({ name }) => name));
  for (const version of before.storedVersions) {
    if (names.has(version)) continue;
    const message = "removed, but objects may be stored in it";
    changes.push({ version, path: "", rule: "storedVersionRemoval", message });
  }
  const served = new Set(after.versions.filter((one) => one.served).map(({ name }) => name));
  for (const { name: version, served: wasServed } of before.versions) {
    if (!wasServed || served.has(version)) continue;
    changes.push({ version, path: "", rule: "servedVersionRemoval", message: "no longer served" });
  }
  return changes;
}

function changesOfVersion(before: VersionPart, after: VersionPart): BreakingChange[] {
  const { name: version } = before;
  const subresources = ["status", "scale"].filter((name) =>
    hasSubresource(before, name) && !hasSubresource(after, name)
  );
  // With a new /status, a write of the object no longer changes its status.
  const isNew = !hasSubresource(before, "status") && hasSubresource(after, "status");
  return [
    ...[...subresources.map((name) => `/${name} removed`), ...(isNew ? ["/status added"] : [])]
      .map((message) => ({ version, path: "", rule: "subresources", message })),
    ...compareSchemas(before.schema, after.schema).map((change) => ({ version, ...change })),
  ];
}

function hasSubresource({ raw }: VersionPart, name: string): boolean {
  const subresources = getOwn(raw, "subresources");
  return isObject(subresources) && isObject(getOwn(subresources, name));
}

/** Returns the differences between the served versions that the definition did not have before. */
function changesBetweenServed(before: DefinitionParts, after: DefinitionParts): BreakingChange[] {
  if (after.isConverted) return [];
  const known = new Set(pairsOf(before).map((change) => JSON.stringify(change)));
  return pairsOf(after).filter((change) => !known.has(JSON.stringify(change)));
}

function pairsOf({ versions }: DefinitionParts): BreakingChange[] {
  const served = versions.filter((version) => version.served)
    .sort((a, b) => -compareApiVersions(a.name, b.name));
  return served.flatMap((one, i) =>
    served.slice(i + 1).flatMap((other) =>
      compareSchemas(one.schema, other.schema)
        .map((change) => ({ version: `${one.name} -> ${other.name}`, ...change }))
    )
  );
}
