import { assert } from "@std/assert";
import { applyDefaults } from "../../../src/testing/api_server/kinds/defaults.ts";
import { prepareCreate, prepareUpdate } from "../../../src/testing/api_server/kinds/mod.ts";
import type {
  ClusterView,
  Writer,
} from "../../../src/testing/api_server/kinds/record/kind_record.ts";
import {
  applyPatch,
  updateManagedFields,
} from "../../../src/testing/api_server/kinds/server_side_apply.ts";
import { admit } from "../../../src/testing/api_server/kinds/strategy.ts";
import { patchObject, type PatchType } from "../../../src/testing/api_server/patch/patch.ts";
import { SCHEMAS } from "../../../src/testing/api_server/schema/builtin.ts";
import { compileCrdVersion } from "../../../src/testing/api_server/schema/custom_version.ts";
import { decodeObject } from "../../../src/testing/api_server/schema/decode.ts";
import type { KindInfo } from "../../../src/testing/api_server/schema/kind.ts";
import { DEFAULT_RELEASE } from "../../../src/testing/api_server/release/mod.ts";
import { ApiError, type Json } from "../../../src/testing/values/mod.ts";
import type { KubeObject, Status } from "../../../src/types/mod.ts";

/** An untyped object, for tests that read any field. */
// deno-lint-ignore no-explicit-any
export type Loose = any;

/** The time of every write in these tests. */
export const NOW = "2026-01-01T00:00:00Z";

/** Returns a built-in kind. */
export function kindOf(group: string, kind: string, plural: string, namespaced = true): KindInfo {
  const schema = SCHEMAS.kind(group, "v1", kind);
  assert(schema !== undefined, `no schema of ${kind}`);
  return { group, version: "v1", kind, plural, namespaced, schema, release: DEFAULT_RELEASE };
}

export const CONFIG_MAP: KindInfo = kindOf("", "ConfigMap", "configmaps");
export const POD: KindInfo = kindOf("", "Pod", "pods");
export const CRD: KindInfo = kindOf(
  "apiextensions.k8s.io",
  "CustomResourceDefinition",
  "customresourcedefinitions",
  false,
);

/** Returns the kind that a CRD defines. */
export function customKind(crd: Loose, version = "v1"): KindInfo {
  const custom = compileCrdVersion(crd, version);
  assert(custom !== undefined, `no version ${version}`);
  return {
    group: crd.spec.group,
    version,
    kind: crd.spec.names.kind,
    plural: crd.spec.names.plural,
    namespaced: crd.spec.scope === "Namespaced",
    schema: custom.type,
    custom,
    release: DEFAULT_RELEASE,
  };
}

/** Returns a CRD with one version, whose spec has this schema. */
export function crdWithSpec(spec: Loose, version: Loose = {}): Loose {
  return crdOf({ type: "object", properties: { spec } }, version);
}

/** Returns a CRD with one version, whose objects may have any fields. */
export function crdOfAnything(version: Loose = {}): Loose {
  return crdOf({ type: "object", "x-kubernetes-preserve-unknown-fields": true }, version);
}

function crdOf(openAPIV3Schema: Loose, version: Loose): Loose {
  return {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: "things.a.example" },
    spec: {
      group: "a.example",
      scope: "Namespaced",
      names: { plural: "things", kind: "Thing" },
      versions: [{
        name: "v1",
        served: true,
        storage: true,
        schema: { openAPIV3Schema },
        ...version,
      }],
    },
  };
}

/** The writer of the objects. */
export const WRITER: Writer = {
  user: { username: "admin", groups: [] },
  now: NOW,
  warn: () => {},
};

/** The objects of a new cluster that admission reads. */
export const CLUSTER: ClusterView = {
  release: DEFAULT_RELEASE,
  namespace: "",
  get: (resource, _namespace, name) => {
    const values: Record<string, number> = {
      "system-cluster-critical": 2_000_000_000,
      "system-node-critical": 2_000_001_000,
    };
    if (resource !== "priorityclasses.scheduling.k8s.io" || !Object.hasOwn(values, name)) return;
    return { metadata: { name }, value: values[name]! };
  },
  list: () => [],
};

/** Returns the object that a server stores for a created body; throws the error that the server answers. */
export function create(kind: KindInfo, body: Loose, manager = "test"): Loose {
  const { object } = decodeObject(JSON.stringify(body), kind, "Strict");
  let next: Loose = applyDefaults(kind, object);
  next = updateManagedFields({ kind, next, manager, now: NOW, subresource: "" });
  return finishCreate(kind, next);
}

function finishCreate(kind: KindInfo, object: Loose): Loose {
  const next = {
    ...object,
    metadata: { ...object.metadata, uid: "uid-1", creationTimestamp: NOW },
  };
  if (kind.namespaced) next.metadata.namespace ??= "wire";
  return prepareCreate(kind, admit(kind, next, CLUSTER), { writer: WRITER }).stored(false);
}

/** Returns the object that a server stores after an update. */
export function update(
  kind: KindInfo,
  live: Loose,
  object: KubeObject,
  manager = "test",
  subresource = "",
): Loose {
  let next: Loose = applyDefaults(kind, object);
  next = updateManagedFields({ kind, live, next, manager, now: NOW, subresource });
  return finishUpdate(kind, live, next, subresource);
}

function finishUpdate(kind: KindInfo, live: Loose, object: Loose, subresource: string): Loose {
  const next: Loose = { ...object, metadata: { ...object.metadata } };
  if (kind.namespaced) next.metadata.namespace ??= live.metadata.namespace;
  const admitted = admit(kind, next, CLUSTER, live);
  return prepareUpdate(kind, admitted, live, { writer: WRITER, subresource }).stored(false);
}

/** Returns the object that a server stores after a patch. */
export function patch(
  kind: KindInfo,
  live: Loose,
  type: PatchType,
  body: Json,
  manager = "test",
): Loose {
  const { object } = patchObject(type, JSON.stringify(body), live, kind, "Strict");
  return update(kind, live, object, manager);
}

/** Returns the object that a server stores after a server-side apply. */
export function apply(
  kind: KindInfo,
  live: Loose,
  body: Loose,
  manager: string,
  force = false,
): Loose {
  const { object } = applyPatch({
    kind,
    live,
    patch: body,
    manager,
    force,
    name: body.metadata.name,
    now: NOW,
  });
  return live === undefined ? finishCreate(kind, object) : finishUpdate(kind, live, object, "");
}

/** Returns the Status with which `action` is rejected. */
export function refusal(action: () => unknown): Status {
  try {
    action();
  } catch (error) {
    if (ApiError.is(error)) return JSON.parse(JSON.stringify(error.status));
    throw error;
  }
  throw new Error("it was not refused");
}

/** Returns the causes of a 422, as `field: message`. */
export function causes(action: () => unknown): string[] {
  return (refusal(action).details?.causes ?? []).map((one) => `${one.field}: ${one.message}`);
}
