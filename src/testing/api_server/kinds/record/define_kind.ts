import { metadataLabels, ownLabels } from "./field_labels.ts";
import type { KindChange, KindOptions, KindRecord } from "./kind_record.ts";
import { objectCount } from "./quota_rules.ts";
import type { SubresourceDefinition } from "./resource_definition.ts";

const READ_WRITE: readonly string[] = ["get", "patch", "update"];

/** The status subresource. */
export const STATUS: SubresourceDefinition = { name: "status", verbs: READ_WRITE };

/** The scale subresource of a built-in kind. */
export const SCALE: SubresourceDefinition = {
  name: "scale",
  group: "autoscaling",
  version: "v1",
  kind: "Scale",
  verbs: READ_WRITE,
};

/** Returns a subresource for connections. `kind` is the kind of its options. */
export function connection(name: string, kind: string): SubresourceDefinition {
  const verbs = name === "proxy"
    ? ["create", "delete", "get", "patch", "update"]
    : ["create", "get"];
  return { name, kind, verbs, connects: true };
}

/**
 * Returns the record of a built-in kind.
 *
 * @param groupVersion The group and version, as in `apps/v1`, or the version only in the core group.
 * @param changes Options that differ in some releases. The last change of an option wins.
 */
export function defineKind(
  groupVersion: string,
  plural: string,
  kind: string,
  options: KindOptions = {},
  ...changes: readonly KindChange[]
): KindRecord {
  const record = filledIn(groupVersion, plural, kind, options);
  if (changes.length === 0) return record;
  return {
    ...record,
    in: (release) => {
      const own = changes.filter((change) => release.has(change));
      if (own.length === 0) return record;
      const { since: _since, until: _until, gate: _gate, ...changed } = Object.assign({}, ...own);
      return filledIn(groupVersion, plural, kind, { ...options, ...changed });
    },
  };
}

/** Returns a record with the defaults of omitted options. */
function filledIn(
  groupVersion: string,
  plural: string,
  kind: string,
  options: KindOptions,
): KindRecord {
  const [version = "", group = ""] = groupVersion.split("/").reverse();
  const {
    namespaced = true,
    singular = kind.toLowerCase(),
    shortNames,
    categories,
    verbs,
    subresources,
    uncached,
    deprecation,
    fields,
    namespaceField = namespaced,
    unknownField,
    ...own
  } = options;
  const record: KindRecord = {
    served: {},
    in: () => record,
    definition: {
      group,
      version,
      plural,
      kind,
      namespaced,
      singular,
      listKind: `${kind}List`,
      ...(shortNames === undefined ? {} : { shortNames }),
      ...(categories === undefined ? {} : { categories }),
      ...(verbs === undefined ? {} : { verbs }),
      ...(subresources === undefined ? {} : { subresources }),
      ...(uncached === undefined ? {} : { uncached }),
      ...(deprecation === undefined ? {} : { deprecation }),
    },
    hasStatus: subresources?.includes(STATUS) ?? false,
    storedAsJson: false,
    allowCreateOnUpdate: false,
    allowUnconditionalUpdate: true,
    statusKeeps: [],
    gated: [],
    parts: {},
    finalizers: "qualified",
    validatesAgain: true,
    validatesMetaChange: true,
    wholeFirst: false,
    declarative: true,
    fieldLabels: fields === undefined
      ? metadataLabels()
      : ownLabels(namespaceField, fields, unknownField),
    isNamespace: false,
    isExempt: false,
    admitsStatus: false,
    directsFlow: false,
    quota: objectCount(group === "" ? plural : `${plural}.${group}`),
    deletion: {},
    ...own,
  };
  return record;
}
