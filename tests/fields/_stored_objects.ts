/**
 * Objects of every built-in kind, and the same objects with one field that is empty, missing, or written in another way.
 *
 * @module
 */

import { StructRegistry } from "../../src/testing/api_server/schema/field_tables.ts";
import { PACKAGES, TABLES } from "../../src/testing/api_server/schema/generated/mod.ts";
import { apiVersionOf, type ResourceDescriptor } from "../../src/types/mod.ts";
import { readRecording } from "../conformance/recording.ts";
import { changeId, readWrites, writeId } from "../conformance/sets/writes.ts";
import { DEFAULT_MINOR } from "../e2e/minors.ts";
import type { StructType, Type } from "../../src/testing/values/mod.ts";

// deno-lint-ignore no-explicit-any
export type Loose = any;

/** An object of a kind with one changed field. */
export interface Variant {
  readonly resource: ResourceDescriptor;
  readonly what: string;
  readonly base: Loose;
  readonly object: Loose;
}

type Path = readonly (string | number)[];

/** The fields of metadata that programs set. */
const METADATA: ReadonlySet<string> = new Set(["annotations", "finalizers", "labels"]);

const AMOUNTS = ["1000m", "1", "0.5", "1024Mi", "1e3", "100u"];

const registry = new StructRegistry(TABLES);

/** Returns the variants of the recorded objects. `get` reads a path of a server. */
export async function variants(get: (path: string) => Promise<Loose>): Promise<Variant[]> {
  const resources = await resourcesOf(get);
  const found: Variant[] = [];
  const accepted = new Set(
    (await readRecording("creates", DEFAULT_MINOR)).flatMap(({ id, code }) =>
      code === 201 ? [id] : []
    ),
  );
  for (const [index, { path, base, changes }] of (await readWrites("creates")).entries()) {
    const resource = resources.get(path.replace("/namespaces/default", ""));
    if (resource === undefined || changes.length === 0 || !accepted.has(writeId(index, path))) {
      continue;
    }
    found.push({ resource, what: "", base, object: base });
    for (const [what, change] of changesOf(base, structOf(resource), [])) {
      const object = structuredClone(base);
      change(object);
      found.push({ resource, what, base, object });
    }
    for (const [at, change] of changes.entries()) {
      if (!accepted.has(changeId(index, at, change))) continue;
      const object = structuredClone(base);
      const steps = [...change.set.matchAll(/([^.[\]]+)|\[(\d+)\]/g)].map(([, name, number]) =>
        number === undefined ? name! : Number(number)
      );
      put(object, steps, change.to);
      const what = `${change.set}=${JSON.stringify(change.to)}`;
      found.push({ resource, what, base, object });
    }
  }
  return found;
}

async function resourcesOf(
  get: (path: string) => Promise<Loose>,
): Promise<Map<string, ResourceDescriptor>> {
  const found = new Map<string, ResourceDescriptor>();
  const { groups } = await get("/apis");
  const versions: string[] = groups.flatMap((group: Loose) =>
    group.versions.map((one: Loose) => `/apis/${one.groupVersion}`)
  );
  for (const path of ["/api/v1", ...versions]) {
    const [, , ...parts] = path.split("/");
    const version = parts.at(-1)!;
    const group = parts.length > 1 ? parts[0]! : "";
    for (const { name, kind, namespaced } of (await get(path)).resources) {
      found.set(`${path}/${name}`, { group, version, plural: name, kind, namespaced });
    }
  }
  return found;
}

function structOf({ group, version, kind }: ResourceDescriptor): StructType {
  return registry.struct(`${PACKAGES[`${group}/${version}`]}.${kind}`);
}

/** Returns the object to apply, with another name if the kind allows one. */
export function named(object: Loose, resource: ResourceDescriptor, name: string): Loose {
  const isFixed = ["CustomResourceDefinition", "APIService", "IPAddress", "CSINode"]
    .includes(resource.kind);
  const { namespace: _, ...metadata } = object.metadata ?? {};
  return {
    ...object,
    apiVersion: apiVersionOf(resource),
    kind: resource.kind,
    metadata: {
      ...metadata,
      ...(isFixed && metadata.name !== undefined ? {} : { name }),
      ...(resource.namespaced ? { namespace: "default" } : {}),
    },
  };
}

function put(object: Loose, path: Path, value: unknown): void {
  let at = object;
  for (const key of path.slice(0, -1)) at = at[key] ??= {};
  const last = path.at(-1)!;
  if (value !== undefined) at[last] = value;
  else if (Array.isArray(at)) at.splice(last as number, 1);
  else delete at[last];
}

/** Returns the changes of single fields: an empty value, no value, and quantities in several forms. */
function* changesOf(
  value: Loose,
  type: Type,
  path: Path,
): Generator<[what: string, change: (object: Loose) => void]> {
  const change = (at: Path, to: unknown): [string, (object: Loose) => void] => [
    `${at.join(".")}=${JSON.stringify(to)}`,
    (object) => put(object, at, to),
  ];
  if (type.kind === "list" && Array.isArray(value)) {
    for (const [i, item] of value.entries()) yield* changesOf(item, type.item, [...path, i]);
  } else if (type.kind === "map") {
    for (const [key, one] of Object.entries(value)) {
      yield* changesOf(one, type.value, [...path, key]);
    }
  } else if (type.kind === "scalar" && type.name === "quantity") {
    for (const amount of AMOUNTS) yield change(path, amount);
  } else if (type.kind === "struct" && typeof value === "object" && !Array.isArray(value)) {
    for (const [name, field] of type.fields) {
      const at = [...path, name];
      if (path.length === 0 && ["kind", "apiVersion", "status"].includes(name)) continue;
      if (path.at(-1) === "metadata" && !METADATA.has(name)) continue;
      const empty = emptyOf(field.type);
      if (empty !== undefined) yield change(at, empty);
      if (!Object.hasOwn(value, name)) continue;
      yield change(at, undefined);
      yield* changesOf(value[name], field.type, at);
    }
  }
}

function emptyOf(type: Type): unknown {
  if (type.kind === "list") return [];
  if (type.kind === "map" || type.kind === "struct") return {};
  if (type.kind !== "scalar") return undefined;
  switch (type.name) {
    case "string":
    case "bytes":
      return "";
    case "bool":
      return false;
    case "quantity":
      return "0";
    case "time":
    case "microTime":
      return undefined;
    default:
      return 0;
  }
}
