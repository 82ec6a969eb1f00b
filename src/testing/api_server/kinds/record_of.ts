import { resourceName } from "@kubeloop/controller/types";
import type { Release } from "../release/mod.ts";
import { apiVersionOf, type KindInfo } from "../schema/mod.ts";
import { getString, type JsonObject } from "../../values/mod.ts";
import { SCALE_KIND } from "./scale_table.ts";
import { BUILTIN_KINDS } from "./builtin_kinds.ts";
import {
  at,
  defineKind,
  type KindRecord,
  objectCount,
  type QuotaRules,
  type ScaledFields,
  STATUS,
} from "./record/mod.ts";
import { customColumns, customRow } from "./custom/mod.ts";

const builtin = new WeakMap<Release, ReadonlyMap<string, KindRecord>>();

const custom = new WeakMap<NonNullable<KindInfo["custom"]>, KindRecord>();

/** Returns the record of a kind. */
export function recordOf(kind: KindInfo): KindRecord {
  if (kind.custom === undefined) return builtinRecords(kind.release).get(idOf(kind)) ?? plain(kind);
  const known = custom.get(kind.custom) ?? customRecord(kind, kind.custom);
  custom.set(kind.custom, known);
  return known;
}

/** Returns the records of the built-in kinds in a release, by API version and kind, in the order of discovery. */
export function builtinRecords(release: Release): ReadonlyMap<string, KindRecord> {
  const known = builtin.get(release) ?? new Map(
    [...BUILTIN_KINDS, SCALE_KIND].map((one) => [idOf(one.definition), one.in(release)]),
  );
  builtin.set(release, known);
  return known;
}

function idOf(kind: { group: string; version: string; kind: string }): string {
  return `${apiVersionOf(kind)}/${kind.kind}`;
}

/** Returns the record of a kind that only a subresource has, as Eviction. */
function plain(kind: KindInfo): KindRecord {
  return defineKind(apiVersionOf(kind), kind.plural, kind.kind);
}

function customRecord(
  kind: KindInfo,
  own: NonNullable<KindInfo["custom"]>,
): KindRecord {
  const fields = own.selectableFields.map((path) => {
    const label = path.replace(/^\./, "");
    return [label, at(...label.split("."))] as const;
  });
  return defineKind(apiVersionOf(kind), kind.plural, kind.kind, {
    namespaced: kind.namespaced,
    ...(own.status ? { subresources: [STATUS] } : {}),
    // Every change counts but one of the metadata.
    counts: [[]],
    allowUnconditionalUpdate: false,
    statusKeeps: ["*"],
    finalizers: "any",
    fields: {
      ...(kind.namespaced ? { "metadata.namespace": at("metadata", "namespace") } : {}),
      ...Object.fromEntries(fields),
    },
    table: { columns: customColumns(own), row: customRow(own) },
    ...(own.scale === undefined ? {} : { scale: scaledFields(own.scale) }),
  });
}

function scaledFields(
  { spec, status, selector }: {
    readonly spec: string;
    readonly status: string;
    readonly selector?: string | undefined;
  },
): ScaledFields {
  return {
    spec: steps(spec),
    status: steps(status),
    selector: (object: JsonObject) =>
      selector === undefined ? "" : getString(object, ...steps(selector)),
  };
}

function steps(path: string): string[] {
  return path.replace(/^\./, "").split(".");
}

const QUOTAS: ReadonlyMap<string, QuotaRules> = new Map(
  BUILTIN_KINDS.map(({ definition, quota }) => [resourceName(definition), quota]),
);

/**
 * Returns the quota rules of a resource. Quotas limit the number of custom resources.
 *
 * @param resource The full name, as in `deployments.apps`.
 */
export function quotaRulesOf(resource: string): QuotaRules {
  return QUOTAS.get(resource) ?? objectCount(resource);
}
